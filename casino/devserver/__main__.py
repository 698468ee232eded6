"""`python -m casino.devserver`, which `make run` starts.

Starts the clone's PostgreSQL and Valkey (unless the environment names others), migrates, starts
workers, beat and web server, each with its role of the database, fills the demo casino, and watches
over them all until Ctrl-C.
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
from types import FrameType, MappingProxyType
from typing import Final
from urllib.request import urlopen

from rich.console import Console

from casino.devserver.address import announced_in, listen_on_free_port
from casino.devserver.parent import is_child_of_make, make_was_interrupted
from casino.devserver.programs import other_workers, settling_programs
from casino.devserver.watch import Program, Server, Watch
from casino.devserver.witnesses import witness_programs
from casino.embedded import CannotStart, clone_paths, start_postgres, start_valkey
from casino.embedded.addresses import database_url
from casino.embedded.process import end_with_parent
from casino.embedded.server_paths import CLONE
from casino.webserver import GUNICORN
from compliance.exports.bundle.signing import make_signing_key
from compliance.storage.database_roles.role import ROLES, DatabaseRole

_VAR: Final = CLONE / "var"
_FEED: Final = _VAR / "demo" / "demo-feed.ndjson"
_WITNESSES: Final = _VAR / "demo" / "witnesses"
_FORMER_ROLE: Final = "sabot_app"
"""That of web and workers, in a clone of an earlier release."""
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
    os.environ.setdefault("DEMO", "true")
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
    _manage(watch, "grant_roles", "--verbosity=0")
    _manage(watch, "demo", "--people")
    _start_witnesses(watch)
    environments = _environments(watch)
    web, feed = environments[DatabaseRole.WEB], environments[DatabaseRole.FEED]
    _manage(watch, "verify_schema", "--verbosity=0")
    _manage(watch, "collectstatic", "--noinput", "--verbosity=0")
    _make_export_key()
    with listen_on_free_port(_FIRST_PORT, say=_console.print) as listening:
        url = f"http://127.0.0.1:{listening.getsockname()[1]}/"
        os.environ.setdefault("SITE_URL", url.rstrip("/"))  # links in the mails of workers
        for program in _programs(listening.fileno(), environments):
            watch.start(program)
        _step("filling the demo casino")
        _manage(watch, "demo", "--deal", environment=web)
        _manage(watch, "ingest", str(_FEED), environment=feed)
        _manage(watch, "demo", "--wait", environment=web)
        _wait_for_page(url, watch)
        _manage(watch, "demo", "--users", "--url", url, environment=web)
        announce(url)
        _console.print(f"ready: {url}")
        _fill_history(watch, web)
        while True:
            _tick(watch)


def _start_witnesses(watch: Watch) -> None:
    """Two witnesses cosign the demo's audit log, unless the environment names others."""
    if "LOG_POLICY_FILE" in os.environ:
        return
    _manage(watch, "demo", "--witnesses")
    programs = witness_programs(_WITNESSES)
    for program in programs:
        watch.start(program)
    if not programs:
        _console.print("no OpenSSL 3 here: the audit log of this demo has no witnesses")


def _fill_history(watch: Watch, environment: Mapping[str, str]) -> None:
    """Close, export and sign the past days, in the background of a demo that is ready."""
    _step("filling in 30 days of history in the background; all pages work meanwhile")
    try:
        _manage(watch, "demo", "--history", environment=environment)
    except CannotStart as failure:
        _console.print(f"the history is incomplete, the next start continues: {failure}")
    else:
        _step("the history is complete")


def _environments(watch: Watch) -> dict[str, dict[str, str]]:
    """The variables of each role's programs: our own database, with the role.

    A DATABASE_URL of the caller's names a role, too.
    """
    if "DATABASE_URL" in os.environ:
        return {role: {} for role in ROLES}
    former = ("--former", _FORMER_ROLE)
    _manage(watch, "grant_database_roles", "--make", *former, "--verbosity=0")
    prefix = os.environ.get("DATABASE_ROLE_PREFIX", "sabot_")
    place = clone_paths("postgres")
    return {role: {"DATABASE_URL": database_url(place, role=f"{prefix}{role}")} for role in ROLES}


def _programs(listening: int, environments: Mapping[str, Mapping[str, str]]) -> list[Program]:
    """Workers, beat and web server, which inherits the listening socket."""
    web = (sys.executable, "-m", *GUNICORN, "--workers", "4")
    return [
        *settling_programs(
            schedule=_VAR / "celerybeat",
            log_key=_VAR / "keys" / "log.pem",
            environment=environments[DatabaseRole.WORKER],
        ),
        *other_workers(queue=os.environ.get("CELERY_QUEUE", "sabot"), environments=environments),
        Program(
            "web",
            (*web, "--bind", f"fd://{listening}", "--access-logfile", "-"),
            listening,
            environment=environments[DatabaseRole.WEB],
        ),
    ]


def _make_export_key() -> None:
    """Create the key that signs bundles, with a demo certificate, unless it exists."""
    path = Path(os.environ.get("SABOT_EXPORT_KEY", _VAR / "export-key" / "export.key"))
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        make_signing_key(path, name="Sabot, demonstration only", at=datetime.now(tz=UTC))


def _manage(
    watch: Watch, *arguments: str, environment: Mapping[str, str] = MappingProxyType({})
) -> None:
    """Run a management command on our terminal, while watching the other processes.

    Without variables of a role it runs as the owner of the tables.

    It has a session of its own, so that Ctrl-C reaches only us; we end it.
    """
    command = subprocess.Popen(
        [sys.executable, "manage.py", *arguments],
        cwd=CLONE,
        env={**os.environ, **environment},
        start_new_session=True,
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
