"""The servers of the installation: PostgreSQL over TCP with passwords, its replica, the broker."""

import os
import secrets
import shutil
import signal
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final
from urllib.parse import quote

import psycopg
from psycopg import sql

from benchmarks.soak.programs import Program
from casino.embedded import Running, start_valkey
from casino.embedded.addresses import ROLE, valkey_socket
from casino.embedded.cluster import Cluster, find_cluster
from casino.embedded.process import wait_until
from casino.embedded.server_paths import ServerPaths
from compliance.storage.database_roles.role import DatabaseRole, role_name
from tests.lines import Line
from tests.ports import free_port
from tests.rabbitmq import RabbitMQ

_READY_SECONDS: Final = 120
_CLOSED: Final = (
    "host all all 127.0.0.1/32 scram-sha-256\nhost replication all 127.0.0.1/32 scram-sha-256\n"
)
_OPEN: Final = _CLOSED.replace("scram-sha-256", "trust")
_WAL_MEGABYTES: Final = 640
_FOLDERS_OF_RABBITMQ: Final = (Path("/usr/lib/rabbitmq/bin"),)


class Postgres:
    """One PostgreSQL with the settings of production, kept running by the supervisor."""

    def __init__(self, folder: Path, name: str) -> None:
        self.name: Final = name
        self.cluster: Final = find_cluster(ServerPaths(folder / name))
        self.port: Final = free_port()
        self._passwords = {ROLE: secrets.token_urlsafe(18)}
        self.program: Final = Program(
            name,
            [str(self.cluster.programs["postgres"]), "-D", str(self.cluster.data)],
            environment={},
            folder=folder / "log",
            is_ready=self.is_ready,
            account=self.cluster.account,
            stop_signal=signal.SIGINT,  # clients are cut off, as by pg_ctl
        )

    @property
    def data(self) -> Path:
        """Its data folder."""
        return self.cluster.data

    def make(self) -> None:
        """Creates the cluster; until ``close_to_strangers`` it asks nobody for a password."""
        self.cluster.make()
        (self.data / "pg_hba.conf").write_text(_OPEN)
        self.configure(max_connections="150", max_wal_size="256MB", wal_keep_size="128MB")

    def configure(self, **settings: str) -> None:
        """Adds settings for its next start."""
        common = {
            "listen_addresses": "127.0.0.1",
            "port": str(self.port),
            "unix_socket_directories": "",
            "shared_buffers": "256MB",
            "timezone": "UTC",
            "log_timezone": "UTC",
            "hot_standby_feedback": "on",
            "log_lock_waits": "on",
            "log_min_duration_statement": "10s",
            "shared_preload_libraries": "",
        }
        with (self.data / "postgresql.conf").open("a") as file:
            file.writelines(f"{key} = '{value}'\n" for key, value in (common | settings).items())

    def is_ready(self) -> bool:
        """Whether it accepts connections."""
        at = ("-q", "-h", "127.0.0.1", "-p", str(self.port))
        return self.cluster.run("pg_isready", *at).returncode == 0

    def wait(self) -> None:
        """Waits until it accepts connections."""
        if not wait_until(self.is_ready, seconds=_READY_SECONDS):
            raise TimeoutError(f"{self.name} accepts no connection: see {self.program.log}")

    def url(self, role: str = ROLE, database: str = "postgres") -> str:
        """The URL of a role, with its password."""
        password = self._passwords.get(role, "")
        login = quote(role, safe="") + (f":{quote(password, safe='')}" if password else "")
        return f"postgres://{login}@127.0.0.1:{self.port}/{database}"

    def url_of(self, role: DatabaseRole) -> str:
        """The URL of a process with this role."""
        return self.url(role_name(role))

    def close_to_strangers(self, roles: list[str]) -> None:
        """Gives each role a password of its own, and asks for it from then on."""
        chosen = {**self._passwords, **{role: secrets.token_urlsafe(18) for role in roles}}
        with psycopg.connect(self.url(), autocommit=True) as connection:
            for role, password in chosen.items():
                statement = sql.SQL("ALTER ROLE {} PASSWORD {}")
                connection.execute(statement.format(sql.Identifier(role), sql.Literal(password)))
            (self.data / "pg_hba.conf").write_text(_CLOSED)
            connection.execute("SELECT pg_reload_conf()")
        self._passwords |= chosen

    def as_replica_of(self, primary: "Postgres") -> None:
        """Copies the primary into its data folder, from where it streams."""
        self.data.mkdir(mode=0o700)
        if self.cluster.account:
            os.chown(self.data, self.cluster.account.uid, self.cluster.account.gid)
        options = ("-D", str(self.data), "--write-recovery-conf", "-cfast")
        copied = self.cluster.run("pg_basebackup", "-d", primary.url(), *options)
        if copied.returncode != 0:
            raise RuntimeError(f"pg_basebackup: {copied.stderr}")
        self._passwords = primary._passwords  # noqa: SLF001  a replica has those of its primary
        self.configure()


class LogDisk:
    """A small file system in memory for the write-ahead log, which a fault can fill."""

    def __init__(self, place: Path, cluster: Cluster, *, megabytes: int = _WAL_MEGABYTES) -> None:
        self.place, self._cluster, self._megabytes = place, cluster, megabytes
        self.is_mounted = False

    def mount(self) -> bool:
        """Whether it could be mounted: only root can."""
        self.place.mkdir(mode=0o755, exist_ok=True)
        size = f"size={self._megabytes}m"
        command = ["mount", "-t", "tmpfs", "-o", size, "tmpfs", str(self.place)]
        self.is_mounted = subprocess.run(command, capture_output=True, check=False).returncode == 0
        if self.is_mounted and self._cluster.account:
            os.chown(self.place, self._cluster.account.uid, self._cluster.account.gid)
        return self.is_mounted

    def take_log_of(self, server: Postgres) -> None:
        """Moves the write-ahead log of a server that does not run onto it."""
        log, moved = server.data / "pg_wal", self.place / "pg_wal"
        shutil.copytree(log, moved)
        if self._cluster.account:
            for path in (moved, *moved.rglob("*")):
                os.chown(path, self._cluster.account.uid, self._cluster.account.gid)
        moved.chmod(0o700)
        shutil.rmtree(log)
        log.symlink_to(moved)

    def fill(self) -> None:
        """Leaves no room on it."""
        with suppress(OSError), (self.place / "ballast").open("wb") as file:
            while True:
                file.write(bytes(1 << 20))
                file.flush()

    def empty(self) -> None:
        """Gives the room back."""
        (self.place / "ballast").unlink(missing_ok=True)

    def unmount(self) -> None:
        """Removes it."""
        if self.is_mounted:
            subprocess.run(["umount", "-l", self.place], check=False)  # noqa: S607  on the path


class Broker:
    """A broker of the soak's own behind a line: RabbitMQ where it is installed, else Valkey."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder / "broker"
        self._folder.mkdir()
        is_there = any((path / "rabbitmq-server").exists() for path in _FOLDERS_OF_RABBITMQ)
        self._rabbitmq = RabbitMQ(self._folder) if is_there else None
        self._valkey: Running | None = None
        self.name: Final = "RabbitMQ" if is_there else "Valkey"
        self.line: Final = Line(self._connect)

    @property
    def url(self) -> str:
        """Its URL on the line."""
        if self._rabbitmq:
            return f"amqp://guest:guest@127.0.0.1:{self.line.port}//"
        return f"redis://127.0.0.1:{self.line.port}/0"

    def start(self) -> None:
        """Starts it, again after it was killed."""
        if self._rabbitmq:
            self._rabbitmq.start()
        else:
            self._valkey = start_valkey(self._folder / "valkey")

    def kill(self) -> None:
        """Kills it without a shutdown."""
        if self._rabbitmq:
            self._rabbitmq.kill()
        elif self._valkey:
            self._valkey.kill()

    def close(self) -> None:
        """Ends it and the line."""
        self.line.close()
        self.kill()

    def _connect(self) -> socket.socket:
        if self._rabbitmq:
            port = int(self._rabbitmq.url.rpartition(":")[2].strip("/"))
            return socket.create_connection(("127.0.0.1", port))
        listener = socket.socket(socket.AF_UNIX)
        listener.connect(str(valkey_socket(ServerPaths(self._folder / "valkey"))))
        return listener


@contextmanager
def broker_of(folder: Path) -> Iterator[Broker]:
    """The broker, started, until the block ends."""
    broker = Broker(folder)
    try:
        broker.start()
        yield broker
    finally:
        broker.close()
