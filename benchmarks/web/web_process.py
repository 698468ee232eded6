"""A web process as in an installation, and a logged-in client."""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http import HTTPStatus
from http.client import HTTPConnection
from pathlib import Path
from types import MappingProxyType
from typing import Final

from django.conf import settings
from django.contrib.auth.models import User
from django.core.management import call_command
from django.test import Client

from casino.embedded.process import spawn, wait_until
from casino.embedded.server_paths import CLONE
from casino.webserver import GUNICORN

_GUNICORN: Final = (sys.executable, "-m", *GUNICORN)
_READY_SECONDS: Final = 60
_END_SECONDS: Final = 60
_LOGIN: Final = "/admin/login/"


class Browser:
    """Asks for pages as one person who has logged in."""

    def __init__(self, port: int, username: str) -> None:
        self._port = port
        self._headers = {"Cookie": f"{_session_of(username)}; django_language=it"}

    def ask(self, address: str) -> float:
        """Seconds from asking for a page until all of it is here; RuntimeError when it is none."""
        started = time.perf_counter()
        status = _status_of(self._port, address, self._headers)
        seconds = time.perf_counter() - started
        if status != HTTPStatus.OK:
            raise RuntimeError(f"{address} answers {status}")
        return seconds


@contextmanager
def web_process(
    folder: Path,
    *,
    processes: int = 1,
    threads: int = 1,
    environment: Mapping[str, str] = MappingProxyType({}),
) -> Iterator[int]:
    """The web server on DATABASE_URL, unless asked otherwise one process; gives its port.

    One thread, so that every page finds a connection to the database that is open already.
    ``environment`` are variables that are added to those of this process.
    """
    size = ("--workers", str(processes), "--threads", str(threads))
    call_command("collectstatic", "--noinput", verbosity=0)
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port, number = listening.getsockname()[1], listening.fileno()
        process = spawn(
            [*_GUNICORN, *size, "--bind", f"fd://{number}"],
            log=folder / "web.log",
            ends_with_us=signal.SIGTERM,
            env={**os.environ, **environment},
            pass_fds=(number,),
            cwd=CLONE,
        )
        try:
            if not wait_until(lambda: _answers(port), seconds=_READY_SECONDS):
                raise TimeoutError(f"no page within {_READY_SECONDS} seconds")
            yield port
        finally:
            process.terminate()
            try:
                process.wait(timeout=_END_SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def _answers(port: int) -> bool:
    try:
        return _status_of(port, _LOGIN, {}) == HTTPStatus.OK
    except OSError:
        return False


def _status_of(port: int, address: str, headers: dict[str, str]) -> int:
    connection = HTTPConnection("127.0.0.1", port, timeout=_READY_SECONDS)
    try:
        connection.request("GET", address, headers=headers)
        answer = connection.getresponse()
        answer.read()
        return answer.status
    finally:
        connection.close()


def _session_of(username: str) -> str:
    """The cookie of a session in the database, as the login page makes it."""
    client = Client()
    client.force_login(User.objects.get(username=username))
    name = settings.SESSION_COOKIE_NAME
    return f"{name}={client.cookies[name].value}"
