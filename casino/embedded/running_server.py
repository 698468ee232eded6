"""A running embedded server."""

import os
import signal
import subprocess
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from casino.embedded.process import end, is_alive
from casino.embedded.server_paths import ServerPaths

_STOP_SECONDS = 60


@dataclass(frozen=True)
class Running:
    """A server that accepts connections.

    `stop` ends it even if another process started it: check `started` first.
    """

    name: str
    url: str
    place: ServerPaths
    data: Path
    pid: int
    stop_signal: signal.Signals
    process: subprocess.Popen[bytes] | None

    @property
    def started(self) -> bool:
        """Whether the call that returned this started the server."""
        return self.process is not None

    def stop(self) -> None:
        """Stop the server and wait for its end; kill it after a minute."""
        with self.place.locked():
            if self.process is None or self.process.poll() is None:
                end_server(self.pid, self.stop_signal)
            if self.process is not None:
                self.process.wait()
            with suppress(OSError):  # not empty after a kill; the next start uses it again
                self.place.sockets.rmdir()

    def kill(self) -> None:
        """Kill the server, for tests of crashes."""
        os.kill(self.pid, signal.SIGKILL)
        if self.process is not None:
            self.process.wait()

    def has_ended(self) -> bool:
        """Whether the server has ended."""
        return self.process.poll() is not None if self.process else not is_alive(self.pid)


def end_server(pid: int, stop_signal: signal.Signals) -> None:
    """Stop a server; kill it after a minute."""
    if not end(pid, stop_signal, seconds=_STOP_SECONDS):
        end(pid, signal.SIGKILL, seconds=_STOP_SECONDS)
