"""A test's own RabbitMQ on this machine, which may be killed and started with settings."""

import os
import shutil
import signal
import socket
import subprocess
from pathlib import Path
from typing import Final

from casino.embedded.process import spawn
from tests.ports import free_port
from tests.processes import wait_until

_GREETING: Final = b"AMQP\0\0\x09\x01"
_PACKAGED: Final = Path("/usr/lib/rabbitmq/bin")  # what is on PATH there serves the machine alone


class RabbitMQ:
    """One node with all its files in one folder and its own registry of names."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._port, self._names, self._distribution = (free_port() for _ in range(3))
        self._processes: list[subprocess.Popen[bytes]] = []
        self.url: Final = f"amqp://guest:guest@127.0.0.1:{self._port}//"

    def start(self, settings: str = "") -> None:
        """Starts it and waits until it accepts connections.

        `settings` are lines of its configuration.
        """
        (self._folder / "rabbitmq.conf").write_text(settings)
        self._run(_program("epmd"), "-address", "127.0.0.1", "-port", str(self._names))
        wait_until(lambda: self._answers(self._names), what="the registry of names answers")
        self._run(_program("rabbitmq-server"))
        wait_until(lambda: self._answers(self._port, _GREETING), what="RabbitMQ takes connections")

    def kill(self) -> None:
        """Kills it without a shutdown."""
        while self._processes:
            process = self._processes.pop()
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()

    def forget_leaders(self) -> None:
        """Removes, while it is stopped, files written a second after a queue is created."""
        for names in self._folder.rglob("quorum/*/names.dets"):
            names.unlink()

    def _run(self, *command: str | Path) -> None:
        log, environment = self._folder / "out.log", self._environment()
        process = spawn(command, log=log, ends_with_us=signal.SIGKILL, env=environment)
        self._processes.append(process)

    def _environment(self) -> dict[str, str]:
        folder = str(self._folder)
        return {
            "PATH": os.environ["PATH"],
            "HOME": folder,
            "ERL_EPMD_ADDRESS": "127.0.0.1",
            "ERL_EPMD_PORT": str(self._names),
            "RABBITMQ_NODENAME": "test@localhost",
            "RABBITMQ_NODE_IP_ADDRESS": "127.0.0.1",
            "RABBITMQ_NODE_PORT": str(self._port),
            "RABBITMQ_DIST_PORT": str(self._distribution),
            "RABBITMQ_MNESIA_BASE": folder,
            "RABBITMQ_LOG_BASE": folder,
            "RABBITMQ_SCHEMA_DIR": folder,
            "RABBITMQ_GENERATED_CONFIG_DIR": folder,
            "RABBITMQ_CONFIG_FILE": f"{folder}/rabbitmq",
            "RABBITMQ_ENABLED_PLUGINS_FILE": f"{folder}/enabled_plugins",
            "RABBITMQ_CONF_ENV_FILE": os.devnull,  # nothing of the machine's own server
        }

    def _answers(self, port: int, greeting: bytes = b"") -> bool:
        """Whether a server takes a connection, and answers a greeting if one is given."""
        ended = [process.args for process in self._processes if process.poll() is not None]
        assert not ended, f"{ended} ended:\n{(self._folder / 'out.log').read_text()}"
        try:
            with socket.create_connection(("127.0.0.1", port), timeout=1) as client:
                client.sendall(greeting)
                return not greeting or bool(client.recv(1))
        except OSError:
            return False


def _program(name: str) -> Path:
    packaged = _PACKAGED / name
    program = packaged if packaged.exists() else shutil.which(name)
    assert program, f"{name} is needed where SABOT_TEST_AMQP_URL is set: install RabbitMQ's server"
    return Path(program)
