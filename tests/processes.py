"""Processes for tests: Celery workers and the project's commands."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final
from uuid import uuid4

from casino.embedded.process import ended_on_failure, spawn
from casino.embedded.server_paths import CLONE
from casino.workers.queues import queue_of
from compliance.storage.database_roles.role import DatabaseRole
from tests.databases import url_as

_PATIENCE_SECONDS: Final = 300
_POLL_SECONDS: Final = 0.05


class Worker:
    """A Celery worker with its beat in a process group, as `make run` starts it.

    It connects as a role of its own and does the tasks of this role.
    """

    def __init__(
        self,
        *,
        environment: Mapping[str, str],
        folder: Path,
        role: DatabaseRole = DatabaseRole.WORKER,
        code: Path = CLONE,
    ) -> None:
        """``code`` is the folder of the release that it runs."""
        self._environment = environment_of(role, {**os.environ, **environment})
        self._role, self._code = role, code
        self._folder = folder
        self._name = uuid4().hex[:12]  # no two workers on one broker may have the same
        self._process: subprocess.Popen[bytes] | None = None
        self._twins: list[Worker] = []

    @property
    def log(self) -> Path:
        """The path of its log."""
        return self._folder / "worker.log"

    def twin(self) -> "Worker":
        """Another worker on the same database and broker, not started yet."""
        folder = self._folder / "twin"
        folder.mkdir()
        twin = Worker(
            environment=self._environment, folder=folder, role=self._role, code=self._code
        )
        self._twins.append(twin)
        return self._twins[-1]

    def start(self) -> None:
        """Starts it, without waiting for it."""
        command = [sys.executable, "-m", "celery", "-A", "casino", "worker", "-c", "2", "-B"]
        command += ["-s", str(self._folder / "beat"), "--loglevel", "WARNING"]
        command += ["--hostname", f"{self._name}@%h"]
        if self._role is not DatabaseRole.WORKER:
            default = self._environment.get("CELERY_QUEUE", "sabot")
            command += ["--queues", queue_of(self._role, default=default)]
        self._process = spawn(
            command,
            log=self.log,
            ends_with_us=signal.SIGKILL,
            env=self._environment,
            cwd=self._code,
        )

    def kill(self) -> None:
        """Kills it with its children."""
        self._end(signal.SIGKILL)

    def stop(self) -> None:
        """Stops it and its twins after their current tasks."""
        for twin in self._twins:
            twin.stop()
        self._end(signal.SIGTERM)

    def _end(self, how: signal.Signals) -> None:
        if self._process is None:
            return
        if how == signal.SIGKILL:
            os.killpg(self._process.pid, how)
        else:
            self._process.send_signal(how)
        process, self._process = self._process, None
        with ended_on_failure(process, signal.SIGKILL):
            process.wait(timeout=_PATIENCE_SECONDS)


def environment_of(role: DatabaseRole, environment: Mapping[str, str]) -> dict[str, str]:
    """The variables of a process that connects as a role."""
    return {**environment, "DATABASE_URL": url_as(role, environment["DATABASE_URL"])}


def manage(*arguments: str, role: DatabaseRole) -> subprocess.Popen[bytes]:
    """Starts a command on the database of the test."""
    return subprocess.Popen(
        [sys.executable, "manage.py", *arguments],
        cwd=CLONE,
        env=environment_of(role, os.environ),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


def ingest(feed: Path) -> "subprocess.CompletedProcess[str]":
    """Runs `manage.py ingest` on a feed."""
    return subprocess.run(
        [sys.executable, "manage.py", "ingest", str(feed)],
        cwd=CLONE,
        env=environment_of(DatabaseRole.FEED, os.environ),
        timeout=_PATIENCE_SECONDS,
        capture_output=True,
        text=True,
        check=False,
    )


def wait_until(condition: Callable[[], bool], *, what: str) -> None:
    """Waits for a condition; fails with what was waited for after five minutes."""
    deadline = time.monotonic() + _PATIENCE_SECONDS
    while not condition():
        if time.monotonic() > deadline:
            raise AssertionError(f"still not true after {_PATIENCE_SECONDS} seconds: {what}")
        time.sleep(_POLL_SECONDS)
