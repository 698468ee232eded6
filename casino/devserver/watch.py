"""Supervision of servers and programs: started in order, restarted, stopped in reverse."""

import os
import signal
import subprocess
import time
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Final, Protocol

from casino.embedded import CannotStart, Running
from casino.embedded.process import spawn
from casino.embedded.server_paths import CLONE, ServerPaths

LOGS: Final = CLONE / "var" / "log"
_STOP_SECONDS: Final = 60
_STEADY_SECONDS: Final = 60.0
_MOST_ENDS: Final = 3


class Watched(Protocol):
    """A server or program that has to run as long as this process."""

    name: str

    @property
    def log(self) -> Path:
        """The path of its log."""

    def start(self) -> None:
        """Start or restart it; it may not be ready on return."""

    def has_ended(self) -> bool:
        """Whether it ended unexpectedly."""

    def ask_to_end(self) -> None:
        """Ask it to finish and end; returns at once."""

    def wait_for_end(self) -> None:
        """Wait for its end; kill it after a minute."""


class Program:
    """A process, which may inherit one open file descriptor.

    ``environment`` are variables that are added to those of this process.
    """

    def __init__(
        self,
        name: str,
        command: tuple[str, ...],
        inherited: int | None = None,
        *,
        environment: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        self.name = name
        self._environment = environment
        self._command = command
        self._inherited = () if inherited is None else (inherited,)
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def pid(self) -> int | None:
        """The id of the process, which leads a group of its own."""
        return None if self._process is None else self._process.pid

    @property
    def log(self) -> Path:
        """The path of the log, one for each program, appended to."""
        return LOGS / f"{self.name}.log"

    def start(self) -> None:
        """Start the process; the kernel sends it SIGTERM if this process is killed."""
        self._process = spawn(
            self._command,
            log=self.log,
            ends_with_us=signal.SIGTERM,
            env={**os.environ, **self._environment},
            pass_fds=self._inherited,
            cwd=CLONE,
        )

    def has_ended(self) -> bool:
        """Whether the process has ended."""
        return self._process is not None and self._process.poll() is not None

    def ask_to_end(self) -> None:
        """Send SIGTERM: a worker finishes its tasks, the web server its requests."""
        if self._process:
            self._process.terminate()

    def wait_for_end(self) -> None:
        """Wait up to a minute, then kill the process."""
        if self._process:
            try:
                self._process.wait(timeout=_STOP_SECONDS)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()


class Server:
    """An embedded server. One that was running already is not stopped."""

    def __init__(self, name: str, place: ServerPaths, start: Callable[[Path], Running]) -> None:
        self.name = name
        self.place = place
        self._start = start
        self._running: Running | None = None

    @property
    def pid(self) -> int | None:
        """The id of the server's process."""
        return None if self._running is None else self._running.pid

    @property
    def log(self) -> Path:
        """The path of the server's log."""
        return self.place.log

    def start(self) -> None:
        """Start the server or find it running; returns when it is ready."""
        self._running = self._start(self.place.data)

    def has_ended(self) -> bool:
        """Whether the server has ended."""
        return self._running is not None and self._running.has_ended()

    def ask_to_end(self) -> None:
        """Do nothing: programs that are ending still need the server."""

    def wait_for_end(self) -> None:
        """Stop the server if this process started it."""
        if self._running and self._running.started:
            self._running.stop()


class Watch:
    """The supervisor of all servers and programs."""

    def __init__(self, say: Callable[[str], None], *, most_ends: int = _MOST_ENDS) -> None:
        self._say = say
        self._most_ends = most_ends
        self._watched: list[Watched] = []
        self._ends: Counter[str] = Counter()
        self._steady_since = time.monotonic()

    def start(self, watched: Watched) -> None:
        """Start a server or program and supervise it."""
        self._say(f"starting {watched.name}")
        self._watched.append(watched)
        watched.start()

    def look(self) -> None:
        """Restart what has ended.

        Raises CannotStart if the same one ends more than three times within a minute.
        """
        for watched in self._watched:
            if watched.has_ended():
                self._count_end(watched)
                self._say(f"{watched.name} ended, see {watched.log}; restarting it")
                watched.start()

    def close(self) -> None:
        """Stop everything, in reverse order."""
        self._say("stopping")
        for watched in reversed(self._watched):
            watched.ask_to_end()
        for watched in reversed(self._watched):
            watched.wait_for_end()

    def _count_end(self, watched: Watched) -> None:
        if time.monotonic() - self._steady_since > _STEADY_SECONDS:
            self._ends.clear()
            self._steady_since = time.monotonic()
        self._ends[watched.name] += 1
        if self._ends[watched.name] > self._most_ends:
            raise CannotStart(f"{watched.name} keeps ending: see {watched.log}")
