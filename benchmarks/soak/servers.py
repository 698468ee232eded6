"""The servers of the installation: PostgreSQL over TCP with passwords, its replica, the broker."""

import os
import secrets
import shutil
import signal
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

import psycopg
from psycopg import sql

from benchmarks.soak.programs import Program
from casino.embedded import Running, start_valkey
from casino.embedded.addresses import ROLE, valkey_socket
from casino.embedded.cluster import Cluster, find_cluster
from casino.embedded.process import wait_until
from casino.embedded.server_paths import ServerPaths
from tests.lines import Line
from tests.ports import free_port
from tests.rabbitmq import RabbitMQ

_READY_SECONDS: Final = 120
_CLOSED: Final = (
    "host all all 127.0.0.1/32 scram-sha-256\nhost replication all 127.0.0.1/32 scram-sha-256\n"
)
_OPEN: Final = _CLOSED.replace("scram-sha-256", "trust")
_SYNCHRONOUS: Final = """
    SELECT count(*) FROM pg_stat_replication
     WHERE sync_state = 'sync' AND flush_lsn >= pg_current_wal_flush_lsn()
"""
_WAL_MEGABYTES: Final = 640
_FOLDERS_OF_RABBITMQ: Final = (Path("/usr/lib/rabbitmq/bin"),)


class Postgres:
    """One PostgreSQL with the settings of production, kept running by the supervisor."""

    def __init__(self, folder: Path, name: str) -> None:
        self.name: Final = name
        self.cluster: Final = find_cluster(ServerPaths(folder / name))
        self.port: Final = free_port()
        self.wal: Final = Disk(folder / f"wal-of-{name}", self.cluster, megabytes=_WAL_MEGABYTES)
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
        if self.wal.mount():
            self._move_log()

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

    def url(self, role: str = ROLE, *, other: "Postgres | None" = None) -> str:
        """The URL of a role, with its password, of this server or of a pair of servers."""
        password = self._passwords.get(role, "")
        login = quote(role, safe="") + (f":{quote(password, safe='')}" if password else "")
        servers = [self] if other is None else [self, other]
        hosts = ",".join(f"127.0.0.1:{server.port}" for server in servers)
        return f"postgres://{login}@{hosts}/postgres"

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
        """Copies the primary in place of what it has, and streams from it once it runs."""
        log = self.wal.place / "pg_wal"
        for folder in (self.data, log):
            shutil.rmtree(folder, ignore_errors=True)
        self.data.mkdir(mode=0o700)
        self._give_away(self.data)
        options = ["-D", str(self.data), "--write-recovery-conf", "-cfast"]
        if self.wal.is_mounted or self.wal.mount():
            options.append(f"--waldir={log}")
        copied = self.cluster.run("pg_basebackup", "-d", primary.url(), *options)
        if copied.returncode != 0:
            raise RuntimeError(f"pg_basebackup: {copied.stderr}")
        self._passwords = primary._passwords  # noqa: SLF001  a replica has those of its primary
        self.configure()

    def promote(self) -> None:
        """Makes a primary of the replica; it is one when it returns."""
        with psycopg.connect(self.url(), autocommit=True) as connection:
            [[is_primary]] = connection.execute("SELECT pg_promote(wait_seconds => 60)").fetchall()
        if not is_primary:
            raise TimeoutError(f"{self.name} is not promoted within 60 seconds")

    def wait_for_replica(self) -> None:
        """From now on a commit waits for the replica; it has all that was committed before."""
        with psycopg.connect(self.url(), autocommit=True) as connection:
            connection.execute("ALTER SYSTEM SET synchronous_standby_names = '*'")
            connection.execute("SELECT pg_reload_conf()")
            is_synchronous = partial(_is_synchronous, connection)
            if not wait_until(is_synchronous, seconds=_READY_SECONDS):
                raise TimeoutError(f"no replica of {self.name} is synchronous")

    def _move_log(self) -> None:
        """Moves the write-ahead log onto its disk, while the server does not run."""
        log, moved = self.data / "pg_wal", self.wal.place / "pg_wal"
        shutil.copytree(log, moved)
        for path in (moved, *moved.rglob("*")):
            self._give_away(path)
        moved.chmod(0o700)
        shutil.rmtree(log)
        log.symlink_to(moved)

    def _give_away(self, path: Path) -> None:
        if self.cluster.account:
            os.chown(path, self.cluster.account.uid, self.cluster.account.gid)


def _is_synchronous(primary: psycopg.Connection[Any]) -> bool:
    """Whether commits wait for a replica, and it had everything at one moment since then."""
    [[replicas]] = primary.execute(_SYNCHRONOUS).fetchall()
    return bool(replicas)


class Disk:
    """A small file system in memory, which a fault can fill."""

    def __init__(self, place: Path, cluster: Cluster, *, megabytes: int) -> None:
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
