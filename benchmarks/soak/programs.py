"""Processes supervised as by systemd: started again two seconds after they end."""

import os
import signal
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from threading import Event, Thread
from typing import Final

from casino.embedded.account import Account
from casino.embedded.process import is_alive, spawn
from casino.embedded.server_paths import CLONE
from tests.crash.supervised_casino import children_of

_RESTART_SECONDS: Final = 2.0
"""RestartSec of the units."""
_POLL_SECONDS: Final = 0.1
_END_SECONDS: Final = 90


class Program:
    """A process of the installation with its environment and its log."""

    def __init__(
        self,
        name: str,
        command: Sequence[str],
        *,
        environment: Mapping[str, str],
        folder: Path,
        is_ready: Callable[[], bool] = lambda: True,
        says: str = "",
        account: Account | None = None,
        stop_signal: signal.Signals = signal.SIGTERM,
    ) -> None:
        """``says`` is what it writes to its log once it does its work."""
        self.name: Final = name
        self.log: Final = folder / f"{name}.log"
        self._command, self._environment, self._is_ready = command, environment, is_ready
        self._says, self._account, self._stop_signal = says, account, stop_signal
        self._has_said = False
        self._process: subprocess.Popen[bytes] | None = None
        self._log_from = 0
        self._ended_at: float | None = None
        self._is_wanted = False
        self._killed: set[int] = set()
        self.ended_by_itself: list[float] = []
        """When it ended although nobody had killed or stopped it, in seconds since 1970."""

    @property
    def pid(self) -> int | None:
        """The id of the running process, which leads a group of its own."""
        process = self._process
        return process.pid if process is not None and process.poll() is None else None

    def start(self) -> None:
        """Starts it, and keeps it running from then on."""
        self._is_wanted, self._has_said = True, not self._says
        self._log_from = self.log.stat().st_size if self.log.exists() else 0
        self._process = spawn(
            self._command,
            log=self.log,
            ends_with_us=signal.SIGKILL,
            account=self._account,
            env={"PATH": os.environ["PATH"], **self._environment},
            cwd=CLONE if self._account is None else Path("/"),
        )
        self._ended_at = None

    def start_again(self) -> None:
        """Starts it after it was stopped."""
        self.wait_for_end()
        self.start()

    def is_ready(self) -> bool:
        """Whether it runs and does its work."""
        if self.pid is None:
            return False
        if not self._has_said:
            with self.log.open("rb") as file:
                file.seek(self._log_from)
                self._has_said = self._says.encode() in file.read()
        return self._has_said and self._is_ready()

    def supervise(self) -> None:
        """Starts it again two seconds after its end."""
        process = self._process
        if not self._is_wanted or process is None or process.poll() is None:
            return
        if self._ended_at is None:
            self._ended_at = time.monotonic()
            if process.pid not in self._killed:
                self.ended_by_itself.append(time.time())
            kill_group(process.pid)  # systemd ends what is left of a service
        elif time.monotonic() - self._ended_at > _RESTART_SECONDS:
            self.start()

    def kill(self) -> None:
        """Kills it with its children."""
        if self.pid is not None:
            self._killed.add(self.pid)
            kill_group(self.pid)

    def kill_child(self, number: int) -> None:
        """Kills one of its processes."""
        if children := children_of(self.pid):
            with suppress(ProcessLookupError):
                os.kill(children[number % len(children)], signal.SIGKILL)

    def stop(self) -> None:
        """Stops it as an operator does; it is not started again."""
        self._is_wanted = False
        if self.pid is not None and self._process is not None:
            self._killed.add(self.pid)
            self._process.send_signal(self._stop_signal)

    def wait_for_end(self) -> None:
        """Waits for its end, and kills it after a minute and a half."""
        if self._process is not None:
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(timeout=_END_SECONDS)
            kill_group(self._process.pid)
            self._process.wait()


class Supervisor:
    """Looks after all programs in a thread of its own."""

    def __init__(self) -> None:
        self.programs: list[Program] = []
        self._is_over = Event()
        self._thread = Thread(target=self._look, daemon=True)

    def start(self, programs: Sequence[Program]) -> None:
        """Starts the programs, and the supervision with the first of them."""
        for program in programs:
            program.start()
            self.programs.append(program)
        if not self._thread.is_alive():
            self._thread.start()

    def _look(self) -> None:
        while not self._is_over.wait(_POLL_SECONDS):
            for program in self.programs:
                program.supervise()

    def stop(self) -> None:
        """Stops all of them, the last one first."""
        for program in reversed(self.programs):
            program.stop()
            program.wait_for_end()
        self._is_over.set()  # last: what the thread started ends with it


def kill_group(pid: int) -> None:
    """Kills what is left of a process group."""
    with suppress(ProcessLookupError):
        os.killpg(pid, signal.SIGKILL)


def memory_kb(pid: int | None) -> int:
    """The anonymous memory of a process and its children, in kB; 0 without one.

    Pages that they share since a fork count for each of them: else memory would seem to grow while
    they become their own. Files, and the buffers of PostgreSQL, are not in it.
    """
    if pid is None or not is_alive(pid):
        return 0
    own = 0
    with suppress(OSError, IndexError, ValueError):
        rollup = Path(f"/proc/{pid}/smaps_rollup").read_text()
        own = int(rollup.split("\nAnonymous:")[1].split()[0])
    return own + sum(memory_kb(child) for child in children_of(pid))
