"""A casino whose processes may be killed, supervised as by `make run`."""

import os
import signal
import subprocess
import sys
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Final

from casino.devserver.programs import settling_programs
from casino.devserver.watch import Program, Server, Watch
from casino.embedded import start_postgres, start_valkey
from casino.embedded.addresses import broker_url, database_url
from casino.embedded.process import is_alive
from casino.embedded.server_paths import CLONE, ServerPaths
from compliance.storage.database_roles.role import DatabaseRole
from tests.databases import url_as
from tests.processes import wait_until

_HOWEVER_OFTEN: Final = 10**6
_LAST_LINES: Final = 60


class SupervisedCasino:
    """A durable PostgreSQL, a Valkey, a worker and a beat, restarted when they end."""

    def __init__(self, folder: Path) -> None:
        postgres, valkey = ServerPaths(folder / "postgres"), ServerPaths(folder / "valkey")
        self.database_url: Final = database_url(postgres)
        self.broker_url: Final = broker_url(valkey)
        self.postgres = Server("PostgreSQL", postgres, partial(start_postgres, durable=True))
        self.broker = Server("Valkey", valkey, start_valkey)
        self.log_key: Final = folder / "log.pem"
        self.worker, self.beat = settling_programs(
            schedule=folder / "celerybeat",
            log_key=self.log_key,
            environment={"DATABASE_URL": url_as(DatabaseRole.WORKER, self.database_url)},
        )
        self._watch = Watch(lambda _what: None, most_ends=_HOWEVER_OFTEN)
        self._killed: set[int] = set()
        self.ended_by_themselves: list[str] = []
        """Programs that ended although nobody had killed them, with what they said last."""

    def start(self) -> None:
        """Starts everything on a migrated database with its roles."""
        self._watch.start(self.postgres)
        self._watch.start(self.broker)
        for command in (("migrate",), ("grant_database_roles", "--make")):
            manage = [sys.executable, "manage.py", *command, "--verbosity=0"]
            subprocess.run(manage, cwd=CLONE, check=True)
        self._watch.start(self.worker)
        self._watch.start(self.beat)

    def restart_ended(self) -> None:
        """Restarts the processes that have ended."""
        for program in (self.worker, self.beat):
            if program.has_ended() and program.pid not in self._killed:
                self.ended_by_themselves.append(f"{program.name}:\n{last_lines(program.log)}")
        self._watch.look()

    def kill_program(self, program: Program, *, with_its_own: bool) -> bool:
        """Kills a program, optionally with its children; returns whether it was running."""
        if program.pid is None or program.has_ended():
            return False
        self._killed.add(program.pid)
        if with_its_own:
            os.killpg(program.pid, signal.SIGKILL)
        else:
            os.kill(program.pid, signal.SIGKILL)
        return True

    def stop_programs(self) -> None:
        """Stops worker and beat as an operator does, and waits for their end."""
        for program in (self.worker, self.beat):
            program.ask_to_end()
        for program in (self.worker, self.beat):
            program.wait_for_end()

    def wait_for_orphans(self) -> None:
        """Waits until no process of a killed program remains."""
        wait_until(
            lambda: self._killed.isdisjoint(_groups_alive()), what="what was orphaned has ended"
        )

    def stop(self) -> None:
        """Kills all processes, in any state."""
        for program in (self.worker, self.beat):
            self.kill_program(program, with_its_own=True)
        self._watch.close()


def last_lines(log: Path) -> str:
    """The end of a program's log."""
    return "\n".join(log.read_text(errors="replace").splitlines()[-_LAST_LINES:])


def kill(pid: int | None) -> bool:
    """Kills one process; returns whether it was running."""
    if pid is None or not is_alive(pid):
        return False
    os.kill(pid, signal.SIGKILL)
    return True


def kill_with_children(pid: int | None) -> bool:
    """Kills a server and its children; it is stopped first so that it starts no new ones."""
    if pid is None or not is_alive(pid):
        return False
    os.kill(pid, signal.SIGSTOP)
    for child in (*children_of(pid), pid):
        kill(child)
    return True


def children_of(pid: int | None) -> list[int]:
    """The running children of a process."""
    pids: list[int] = []
    with suppress(FileNotFoundError, ProcessLookupError):
        for thread in Path(f"/proc/{pid}/task").iterdir():
            pids += map(int, (thread / "children").read_text().split())
    return sorted(pids)


def _groups_alive() -> set[int]:
    """The process groups with a running process."""
    pids = set()
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(FileNotFoundError, ProcessLookupError):
            state, _, group = (process / "stat").read_text().rpartition(")")[2].split()[:3]
            if state not in {"Z", "X"}:
                pids.add(int(group))
    return pids
