"""Starting, finding and ending server processes. Without pid files: the socket has the owner."""

import ctypes
import os
import signal
import socket
import struct
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from casino.embedded.account import Account, identity_of
from casino.embedded.errors import CannotStart

_SET_PARENT_DEATH_SIGNAL = 1  # prctl(2), PR_SET_PDEATHSIG
_CREDENTIALS = struct.Struct("3i")  # unix(7), SO_PEERCRED: pid, uid, gid
_POLL_SECONDS = 0.02
_END_SECONDS = 60

_libc = ctypes.CDLL(None)


def end_with_parent(end_signal: signal.Signals) -> None:
    """Have the kernel send this process `end_signal` when the thread that started it ends."""
    _libc.prctl(_SET_PARENT_DEATH_SIGNAL, int(end_signal))


def spawn(
    command: Sequence[str | Path],
    *,
    log: Path,
    ends_with_us: signal.Signals | None,
    account: Account | None = None,
    env: Mapping[str, str] | None = None,
    pass_fds: Sequence[int] = (),
    cwd: Path = Path("/"),
) -> subprocess.Popen[bytes]:
    """Start a process in a session of its own, which the terminal's Ctrl-C does not reach.

    With `ends_with_us` the kernel sends it that signal when this process ends, however it ends. Its
    output is appended to `log`.
    """
    log.parent.mkdir(parents=True, exist_ok=True)
    us = os.getpid()

    def before_exec() -> None:
        if ends_with_us is not None:
            end_with_parent(ends_with_us)
            if os.getppid() != us:  # the parent ended before prctl
                os._exit(1)

    with log.open("ab") as output:
        return subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            env=env,
            cwd=cwd,
            pass_fds=pass_fds,
            start_new_session=True,
            preexec_fn=before_exec,  # noqa: PLW1509  must follow setuid, which clears the request
            **identity_of(account),
        )


@contextmanager
def ended_on_failure(
    process: subprocess.Popen[bytes], stop_signal: signal.Signals
) -> Iterator[None]:
    """End a process that was just started if the block raises."""
    try:
        yield
    except BaseException:
        process.send_signal(stop_signal)
        try:
            process.wait(timeout=_END_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        raise


def listener(path: Path) -> int | None:
    """The id of the process that listens on a Unix socket; None if there is none.

    Raises CannotStart if the process is in another container.
    """
    with socket.socket(socket.AF_UNIX) as client:
        client.settimeout(5)
        try:
            client.connect(str(path))
        except (FileNotFoundError, ConnectionRefusedError):
            return None
        credentials = client.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _CREDENTIALS.size)
    pid: int = _CREDENTIALS.unpack(credentials)[0]
    if pid == 0:
        raise CannotStart(f"A server in another container listens on {path}: stop it there.")
    return pid


def is_alive(pid: int) -> bool:
    """Whether a process runs; a zombie does not."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state not in {"Z", "X"}


def end(pid: int, end_signal: signal.Signals, *, seconds: float) -> bool:
    """Ask a process to end and wait for it; whether it has ended in time."""
    try:
        os.kill(pid, end_signal)
    except ProcessLookupError:
        return True
    return wait_until(lambda: not is_alive(pid), seconds=seconds)


def wait_until(condition: Callable[[], bool], *, seconds: float) -> bool:
    """Wait for a condition; whether it came true in time."""
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(_POLL_SECONDS)
    return True
