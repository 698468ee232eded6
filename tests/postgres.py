"""A PostgreSQL over TCP with a password, as in production."""

import signal
import subprocess
from collections.abc import Iterable
from pathlib import Path
from typing import Final
from urllib.parse import quote

import psycopg
from psycopg import sql

from casino.embedded.addresses import ROLE
from casino.embedded.cluster import find_cluster
from casino.embedded.process import spawn
from casino.embedded.server_paths import ServerPaths
from tests.ports import free_port
from tests.processes import wait_until

_QUOTED_IN_URLS: Final = "cavallo/corretto?"
_NOBODY_WITHOUT_IT: Final = "host all all 127.0.0.1/32 scram-sha-256\n"


class PostgresOverTcp:
    """A test's own server that listens on a TCP port and on no socket."""

    def __init__(self, folder: Path) -> None:
        self._cluster = find_cluster(ServerPaths(folder / "postgres"))
        self._log = folder / "postgres.log"
        self._port = free_port()
        self._process: subprocess.Popen[bytes] | None = None
        self.url: Final = self.url_with(_QUOTED_IN_URLS)

    def url_with(self, password: str) -> str:
        """The server's URL with this password, which may be wrong."""
        return f"postgres://{ROLE}:{quote(password, safe='')}@127.0.0.1:{self._port}/postgres"

    def start(self) -> None:
        """Starts the server; the first start creates it and requires the password."""
        is_new = not (self._cluster.data / "PG_VERSION").exists()
        self._cluster.make()
        wait_until(self._runs, what="PostgreSQL takes connections")
        if is_new:
            self._ask_for_password()

    def kill(self) -> None:
        """Kills it; its other processes end when they notice."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()

    def _runs(self) -> bool:
        """Whether it accepts connections; retried while processes of a killed server remain."""
        if self._process is None or self._process.poll() is not None:
            self._process = self._spawn()
        at = ("-q", "-h", "127.0.0.1", "-p", str(self._port))
        return self._cluster.run("pg_isready", *at).returncode == 0

    def _spawn(self) -> "subprocess.Popen[bytes]":
        listening = ["--listen_addresses=127.0.0.1", f"--port={self._port}"]
        return spawn(
            [
                *(self._cluster.programs["postgres"], "-D", self._cluster.data),
                *(*listening, "--unix_socket_directories=", "--shared_buffers=32MB"),
                "--fsync=off",  # killed is only the server: what it wrote, the kernel has
            ],
            log=self._log,
            ends_with_us=signal.SIGQUIT,
            account=self._cluster.account,
            env=self._cluster.env,
        )

    def give_password_to(self, roles: Iterable[str]) -> None:
        """Gives these roles the password of the owner."""
        with psycopg.connect(self.url, autocommit=True) as connection:
            for role in map(sql.Identifier, roles):
                password = sql.Literal(_QUOTED_IN_URLS)
                connection.execute(sql.SQL("ALTER ROLE {} PASSWORD {}").format(role, password))

    def _ask_for_password(self) -> None:
        self.give_password_to([ROLE])
        with psycopg.connect(self.url, autocommit=True) as connection:
            (self._cluster.data / "pg_hba.conf").write_text(_NOBODY_WITHOUT_IT)
            connection.execute("SELECT pg_reload_conf()")
