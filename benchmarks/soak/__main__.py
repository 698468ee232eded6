"""`make soak`: plays mixed load and faults on a whole installation, checks what must hold, reports.

Exit status 1 with the reasons if something did not hold.
"""

import argparse
import os
import signal
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path
from typing import Final

_MINUTES: Final = 60.0
_SEED: Final = 20261126


def main() -> int:
    """Plays, and writes the report."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.soak", description=__doc__)
    parser.add_argument("--minutes", type=float, default=_MINUTES)
    parser.add_argument("--seed", type=int, default=_SEED)
    parser.add_argument("--only", nargs="*", default=[], metavar="FAULT", help="these faults alone")
    parser.add_argument("--report", type=Path, help="a folder for the report, instead of docs")
    parser.add_argument("--keep", action="store_true", help="keep all logs and the databases")
    options = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="sabot-soak-"))
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("stopped"))
    folder.chmod(0o755)  # so that the account PostgreSQL runs as can enter it
    status = 1
    try:
        status = _soak(folder, options)
    finally:
        if status or options.keep:
            print(f"logs: {folder / 'log'}")
        if not options.keep:
            _remove(folder, but="log" if status else "")
    return status


def _soak(folder: Path, options: argparse.Namespace) -> int:
    os.environ["DJANGO_SETTINGS_MODULE"] = "casino.settings"
    from benchmarks.soak.servers import broker_of

    with ExitStack() as running:
        broker = running.enter_context(broker_of(folder))
        from benchmarks.soak.installation import Installation

        place = Installation(folder, broker)
        running.callback(place.stop)
        place.name_owner()
        import django

        django.setup()
        from benchmarks.soak.run import run

        return run(
            place,
            running,
            seed=options.seed,
            seconds=options.minutes * 60,
            only=options.only,
            report=options.report,
        )


def _remove(folder: Path, *, but: str) -> None:
    import shutil

    for part in folder.iterdir():
        if part.is_dir() and part.name != but:
            shutil.rmtree(part, ignore_errors=True)
        elif not part.is_dir():
            part.unlink()
    if not but:
        folder.rmdir()


if __name__ == "__main__":
    began = time.monotonic()
    status = main()
    print(f"{time.monotonic() - began:.0f} seconds in all")
    sys.exit(status)
