"""The web server as production runs it: gunicorn, several processes, on the test's own database."""

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from http import HTTPStatus
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

from casino.embedded.process import spawn
from casino.embedded.server_paths import CLONE
from casino.webserver import PATIENT_WORKER
from tests.ports import free_port
from tests.processes import wait_until


@contextmanager
def served(folder: Path, *, processes: int) -> Iterator[str]:
    """A server with this many processes while the block runs; returns its URL."""
    with serving(folder, processes=processes) as (address, _pid):
        yield address


@contextmanager
def serving(folder: Path, *, processes: int) -> Iterator[tuple[str, int]]:
    """The same, with the gunicorn process that restarts its workers."""
    place = f"127.0.0.1:{free_port()}"
    command = [sys.executable, "-m", "gunicorn", "casino.wsgi", "--bind", place]
    # Loaded once for all processes: loading is most of what a test with a server costs.
    command += ["--preload", "--worker-class", PATIENT_WORKER]
    running = spawn(
        [*command, "--workers", str(processes), "--threads", "4"],
        log=folder / "web.log",
        ends_with_us=signal.SIGKILL,
        env={**os.environ, "SECRET_KEY": "of this test"},
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
        with urlopen(f"{address}/api/v1/") as answer:
            return bool(answer.status == HTTPStatus.OK)
    except (URLError, ConnectionError):
        return False
