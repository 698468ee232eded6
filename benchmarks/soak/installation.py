"""A whole installation on one machine, each process with the database role of its work."""

import os
import secrets
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final
from urllib.request import urlopen

from benchmarks.soak.clocks import Clocks
from benchmarks.soak.programs import Program, Supervisor
from benchmarks.soak.servers import Broker, Disk, Postgres
from casino.embedded.addresses import ROLE
from casino.embedded.process import wait_until
from casino.embedded.server_paths import CLONE
from casino.webserver import GUNICORN
from casino.workers.queues import queue_of
from compliance.storage.database_roles.role import ROLES, DatabaseRole, role_name
from tests.ports import free_port

_CELERY: Final = (sys.executable, "-m", "celery", "-A", "casino")
_QUEUE: Final = "sabot"
_READY_SECONDS: Final = 600
_OTHER_WORKERS: Final = {
    "uploads": DatabaseRole.FEED,
    "exporter": DatabaseRole.EXPORTER,
    "lists": DatabaseRole.WEB,
}
_READS_THE_REPLICA: Final = (DatabaseRole.WEB, DatabaseRole.EXPORTER, DatabaseRole.READER)
_MEGABYTES_OF_EXPORTS: Final = 4096
"""1,024 were full after twenty minutes of exports and list files."""


class Installation:
    """Primary, replica, broker, two web hosts, two worker hosts, the other workers, metrics."""

    def __init__(self, folder: Path, broker: Broker) -> None:
        self.folder: Final = folder
        self.broker: Final = broker
        self.servers: Final = (Postgres(folder, "database-1"), Postgres(folder, "database-2"))
        self.primary, self.replica = self.servers
        self.supervisor: Final = Supervisor()
        self.clocks: Final = Clocks(folder / "clocks")
        self.web_ports: Final = (free_port(), free_port())
        self.metrics_port: Final = free_port()
        self.log_key: Final = folder / "keys" / "log.pem"
        self.export_key: Final = folder / "keys" / "export.key"
        self.exports: Final = Disk(
            folder / "exports", self.primary.cluster, megabytes=_MEGABYTES_OF_EXPORTS
        )
        self.programs: Final[dict[str, Program]] = {}
        self._common = {
            "SABOT_VAR": str(folder / "var"),
            "SECRET_KEY": secrets.token_urlsafe(50),
            "CELERY_BROKER_URL": broker.url,
            "CELERY_QUEUE": _QUEUE,
            "METRICS_FOLDER": str(folder / "metrics"),
            "SABOT_EXPORTS": str(folder / "exports"),
            "SABOT_EXPORT_KEY": str(self.export_key),
            "EMAIL_URL": "dummymail://",
            "LOG_FORMAT": "json",
            "DECISION_DELAY_HOURS": "0",
            "DEMO": "true",  # HTTP on the loopback, and signing keys in files
            "SANDBOX": "false",
            "WEBHOOKS_TO_LOOPBACK": "true",
            "OPERATOR_NAME": "Soak",
        }

    @property
    def addresses(self) -> list[str]:
        """The URLs of the web hosts."""
        return [f"http://127.0.0.1:{port}" for port in self.web_ports]

    def start_servers(self) -> None:
        """Starts PostgreSQL with its roles, and the replica."""
        for folder in ("log", "metrics", "keys", "exports"):
            (self.folder / folder).mkdir()
        self.exports.mount()
        self.primary.make()
        self.supervisor.start([self.primary.program])
        self.primary.wait()
        self.manage("migrate", "--verbosity=0")
        self.manage("grant_roles", "--verbosity=0")
        self.manage("grant_database_roles", "--make", "--verbosity=0")
        self.manage("put_rules_in_force", "--verbosity=0")
        self.manage("collectstatic", "--noinput", "--verbosity=0")
        self.primary.close_to_strangers([role_name(role) for role in ROLES])
        self.replica.as_replica_of(self.primary)
        self.supervisor.start([self.replica.program])
        self.replica.wait()

    def name_owner(self) -> None:
        """Lets this process, and the commands that it starts, connect as the owner."""
        os.environ.update(self._common, DATABASE_URL=self._url_of(ROLE))
        del os.environ["METRICS_FOLDER"]  # what we do is not measured

    def trust_first_keys(self, roots: str) -> None:
        """Names the first signing keys to every process."""
        self._common["SIGNING_KEY_ROOTS"] = os.environ["SIGNING_KEY_ROOTS"] = roots

    def environment_of(self, role: DatabaseRole, *, host: str, **further: str) -> Mapping[str, str]:
        """The variables of a process, with the role of its work and the clock of its host."""
        reports = {"DATABASE_REPLICA_URL": self._url_of(role_name(DatabaseRole.READER))}
        is_reporting = role in _READS_THE_REPLICA
        url = {"DATABASE_URL": self._url_of(role_name(role))}
        clock = self.clocks.environment_of(host)
        return {**self._common, **url, **(reports if is_reporting else {}), **clock, **further}

    def _url_of(self, role: str) -> str:
        """The URL of both servers: a program finds the one that it needs."""
        first, second = self.servers
        return first.url(role, other=second)

    def promote_replica(self) -> None:
        """The replica becomes the primary; the server that was it does not run."""
        self.replica.promote()
        self.primary, self.replica = self.replica, self.primary

    def manage(self, *arguments: str) -> None:
        """Runs a command as the owner of the tables."""
        command = [sys.executable, "manage.py", *arguments]
        subprocess.run(command, cwd=CLONE, env=os.environ, check=True)

    def start_programs(self) -> None:
        """Starts all processes, and waits until they do their work."""
        with_key = {"LOG_KEY_FILE": str(self.log_key)}
        programs = [
            *(self._web(number) for number in (0, 1)),
            *(self._worker(number, with_key) for number in (0, 1)),
            *(self._other_worker(name, role) for name, role in _OTHER_WORKERS.items()),
            self._program(
                "beat",
                (
                    *_CELERY,
                    "beat",
                    "--schedule",
                    str(self.folder / "beat"),
                    "--pidfile=",
                    "-l",
                    "INFO",
                ),
                DatabaseRole.WORKER,
                says="beat: Starting",
                host="worker-1",
            ),
            self._metrics(),
        ]
        self.programs.update({program.name: program for program in programs})
        self.supervisor.start(programs)
        if not wait_until(self.is_ready, seconds=_READY_SECONDS):
            waiting = [name for name, program in self.programs.items() if not program.is_ready()]
            raise TimeoutError(f"not ready within {_READY_SECONDS} seconds: {waiting}")

    def is_ready(self) -> bool:
        """Whether every process does its work."""
        return all(program.is_ready() for program in self.programs.values())

    def _web(self, number: int) -> Program:
        port, name = self.web_ports[number], f"web-{number + 1}"
        command = [sys.executable, "-m", *GUNICORN, "--workers", "2"]
        ready = f"http://127.0.0.1:{port}/readyz?exclude=broker"
        return Program(
            name,
            [*command, "--bind", f"127.0.0.1:{port}"],
            environment=self.environment_of(DatabaseRole.WEB, host=name),
            folder=self.folder / "log",
            is_ready=lambda: answers(ready),
        )

    def _worker(self, number: int, further: Mapping[str, str]) -> Program:
        name = f"worker-{number + 1}"
        options = ("--hostname", f"{name}@%h", "--concurrency", "2", "--loglevel", "INFO")
        command = (*_CELERY, "worker", *options)
        return self._program(
            name, command, DatabaseRole.WORKER, says=" ready.", host=name, **further
        )

    def _other_worker(self, name: str, role: DatabaseRole) -> Program:
        options = ("--hostname", f"{name}@%h", "--concurrency", "1", "--loglevel", "INFO")
        queue = ("--queues", queue_of(role, default=_QUEUE))
        command = (*_CELERY, "worker", *queue, *options)
        return self._program(name, command, role, says=" ready.", host=name)

    def _metrics(self) -> Program:
        port = str(self.metrics_port)
        command = (sys.executable, "manage.py", "serve_metrics", "--port", port)
        return Program(
            "metrics",
            command,
            environment=self.environment_of(DatabaseRole.READER, host="metrics"),
            folder=self.folder / "log",
            is_ready=lambda: answers(f"http://127.0.0.1:{port}/metrics"),
        )

    def _program(
        self,
        name: str,
        command: tuple[str, ...],
        role: DatabaseRole,
        *,
        says: str,
        host: str,
        **further: str,
    ) -> Program:
        return Program(
            name,
            command,
            environment=self.environment_of(role, host=host, **further),
            folder=self.folder / "log",
            says=says,
        )

    def stop(self) -> None:
        """Stops everything."""
        self.supervisor.stop()
        self._list_exports()
        self.exports.unmount()
        for server in self.servers:
            server.wal.unmount()

    def _list_exports(self) -> None:
        """What was on the disk of the exports, for whoever finds it full."""
        files = [path for path in (self.folder / "exports").rglob("*") if path.is_file()]
        lines = [f"{path.stat().st_size:>13,} {path.name}\n" for path in sorted(files)]
        (self.folder / "log" / "exports.txt").write_text("".join(lines))


def answers(address: str) -> bool:
    """Whether an address is answered with 2xx within seconds."""
    try:
        with urlopen(address, timeout=6):  # noqa: S310  our own
            return True
    except OSError:
        return False
