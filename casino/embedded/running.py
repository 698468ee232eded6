"""A server that runs."""

import os
import signal
import subprocess
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from casino.embedded.places import Place
from casino.embedded.process import end, is_alive

_STOP_SECONDS = 60


@dataclass(frozen=True)
class Running:
    """A server that answers on its socket.

    `started` tells whether it was started by the call that returned it, or found running. `stop`
    ends it in either case, so ask `started` first where another starter may still need it.
    """

    name: str
    url: str
    place: Place
    data: Path
    pid: int
    stop_signal: signal.Signals
    process: subprocess.Popen[bytes] | None

    @property
    def started(self) -> bool:
        """Whether the call that returned this started the server."""
        return self.process is not None

    def stop(self) -> None:
        """End the server cleanly and wait until it is gone; kill it if it takes over a minute."""
        with self.place.locked():
            if self.process is None or self.process.poll() is None:
                end_server(self.pid, self.stop_signal)
            if self.process is not None:
                self.process.wait()
            with suppress(OSError):  # not empty after a kill; the next start uses it again
                self.place.sockets.rmdir()

    def kill(self) -> None:
        """End the server as a power cut would: for tests of what survives one."""
        os.kill(self.pid, signal.SIGKILL)
        if self.process is not None:
            self.process.wait()

    def has_ended(self) -> bool:
        """Whether the server is gone, expected or not."""
        return self.process.poll() is not None if self.process else not is_alive(self.pid)


def end_server(pid: int, stop_signal: signal.Signals) -> None:
    """Ask a server to end; kill it when it has not within a minute."""
    if not end(pid, stop_signal, seconds=_STOP_SECONDS):
        end(pid, signal.SIGKILL, seconds=_STOP_SECONDS)
