"""`make run`: the whole platform on this machine, from nothing to `ready`.

Starts the clone's PostgreSQL and Valkey (unless the environment names others), migrates, starts
worker, beat and web server, fills the demo casino, and watches over them all until Ctrl-C.
"""

import fcntl
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from types import FrameType
from typing import Final, NamedTuple, TextIO
from urllib.error import URLError
from urllib.request import urlopen

from rich.console import Console

from casino.embedded import CannotStart, clone_place, start_postgres, start_valkey
from casino.embedded.process import spawn

_CLONE: Final = Path(__file__).resolve().parents[1]
_VAR: Final = _CLONE / "var"
_FIRST_PORT: Final = 8000
_PORTS: Final = 100
_STOP_SECONDS: Final = 60
_POLL_SECONDS: Final = 0.5
_MOST_RESTARTS: Final = 5

_console = Console()


class Program(NamedTuple):
    """A process that has to run for as long as we do."""

    name: str
    command: tuple[str, ...]


class Stopped(Exception):
    """Ctrl-C, or a polite signal."""


def main() -> int:
    """Runs until somebody stops it. Exit status 1, with a sentence, when it cannot run."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, _stop)
    try:
        with _only_one() as address, ExitStack() as running:
            _run(running, address)
    except (CannotStart, subprocess.CalledProcessError) as failure:
        _console.print(f"[red]Sabot cannot run:[/red] {failure}", highlight=False)
        return 1
    except Stopped:
        _console.print("stopped; everything is kept in var/, `make run` goes on from here")
    return 0


def _run(running: ExitStack, address: TextIO) -> None:
    _start_servers(running)
    _step("migrating the database")
    _manage("migrate", "--verbosity=0")
    _manage("collectstatic", "--noinput", "--verbosity=0")
    port = _free_port()
    url = f"http://127.0.0.1:{port}/"
    watch = _Watch(_programs(port))
    running.callback(watch.stop)
    watch.start()
    _step("filling the demo casino")
    _manage("demo")
    _manage("demo", "--wait")
    _wait_for_page(url, watch)
    _manage("demo", "--users")
    address.write(url)
    address.flush()
    _console.print(f"ready: {url}", highlight=False)
    while True:
        time.sleep(_POLL_SECONDS)
        watch.look()


def _start_servers(running: ExitStack) -> None:
    if "DATABASE_URL" not in os.environ:
        _step("starting PostgreSQL")
        running.callback(start_postgres(clone_place("postgres").data, durable=True).stop)
    if "CELERY_BROKER_URL" not in os.environ:
        _step("starting Valkey")
        running.callback(start_valkey(clone_place("valkey").data).stop)


def _programs(port: int) -> list[Program]:
    celery = (sys.executable, "-m", "celery", "-A", "casino")
    beat_file = str(_VAR / "celerybeat")
    web = (sys.executable, "-m", "gunicorn", "casino.wsgi", "--workers", "2", "--threads", "4")
    return [
        Program("worker", (*celery, "worker", "--concurrency", "2", "--loglevel", "INFO")),
        Program("beat", (*celery, "beat", "--schedule", beat_file, "--pidfile=")),
        Program("web", (*web, "--bind", f"127.0.0.1:{port}", "--access-logfile", "-")),
    ]


class _Watch:
    """Starts programs, starts them again when they die, stops them."""

    def __init__(self, programs: list[Program]) -> None:
        self._programs = programs
        self._processes: dict[str, subprocess.Popen[bytes]] = {}
        self._restarts = 0

    def start(self) -> None:
        for program in self._programs:
            _step(f"starting {program.name}")
            self._start(program)

    def look(self) -> None:
        """Starts what has died again; gives up when that happens time and again."""
        for program in self._programs:
            status = self._processes[program.name].poll()
            if status is None:
                continue
            self._restarts += 1
            log = _log_of(program)
            if self._restarts > _MOST_RESTARTS:
                raise CannotStart(f"{program.name} keeps ending (status {status}); see {log}")
            _console.print(f"{program.name} ended (status {status}, see {log}): starting it again")
            self._start(program)

    def stop(self) -> None:
        """Lets every program finish what it does; kills what does not end within a minute."""
        _step("stopping")
        for process in self._processes.values():
            process.terminate()
        deadline = time.monotonic() + _STOP_SECONDS
        for process in self._processes.values():
            try:
                process.wait(timeout=max(0.0, deadline - time.monotonic()))
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()

    def _start(self, program: Program) -> None:
        self._processes[program.name] = spawn(
            program.command,
            log=_log_of(program),
            ends_with_us=signal.SIGTERM,
            env=os.environ,
            cwd=_CLONE,
        )


def _log_of(program: Program) -> Path:
    return _VAR / "log" / f"{program.name}.log"


@contextmanager
def _only_one() -> Iterator[TextIO]:
    """The file that says where this clone runs; refuses when it runs already."""
    _VAR.mkdir(exist_ok=True)
    with (_VAR / "running").open("a+") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            file.seek(0)
            where = file.read() or "and is still starting"
            raise CannotStart(f"this clone runs already: {where}") from None
        file.truncate(0)
        yield file
        file.truncate(0)


def _manage(*arguments: str) -> None:
    subprocess.run([sys.executable, "manage.py", *arguments], cwd=_CLONE, check=True)  # noqa: S603  ours


def _free_port() -> int:
    for port in range(_FIRST_PORT, _FIRST_PORT + _PORTS):
        with socket.socket() as probe, suppress(OSError):
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(("127.0.0.1", port))
            return port
        _console.print(f"port {port} is taken")
    raise CannotStart(f"no free port from {_FIRST_PORT} to {_FIRST_PORT + _PORTS - 1}")


def _wait_for_page(url: str, watch: _Watch) -> None:
    while True:
        watch.look()
        with suppress(URLError, ConnectionError), urlopen(f"{url}admin/login/"):  # noqa: S310  our own page
            return
        time.sleep(_POLL_SECONDS)


def _step(what: str) -> None:
    _console.print(f"[dim]{what} …[/dim]")


def _stop(_number: int, _frame: FrameType | None) -> None:
    raise Stopped


if __name__ == "__main__":
    sys.exit(main())
