"""The web server as production runs it: gunicorn, several processes, on the test's own database."""

import os
import signal
import sys
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from http import HTTPStatus
from pathlib import Path
from typing import Final
from urllib.error import URLError
from urllib.request import urlopen

from casino.embedded.process import spawn
from casino.embedded.server_paths import CLONE
from casino.webserver import GUNICORN
from compliance.storage.database_roles.role import DatabaseRole
from tests.ports import free_port
from tests.processes import environment_of, wait_until

_MOST: Final = 2
"""Servers that wait for further tests, each with about 200 MB."""

_servers: Final[OrderedDict[object, tuple[str, ExitStack]]] = OrderedDict()
"""The least recently used one first."""


@contextmanager
def served(folder: Path, *, processes: int) -> Iterator[str]:
    """A server with this many processes; yields its URL.

    One that an earlier test started in the same environment serves again: the databases of tests
    have the same name one after the other, and a start takes two seconds of a core: tests of
    the API take a third of the processor time that they take with a server each.
    """
    environment = os.environ.keys() - {"PYTEST_CURRENT_TEST"}
    key = (processes, frozenset((name, os.environ[name]) for name in environment))
    if key not in _servers:
        stop_servers(leave=_MOST - 1)
        server = ExitStack()
        address, _pid = server.enter_context(serving(folder, processes=processes))
        _servers[key] = (address, server)
    _servers.move_to_end(key)
    yield _servers[key][0]


def stop_servers(*, leave: int = 0) -> None:
    """Stops the servers that wait for further tests, except the most recently used ones."""
    while len(_servers) > leave:
        _address, server = _servers.popitem(last=False)[1]
        server.close()


@contextmanager
def serving(folder: Path, *, processes: int) -> Iterator[tuple[str, int]]:
    """The same, with the gunicorn process that restarts its workers."""
    place = f"127.0.0.1:{free_port()}"
    # Loaded once for all processes: loading is most of what a test with a server costs.
    command = [sys.executable, "-m", *GUNICORN, "--bind", place, "--preload"]
    running = spawn(
        [*command, "--workers", str(processes), "--threads", "4"],
        log=folder / "web.log",
        ends_with_us=signal.SIGKILL,
        env={
            **environment_of(DatabaseRole.WEB, os.environ),
            "SECRET_KEY": os.environ.get("SECRET_KEY", "of this test"),
        },
        cwd=CLONE,
    )
    try:
        wait_until(lambda: answers_at(f"http://{place}"), what="the web server answers")
        yield f"http://{place}", running.pid
    finally:
        running.terminate()
        running.wait(timeout=60)


def answers_at(address: str) -> bool:
    """Whether a server answers at the URL."""
    try:
        with urlopen(f"{address}/livez") as answer:
            return bool(answer.status == HTTPStatus.OK)
    except (URLError, ConnectionError):
        return False
