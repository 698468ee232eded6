"""`make drill`: loses the database of a casino in play, and brings it back.

`restore` loses the server with its data and restores a backup; `failover` loses the primary of two
servers. Everything lies in a temporary folder and is removed at the end.
"""

import argparse
import os
import secrets
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Final

from benchmarks.drills.environment import PREPARED, set_up_django, use_packaged_postgres
from benchmarks.drills.patroni import url_of_pair
from casino.embedded.addresses import database_url
from casino.embedded.server_paths import ServerPaths
from tests.ports import free_port

_DRILLS: Final = ("restore", "failover")


def main() -> None:
    """Runs the drill once, or as often as wanted, each time in a process of its own."""
    wanted = _parser().parse_args()
    if wanted.times == 1:
        _run(wanted)
        return
    command = [sys.executable, "-m", "benchmarks.drills", *_without_times(sys.argv[1:])]
    runs = range(1, wanted.times + 1)
    with tempfile.TemporaryDirectory(prefix="sabot-drills-") as name:
        os.environ[PREPARED] = name
        failed = [run for run in runs if not _passes(run, wanted.times, command)]
    print(f"{wanted.times - len(failed)} of {wanted.times} passed; failed: {failed or 'none'}")
    sys.exit(bool(failed))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.drills", description=__doc__)
    parser.add_argument("drill", choices=_DRILLS)
    parser.add_argument("--times", type=int, default=1, help="how often (default: once)")
    parser.add_argument(
        "--to", choices=("latest", "minute"), default="latest", help="restore: to which moment"
    )
    parser.add_argument("--s3", metavar="URL", help="restore: of this S3 server, not of a folder")
    return parser


def _without_times(arguments: Sequence[str]) -> list[str]:
    """The arguments of a single run."""
    rest = [argument for argument in arguments if not argument.startswith("--times=")]
    if "--times" in rest:
        at = rest.index("--times")
        del rest[at : at + 2]
    return rest


def _passes(run: int, times: int, command: Sequence[str]) -> bool:
    print(f"run {run} of {times}", flush=True)
    return subprocess.run(command, check=False).returncode == 0


def _run(wanted: argparse.Namespace) -> None:
    with tempfile.TemporaryDirectory(prefix="sabot-drill-") as name:
        folder = Path(name)
        folder.chmod(0o755)  # so that the account of PostgreSQL can enter it
        use_packaged_postgres()
        set_up_django(folder, database_url=_database_url(wanted, folder))
        import_module(f"benchmarks.drills.{wanted.drill}").run(folder, wanted)


def _database_url(wanted: argparse.Namespace, folder: Path) -> str:
    if wanted.drill == "restore":
        return database_url(ServerPaths(folder / "postgres"))
    wanted.ports, wanted.password = (free_port(), free_port()), secrets.token_urlsafe()
    return url_of_pair(wanted.ports, wanted.password)


if __name__ == "__main__":
    main()
