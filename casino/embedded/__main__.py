"""The clone's private servers from the command line: `python -m casino.embedded start`."""

import argparse
import os
import shutil
import sys
from collections.abc import Callable

from casino.embedded.addresses import urls
from casino.embedded.errors import CannotStart
from casino.embedded.postgres import find_running_postgres, start_postgres
from casino.embedded.programs import find_postgres
from casino.embedded.running_server import Running
from casino.embedded.server_paths import clone_paths, fallback_folder
from casino.embedded.valkey import find_running_valkey, start_valkey

POSTGRES, VALKEY = clone_paths("postgres").data, clone_paths("valkey").data


def main() -> None:
    """Run one command; exit status 1 with a message if a server cannot be started."""
    commands: dict[str, Callable[[list[str]], None]] = {
        "start": start,
        "stop": stop,
        "remove": remove,
        "status": status,
        "psql": psql,
    }
    parser = argparse.ArgumentParser(prog="python -m casino.embedded", description=__doc__)
    parser.add_argument("command", choices=commands)
    parser.add_argument("arguments", nargs=argparse.REMAINDER, help="for psql")
    chosen = parser.parse_args()
    try:
        commands[chosen.command](chosen.arguments)
    except CannotStart as failure:
        sys.exit(str(failure))


def start(_: list[str]) -> None:
    """Start both, to run until `stop`, except a server that the environment names."""
    if not _is_elsewhere("PostgreSQL", "DATABASE_URL"):
        _show(start_postgres(POSTGRES, durable=True, detached=True))
    if not _is_elsewhere("Valkey", "CELERY_BROKER_URL"):
        _show(start_valkey(VALKEY, detached=True))


def stop(_: list[str]) -> None:
    """Stop both, however they were started."""
    for name, running in _found():
        if running:
            running.stop()
        _say(f"{name}: {'stopped' if running else 'was not running'}")


def remove(_: list[str]) -> None:
    """Stop both, and remove the fallback folder outside of the clone."""
    stop([])
    shutil.rmtree(fallback_folder(), ignore_errors=True)


def status(_: list[str]) -> None:
    """Print which of the two run, and where."""
    for name, running in _found():
        if running:
            _show(running)
        else:
            _say(f"{name}: not running")


def psql(arguments: list[str]) -> None:
    """Run psql on the clone's database, or on that of DATABASE_URL."""
    program = find_postgres()["psql"]
    url = os.environ.get("DATABASE_URL") or urls().database_url
    os.execv(program, [str(program), *arguments, url])  # noqa: S606  no shell is wanted


def _found() -> list[tuple[str, Running | None]]:
    return [
        ("PostgreSQL", find_running_postgres(POSTGRES)),
        ("Valkey", find_running_valkey(VALKEY)),
    ]


def _is_elsewhere(name: str, variable: str) -> bool:
    if variable not in os.environ:
        return False
    _say(f"{name}: not started, because {variable} is set")
    return True


def _show(running: Running) -> None:
    verb = "started" if running.started else "runs"
    _say(f"{running.name}: {verb} as process {running.pid}, {running.url}, data in {running.data}")


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")


if __name__ == "__main__":
    main()
