"""`python -m casino.devserver`, which `make run` starts.

Starts the clone's PostgreSQL and Valkey (unless the environment names others), migrates, starts
worker, beat and web server, fills the demo casino, and watches over them all until Ctrl-C.
"""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from contextlib import closing
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from types import FrameType
from typing import Final
from urllib.request import urlopen

from rich.console import Console

from casino.devserver.address import announced_in, listen_on_free_port
from casino.devserver.parent import is_child_of_make, make_was_interrupted
from casino.devserver.programs import settling_programs
from casino.devserver.watch import Program, Server, Watch
from casino.embedded import CannotStart, clone_paths, start_postgres, start_valkey, urls
from casino.embedded.addresses import APPLICATION
from casino.embedded.process import end_with_parent
from casino.embedded.server_paths import CLONE
from casino.webserver import PATIENT_WORKER
from compliance.exports.bundle.signing import make_signing_key

_VAR: Final = CLONE / "var"
_FIRST_PORT: Final = 8000
_POLL_SECONDS: Final = 0.5

_stop_signals: list[int] = []
"""Received signals. Only ``_tick`` acts on them: an exception in a signal handler can be lost, or
leave a lock of the interrupted call locked."""

_console = Console(highlight=False, soft_wrap=True)


class Stopped(Exception):
    """Ctrl-C, SIGTERM or SIGHUP."""


def main() -> int:
    """Run until a signal. Exit status 1, with a message, if it cannot run."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, _stop)
    os.environ.setdefault("DECISION_DELAY_HOURS", "0")  # no decision delay in the demo
    os.environ.setdefault("SOFTWARE_KEYS", "true")  # no security keys in the demo
    os.environ.setdefault("EMAIL_URL", f"filemail:///{_VAR / 'mail'}")
    if is_child_of_make():
        end_with_parent(signal.SIGTERM)
    try:
        with announced_in(_VAR / "running") as announce, closing(Watch(_step)) as watch:
            _run(watch, announce)
    except CannotStart as failure:
        _console.print(f"[red]Sabot cannot run:[/red] {failure}")
        return 1
    except Stopped:
        _console.print("stopped; all data is kept in var/, and `make run` continues from there")
    return 0


def _run(watch: Watch, announce: Callable[[str], None]) -> None:
    if "DATABASE_URL" not in os.environ:
        durable = partial(start_postgres, durable=True)
        watch.start(Server("PostgreSQL", clone_paths("postgres"), durable))
    if "CELERY_BROKER_URL" not in os.environ:
        watch.start(Server("Valkey", clone_paths("valkey"), start_valkey))
    _step("migrating the database")
    _manage(watch, "migrate", "--verbosity=0")
    _manage(watch, "put_rules_in_force", "--verbosity=0")
    environment = _as_application(watch)
    _manage(watch, "verify_schema", "--verbosity=0")
    _manage(watch, "collectstatic", "--noinput", "--verbosity=0")
    _make_export_key()
    with listen_on_free_port(_FIRST_PORT, say=_console.print) as listening:
        url = f"http://127.0.0.1:{listening.getsockname()[1]}/"
        for program in _programs(listening.fileno(), environment):
            watch.start(program)
        _step("filling the demo casino")
        _manage(watch, "demo")
        _manage(watch, "demo", "--wait")
        _wait_for_page(url, watch)
        _manage(watch, "demo", "--users", "--url", url)
        announce(url)
        _console.print(f"ready: {url}")
        while True:
            _tick(watch)


def _as_application(watch: Watch) -> dict[str, str]:
    """The environment of programs: our own database, with the application's role.

    A DATABASE_URL of the caller's names a role, too.
    """
    if "DATABASE_URL" in os.environ:
        return {}
    _manage(watch, "grant_application_role", "--make", APPLICATION, "--verbosity=0")
    return {"DATABASE_URL": urls().application_url}


def _programs(listening: int, environment: Mapping[str, str]) -> list[Program]:
    """Worker, beat and web server, which inherits the listening socket."""
    server = (sys.executable, "-m", "gunicorn", "casino.wsgi", "--worker-class", PATIENT_WORKER)
    web = (*server, "--workers", "4", "--threads", "2")
    return [
        *settling_programs(
            schedule=_VAR / "celerybeat", log_key=_VAR / "keys" / "log.pem", environment=environment
        ),
        Program(
            "web",
            (*web, "--bind", f"fd://{listening}", "--access-logfile", "-"),
            listening,
            environment=environment,
        ),
    ]


def _make_export_key() -> None:
    """Create the key that signs bundles, with a demo certificate, unless it exists."""
    path = Path(os.environ.get("SABOT_EXPORT_KEY", _VAR / "export-key" / "export.key"))
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        make_signing_key(path, name="Sabot, demonstration only", at=datetime.now(tz=UTC))


def _manage(watch: Watch, *arguments: str) -> None:
    """Run a management command on our terminal, while watching the other processes.

    It has a session of its own, so that Ctrl-C reaches only us; we end it.
    """
    command = subprocess.Popen(
        [sys.executable, "manage.py", *arguments], cwd=CLONE, start_new_session=True
    )
    try:
        while command.poll() is None:
            _tick(watch)
    finally:
        command.terminate()
        command.wait()
    if command.returncode != 0:
        raise CannotStart(f"manage.py {' '.join(arguments)} ended with {command.returncode}")


def _wait_for_page(url: str, watch: Watch) -> None:
    while True:
        try:
            with urlopen(f"{url}admin/login/", timeout=5):  # noqa: S310  our own page
                return
        except OSError:
            _tick(watch)


def _tick(watch: Watch) -> None:
    """Wait a moment, then check for stop signals and ended processes."""
    time.sleep(_POLL_SECONDS)
    if _stop_signals or make_was_interrupted():
        raise Stopped
    watch.look()


def _step(what: str) -> None:
    _console.print(f"[dim]{what} …[/dim]")


def _stop(number: int, _frame: FrameType | None) -> None:
    _stop_signals.append(number)


if __name__ == "__main__":
    sys.exit(main())
