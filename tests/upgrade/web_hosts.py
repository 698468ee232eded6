"""Web hosts behind HAProxy, started, drained and stopped as the files of ``deploy/`` say."""

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from http import HTTPStatus
from pathlib import Path
from typing import Final
from urllib.error import URLError
from urllib.request import urlopen

from casino.embedded.process import spawn
from casino.embedded.server_paths import CLONE
from casino.webserver import GUNICORN
from compliance.storage.database_roles.role import DatabaseRole
from tests.casino.api.web_server import answers_at
from tests.ports import free_port
from tests.processes import environment_of, wait_until

_UNIT: Final = (CLONE / "deploy" / "systemd" / "sabot-web.service").read_text()
_PROXY: Final = (CLONE / "deploy" / "haproxy" / "haproxy.cfg").read_text()
_END_SECONDS: Final = 60


def drain_seconds() -> int:
    """How long the unit waits between the file and SIGTERM."""
    found = re.search(r"ExecStop=.*touch .*; sleep (\d+);", _UNIT)
    assert found, _UNIT
    return int(found[1])


class WebHost:
    """A gunicorn with two processes on a port of its own."""

    def __init__(self, name: str, folder: Path) -> None:
        self.name = name
        self.place: Final = f"127.0.0.1:{free_port()}"
        self._drain_file = folder / f"{name}-drain"
        self._log = folder / f"{name}.log"
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Starts it, and waits until it is ready."""
        self._drain_file.unlink(missing_ok=True)
        command = [sys.executable, "-m", *GUNICORN, "--bind", self.place, "--workers", "2"]
        environment = {
            **environment_of(DatabaseRole.WEB, os.environ),
            "SECRET_KEY": "of this test",
            "DRAIN_FILE": str(self._drain_file),
            "TRUSTED_PROXIES": "1",
        }
        self._process = spawn(
            command,
            log=self._log,
            ends_with_us=signal.SIGKILL,
            env=environment,
            cwd=CLONE,
        )
        wait_until(self._is_ready, what=f"{self.name} is ready")

    def _is_ready(self) -> bool:
        try:
            with urlopen(f"http://{self.place}/readyz?exclude=rule_sets") as answer:
                return bool(answer.status == HTTPStatus.OK)
        except (URLError, ConnectionError):
            return False

    def drain(self) -> None:
        """What the unit does before it stops the process."""
        self._drain_file.touch()
        time.sleep(drain_seconds())

    def stop(self) -> None:
        """Sends SIGTERM, and waits for the end."""
        if self._process is not None:
            self._process.terminate()
            self._process.wait(timeout=_END_SECONDS)
            self._process = None


class Proxy:
    """A running HAProxy."""

    def __init__(self, address: str, log: Path) -> None:
        self.address, self._log = address, log

    def states_of(self, host: WebHost) -> list[str]:
        """UP and DOWN, as HAProxy has seen the host so far."""
        return re.findall(rf"Server web/{host.name} is (UP|DOWN)", self._log.read_text())

    def wait_until_it_uses(self, host: WebHost) -> None:
        """Waits until HAProxy has seen that the host is back."""
        wait_until(lambda: self.states_of(host)[-1] == "UP", what=f"HAProxy uses {host.name}")


@contextmanager
def proxy(hosts: Sequence[WebHost], folder: Path) -> Iterator[Proxy]:
    """HAProxy with the configuration of ``deploy/``, but for the addresses and TLS."""
    place = f"127.0.0.1:{free_port()}"
    text = re.sub(r" +(bind :443|http-request (redirect|deny deny_status 403)) .*\n", "", _PROXY)
    text = text.replace("bind :80\n", f"bind {place}\n")
    for host in hosts:
        text = text.replace(f"{host.name}:8000", host.place)
    file, log = folder / "haproxy.cfg", folder / "haproxy.log"
    file.write_text(text)
    running = spawn(["haproxy", "-db", "-f", file], log=log, ends_with_us=signal.SIGKILL)
    try:
        wait_until(lambda: answers_at(f"http://{place}"), what="HAProxy answers")
        yield Proxy(f"http://{place}", log)
    finally:
        running.kill()
        running.wait()
