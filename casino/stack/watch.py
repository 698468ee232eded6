"""Watching over servers and programs: started in order, started again, stopped in reverse."""

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
from casino.embedded.places import CLONE, Place
from casino.embedded.process import spawn

LOGS: Final = CLONE / "var" / "log"
_STOP_SECONDS: Final = 60
_STEADY_SECONDS: Final = 60.0
_MOST_ENDS: Final = 3


class Watched(Protocol):
    """Something that has to run for as long as we do."""

    name: str

    @property
    def log(self) -> Path:
        """Where it says what it does."""

    def start(self) -> None:
        """Start it, again too; it may still be getting ready on return."""

    def has_ended(self) -> bool:
        """Whether it ended without being asked to."""

    def ask_to_end(self) -> None:
        """Let it finish what it does; returns at once where it can."""

    def wait_for_end(self) -> None:
        """Wait until it has ended; kill it when it takes more than a minute."""


class Program:
    """A process of ours. It inherits one open file if it is given its number.

    ``told`` are variables that are in its environment and in nobody else's.
    """

    def __init__(
        self,
        name: str,
        command: tuple[str, ...],
        inherited: int | None = None,
        *,
        told: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        self.name = name
        self._told = told
        self._command = command
        self._inherited = () if inherited is None else (inherited,)
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def pid(self) -> int | None:
        """The process that was started last, which leads a group of its own."""
        return None if self._process is None else self._process.pid

    @property
    def log(self) -> Path:
        """One file a program, added to."""
        return LOGS / f"{self.name}.log"

    def start(self) -> None:
        """Start it; the kernel asks it to end should we be killed."""
        self._process = spawn(
            self._command,
            log=self.log,
            ends_with_us=signal.SIGTERM,
            env={**os.environ, **self._told},
            pass_fds=self._inherited,
            cwd=CLONE,
        )

    def has_ended(self) -> bool:
        """Whether the process is gone."""
        return self._process is not None and self._process.poll() is not None

    def ask_to_end(self) -> None:
        """SIGTERM: a worker finishes its tasks, the web server its requests."""
        if self._process:
            self._process.terminate()

    def wait_for_end(self) -> None:
        """Up to a minute, then it is killed."""
        if self._process:
            try:
                self._process.wait(timeout=_STOP_SECONDS)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()


class Server:
    """An embedded server. One that ran before us is left running after us."""

    def __init__(self, name: str, place: Place, start: Callable[[Path], Running]) -> None:
        self.name = name
        self.place = place
        self._start = start
        self._running: Running | None = None

    @property
    def pid(self) -> int | None:
        """The process that was started or found last."""
        return None if self._running is None else self._running.pid

    @property
    def log(self) -> Path:
        """The server's own."""
        return self.place.log

    def start(self) -> None:
        """Start it, or find it running; returns when it answers."""
        self._running = self._start(self.place.data)

    def has_ended(self) -> bool:
        """Whether the server is gone."""
        return self._running is not None and self._running.has_ended()

    def ask_to_end(self) -> None:
        """Nothing yet: programs that are ending still need it."""

    def wait_for_end(self) -> None:
        """Stop it if we started it."""
        if self._running and self._running.started:
            self._running.stop()


class Watch:
    """Everything that runs beside us."""

    def __init__(self, say: Callable[[str], None], *, most_ends: int = _MOST_ENDS) -> None:
        self._say = say
        self._most_ends = most_ends
        self._watched: list[Watched] = []
        self._ends: Counter[str] = Counter()
        self._steady_since = time.monotonic()

    def start(self, watched: Watched) -> None:
        """Start one more and watch over it."""
        self._say(f"starting {watched.name}")
        self._watched.append(watched)
        watched.start()

    def look(self) -> None:
        """Start again what has ended.

        Raises CannotStart when the same one ends again and again within a minute.
        """
        for watched in self._watched:
            if watched.has_ended():
                self._count_end(watched)
                self._say(f"{watched.name} has ended, see {watched.log}; starting it again")
                watched.start()

    def close(self) -> None:
        """Stop everything, the last that was started first."""
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
            raise CannotStart(f"{watched.name} ends time and again: see {watched.log}")
