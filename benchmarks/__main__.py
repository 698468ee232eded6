"""`make bench`: runs the benchmarks on temporary servers, with durable PostgreSQL settings.

`python -m benchmarks NAME…` runs some parts only and keeps the other figures.
"""

import argparse
import os
import tempfile
from collections.abc import Sequence
from pathlib import Path

from casino.embedded import start_postgres, start_valkey
from casino.embedded.addresses import broker_url, database_url
from casino.embedded.server_paths import ServerPaths


def main() -> None:
    """Starts the servers, runs the requested parts, prints the figures, stops the servers."""
    with tempfile.TemporaryDirectory(prefix="sabot-bench-") as name:
        folder = Path(name)
        folder.chmod(0o755)  # so that the account PostgreSQL runs as can enter it
        _set_up_django(folder)
        names = _requested_parts()
        postgres = start_postgres(folder / "postgres", durable=True)
        valkey = start_valkey(folder / "valkey")
        try:
            _measure(folder, names)
        finally:
            valkey.stop()
            postgres.stop()


def _set_up_django(folder: Path) -> None:
    """Sets the addresses of the servers and loads the Django settings."""
    os.environ["DATABASE_URL"] = database_url(ServerPaths(folder / "postgres"))
    os.environ["CELERY_BROKER_URL"] = broker_url(ServerPaths(folder / "valkey"))
    os.environ["DJANGO_SETTINGS_MODULE"] = "casino.settings"
    os.environ["DEMO"] = "true"  # HTTP; each database of a run has a first key of its own
    import django

    django.setup()


def _requested_parts() -> Sequence[str]:
    from benchmarks.parts import APART, NOT_QUICK, PARTS
    from benchmarks.quick import QUICK

    known = [*PARTS, *APART]
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(known)}")
    names: list[str] = parser.parse_args().names
    for name in names:
        if name not in known:
            parser.error(f"{name} is none of {', '.join(known)}")
    default = [part for part in PARTS if not QUICK or part not in NOT_QUICK]
    return [part for part in known if part in (names or default)]


def _measure(folder: Path, names: Sequence[str]) -> None:
    from benchmarks.figures import publish
    from benchmarks.parts import APART, PARTS
    from benchmarks.quick import QUICK
    from benchmarks.speed_page import write_speed_page
    from benchmarks.workspace import Workspace
    from rounds import RULES_FORM

    print(f"rules: {RULES_FORM}", flush=True)
    place = Workspace(folder)
    place.prepare()
    figures = [figure for part in names for figure in {**PARTS, **APART}[part](place)]
    kept = publish(figures, is_whole=list(names) == list(PARTS))
    if not QUICK and not write_speed_page(kept):
        print("docs/administrator/speed.md stays: not all of its figures have been measured")


if __name__ == "__main__":
    main()
