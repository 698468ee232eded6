"""A casino in play on a database that a drill takes away: web host, worker hosts, beat, studios."""

import gc
import os
import secrets
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Final

from django.conf import settings
from django.core.management import call_command
from django.utils import timezone
from kombu import Connection, Exchange, Queue

from benchmarks.drills.channels import ByApi, ByCommand, studio_token
from benchmarks.drills.environment import PREPARED
from benchmarks.drills.progress import say
from benchmarks.drills.studio import Studio
from benchmarks.settlement.celery_workers import celery_workers
from benchmarks.web.web_process import web_process
from benchmarks.workspace import register_tables
from casino.devserver.demo import demo_person, make_people, make_signing_keys
from casino.embedded import start_valkey
from casino.workers.queues import EXPORTER, FEED, WEB, queue_of
from compliance.storage.database_roles.role import DatabaseRole
from compliance.trail.log.key_file import make_key
from tests.databases import url_as

_WORKER_HOSTS: Final = 2
_GAMES_BY_API: Final = ["blackjack", "baccarat"]
_GAMES_BY_COMMAND: Final = ["mega-fire-blaze", "quantum"]


class Casino:
    """What runs besides the database, and the studios that play."""

    def __init__(self, folder: Path, *, port: int) -> None:
        self.folder = folder
        self.log_key: Final = folder / "log.pem"
        self.api: Final = ByApi(port, studio_token())
        self.command: Final = ByCommand(folder, environment_of(DatabaseRole.FEED))
        seed = secrets.token_hex(4)
        self.studios: Final = (
            Studio(games=_GAMES_BY_API, seed=seed, deliver=self.api, lines=8, pause=0.2),
            Studio(games=_GAMES_BY_COMMAND, seed=seed, deliver=self.command, lines=40, pause=0.5),
        )

    def start(self) -> None:
        """The studios begin to play."""
        for studio in self.studios:
            studio.start()

    def stop(self) -> None:
        """The studios have stopped when it returns."""
        for studio in self.studios:
            studio.stop()

    @property
    def lines(self) -> list[bytes]:
        """All that the studios have handed over."""
        return [line for studio in self.studios for line in studio.dealt]

    @property
    def acknowledged(self) -> dict[str, float]:
        """Each round that was acknowledged, and when."""
        return {
            round_id: piece.at
            for studio in self.studios
            for piece in list(studio.acknowledged)
            for round_id in piece.rounds
        }


def environment_of(role: DatabaseRole) -> dict[str, str]:
    """The variables of a process with this role; DATABASE_URL is that of the owner."""
    return {"DATABASE_URL": url_as(role, os.environ["DATABASE_URL"])}


def prepare() -> None:
    """Tables, roles, limits, and people with signing keys.

    Further runs copy what the first has made (``PREPARED``).
    """
    prepared = Path(os.environ[PREPARED]) / "prepared.sql" if PREPARED in os.environ else None
    if prepared is not None and prepared.exists():
        strictly = ("--quiet", "--no-psqlrc", "--set=ON_ERROR_STOP=1", "--single-transaction")
        _run_program("psql", *strictly, f"--file={prepared}")
    else:
        _fill()
    if prepared is not None and not prepared.exists():
        _run_program("pg_dump", "--no-owner", f"--file={prepared}")
    call_command("grant_database_roles", "--make", verbosity=0)


def _fill() -> None:
    gc.disable()  # it would take half of the time
    call_command("migrate", verbosity=0)
    gc.enable()
    before = timezone.now() - 2 * settings.DECISION_DELAY
    make_people(passwords_file=settings.VAR_DIR / "passwords.json", at=before)
    make_signing_keys(at=before)
    register_tables(demo_person("administrator"))


def _run_program(program: str, *options: str) -> None:
    """Runs one of PostgreSQL's programs on the database, as its owner."""
    path, url = Path(os.environ["PG_BINDIR"]) / program, os.environ["DATABASE_URL"]
    database = f"{url}{'&' if '?' in url else '?'}target_session_attrs=read-write"
    subprocess.run([path, *options, f"--dbname={database}"], check=True, stdout=subprocess.DEVNULL)


@contextmanager
def broker(folder: Path) -> Iterator[None]:
    """The RabbitMQ of CELERY_BROKER_URL, whose queues are removed at the end; else a Valkey."""
    url, queue = settings.CELERY_BROKER_URL, settings.CELERY_TASK_DEFAULT_QUEUE
    if url.startswith("redis"):
        valkey = start_valkey(folder / "valkey")
        try:
            yield
        finally:
            valkey.stop()
        return
    try:
        yield
    finally:
        with Connection(url) as connection:
            for name in (queue, *(queue_of(role, default=queue) for role in (FEED, EXPORTER, WEB))):
                Queue(name, channel=connection.default_channel).delete()
                Exchange(name, channel=connection.default_channel).delete()


@contextmanager
def running_casino(folder: Path) -> Iterator[Casino]:
    """A web host, two worker hosts and a beat until the block ends."""
    key = folder / "log.pem"
    make_key(key)
    worker: Mapping[str, str] = {
        **environment_of(DatabaseRole.WORKER),
        "LOG_KEY_FILE": str(key),
    }
    web = environment_of(DatabaseRole.WEB)
    with ExitStack() as running:
        running.enter_context(
            celery_workers(hosts=_WORKER_HOSTS, folder=folder, environment=worker)
        )
        port = running.enter_context(web_process(folder, processes=2, threads=2, environment=web))
        say(f"a web host and {_WORKER_HOSTS} worker hosts run")
        yield Casino(folder, port=port)
