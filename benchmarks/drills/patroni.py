"""Two PostgreSQL servers under Patroni, with the file of `deploy/patroni`, and an etcd."""

import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote
from urllib.request import urlopen

import psycopg
import yaml
from psycopg import sql

from benchmarks.drills.progress import wait_for
from casino.embedded.account import Account, service_account
from casino.embedded.addresses import DATABASE, ROLE
from casino.embedded.process import spawn
from casino.embedded.server_paths import CLONE
from tests.crash.supervised_casino import kill_with_children
from tests.ports import free_port

DEPLOY: Final = CLONE / "deploy" / "patroni" / "patroni.yml"
_PROGRAMS: Final = ("patroni", "etcd")
_HOST: Final = "127.0.0.1"
_HBA: Final = (
    "local all all trust",
    "host all all 127.0.0.1/32 scram-sha-256",
    "host replication all 127.0.0.1/32 scram-sha-256",
)


def url_of_pair(ports: tuple[int, int], password: str) -> str:
    """DATABASE_URL as on the hosts of an installation: both servers, of which one takes writes."""
    hosts = ",".join(f"{_HOST}:{port}" for port in ports)
    return f"postgres://{ROLE}:{quote(password)}@{hosts}/{DATABASE}"


class Node:
    """One database host: Patroni and the PostgreSQL that it starts."""

    def __init__(self, pair: "Pair", name: str, port: int) -> None:
        self.name, self.port = name, port
        self._rest = free_port()
        self._folder = pair.folder / name
        self._folder.mkdir()
        self._account = pair.account
        self._process: subprocess.Popen[bytes] | None = None
        self._write_config(pair)
        if self._account:
            for path in (self._folder, self._config):
                os.chown(path, self._account.uid, self._account.gid)

    @property
    def log(self) -> Path:
        """What Patroni and PostgreSQL say."""
        return self._folder / "patroni.log"

    def start(self) -> None:
        """Starts Patroni, which starts PostgreSQL or copies the primary first."""
        self._process = spawn(
            [_path_of("patroni"), self._config],
            log=self.log,
            ends_with_us=signal.SIGTERM,
            account=self._account,
            env={"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8", "HOME": str(self._folder)},
        )

    def kill(self) -> None:
        """Kills everything on the host at once, as if its power was cut."""
        patroni = None if self._process is None else self._process.pid
        postmaster = self._postmaster()
        if patroni is not None:
            os.kill(patroni, signal.SIGSTOP)
        kill_with_children(postmaster)
        kill_with_children(patroni)
        if self._process is not None:
            self._process.wait()

    def stop(self) -> None:
        """Ends it; without the other there is nothing to hand over."""
        if self._process is not None and self._process.poll() is None:
            self._process.terminate()
            try:
                self._process.wait(timeout=60)
            except subprocess.TimeoutExpired:
                self.kill()

    def is_primary(self) -> bool:
        """Whether Patroni says that it takes writes."""
        return self.status().get("role") in {"master", "primary"}

    def is_synchronous_replica(self) -> bool:
        """Whether it is the replica for which each commit waits."""
        status = self.status()
        return status.get("role") == "replica" and bool(status.get("sync_standby"))

    def status(self) -> Mapping[str, Any]:
        """What its REST API says; nothing while it is away."""
        try:
            with urlopen(f"http://{_HOST}:{self._rest}/patroni", timeout=2) as answer:
                found: Mapping[str, Any] = json.load(answer)
        except (OSError, ValueError):
            return {}
        return found

    def _postmaster(self) -> int | None:
        lock = self._folder / "data" / "postmaster.pid"
        return int(lock.read_text().partition("\n")[0]) if lock.exists() else None

    @property
    def _config(self) -> Path:
        return self._folder / "patroni.yml"

    def _write_config(self, pair: "Pair") -> None:
        config = yaml.safe_load(DEPLOY.read_text())
        config["name"] = self.name
        config["etcd3"] = {"hosts": [f"{_HOST}:{pair.etcd_port}"]}
        rest = f"{_HOST}:{self._rest}"
        config["restapi"] |= {"listen": rest, "connect_address": rest}
        parameters = config["bootstrap"]["dcs"]["postgresql"]["parameters"]
        parameters |= {"archive_command": "/bin/true"}
        accounts = config["postgresql"]["authentication"]
        for account in accounts.values():
            account["password"] = pair.password
            for option in ("sslmode", "sslrootcert"):  # these servers have no certificates
                account.pop(option, None)
        accounts["superuser"]["username"] = ROLE
        at = f"{_HOST}:{self.port}"
        config["postgresql"] |= {
            "listen": at,
            "connect_address": at,
            "data_dir": str(self._folder / "data"),
            "bin_dir": os.environ["PG_BINDIR"],
            "pgpass": str(self._folder / "pgpass"),
            "pg_hba": list(_HBA),
            "parameters": {"unix_socket_directories": str(self._folder)},
        }
        self._config.touch(mode=0o600)
        self._config.write_text(yaml.safe_dump(config))


class Pair:
    """Both database hosts, and one node of etcd, which no drill loses."""

    def __init__(self, folder: Path, *, ports: tuple[int, int], password: str) -> None:
        for program in _PROGRAMS:
            _path_of(program)
        self.folder, self.password = folder, password
        self.account: Final[Account | None] = service_account() if os.geteuid() == 0 else None
        self.etcd_port: Final = free_port()
        self._etcd: subprocess.Popen[bytes] | None = None
        self.nodes: Final = [
            Node(self, f"database{number}", port) for number, port in enumerate(ports, start=1)
        ]

    def start(self) -> None:
        """Both servers run, the second one as a synchronous replica, with an empty database."""
        self._start_etcd()
        first, second = self.nodes
        first.start()
        wait_for(first.is_primary, what="the first server is primary")
        self._make_database(first.port)
        second.start()
        wait_for(second.is_synchronous_replica, what="the second server replicates synchronously")

    def stop(self) -> None:
        """Ends everything."""
        for node in self.nodes:
            node.stop()
        if self._etcd is not None:
            self._etcd.kill()
            self._etcd.wait()

    def give_passwords_to(self, roles: Iterable[str]) -> None:
        """Gives these roles the password of the owner."""
        with psycopg.connect(os.environ["DATABASE_URL"], autocommit=True) as connection:
            for role in roles:
                statement = sql.SQL("ALTER ROLE {} PASSWORD {}")
                password = sql.Literal(self.password)
                connection.execute(statement.format(sql.Identifier(role), password))

    def _start_etcd(self) -> None:
        client, peer = (f"http://{_HOST}:{port}" for port in (self.etcd_port, free_port()))
        clients = ["--listen-client-urls", client, "--advertise-client-urls", client]
        peers = ["--listen-peer-urls", peer, "--initial-advertise-peer-urls", peer]
        self._etcd = spawn(
            [
                *(_path_of("etcd"), "--data-dir", self.folder / "etcd"),
                *(*clients, *peers, "--initial-cluster", f"default={peer}"),
            ],
            log=self.folder / "etcd.log",
            ends_with_us=signal.SIGKILL,
            env={"PATH": os.environ["PATH"]},
        )

    def _make_database(self, port: int) -> None:
        url = f"postgres://{ROLE}:{quote(self.password)}@{_HOST}:{port}/postgres"
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(DATABASE)))


def _path_of(program: str) -> Path:
    path = shutil.which(program)
    if path is None:
        sys.exit(f"{program} is needed: apt-get install patroni etcd-server")
    return Path(path)
