"""A private Valkey: the broker of development, tests and the demo."""

import os
import signal
import socket
import subprocess
from pathlib import Path

from casino.embedded.account import Account, owner_of, require_own
from casino.embedded.addresses import broker_url, valkey_socket
from casino.embedded.errors import CannotStart, last_lines
from casino.embedded.process import ended_on_failure, listener, spawn, wait_until
from casino.embedded.programs import find_valkey
from casino.embedded.running_server import Running
from casino.embedded.server_paths import ServerPaths

_READY_SECONDS = 60  # a long append-only file is read first


def start_valkey(data_dir: Path, *, detached: bool = False) -> Running:
    """Start the server with the append-only file in `data_dir`, or find it running.

    It listens on a Unix socket only, for its owner and root. With `detached` it survives this
    process; else the kernel stops it when the process ends. Concurrent callers get the same server.

    Raises CannotStart: no program, data of another user, or a failed start.
    """
    place = ServerPaths(data_dir)
    with place.locked():
        if _is_up(place) and (running := find_running_valkey(data_dir)):
            return running
        process = _start(place, ends_with_us=None if detached else signal.SIGTERM)
        return _running(place, process.pid, process)


def find_running_valkey(data_dir: Path) -> Running | None:
    """The running server of a data folder; None if it does not run."""
    place = ServerPaths(data_dir)
    pid = listener(valkey_socket(place))
    return None if pid is None else _running(place, pid, None)


def _running(place: ServerPaths, pid: int, process: subprocess.Popen[bytes] | None) -> Running:
    return Running(
        name="Valkey",
        url=broker_url(place),
        place=place,
        data=place.data,
        pid=pid,
        stop_signal=signal.SIGTERM,
        process=process,
    )


def _is_up(place: ServerPaths) -> bool:
    """Whether the server responds; waits for one that is loading or stopping."""
    if not wait_until(
        lambda: _answers(place) or listener(valkey_socket(place)) is None, seconds=_READY_SECONDS
    ):
        raise _failure(place, f"neither starts nor stops within {_READY_SECONDS} seconds")
    return _answers(place)


def _start(place: ServerPaths, *, ends_with_us: signal.Signals | None) -> subprocess.Popen[bytes]:
    account = _account_for(place)
    place.make_sockets(account)
    process = spawn(
        [find_valkey(), *_settings(place)],
        log=place.log,
        ends_with_us=ends_with_us,
        account=account,
        env={"PATH": os.defpath, "LC_ALL": "C", "TZ": "UTC"},
    )
    with ended_on_failure(process, signal.SIGTERM):
        wait_until(lambda: process.poll() is not None or _answers(place), seconds=_READY_SECONDS)
        if process.poll() is not None or not _answers(place):
            raise _failure(place, "did not start")
        return process


def _account_for(place: ServerPaths) -> Account | None:
    """The account that runs the server; creates the data folder."""
    account = owner_of(place.data) if os.geteuid() == 0 else None
    if os.geteuid() != 0:
        require_own(place.data)
    place.data.mkdir(mode=0o700, exist_ok=True)
    return account


def _settings(place: ServerPaths) -> list[str | Path]:
    return [
        *("--port", "0", "--unixsocket", valkey_socket(place), "--unixsocketperm", "700"),
        *("--dir", place.data, "--appendonly", "yes", "--appendfsync", "everysec", "--save", ""),
        *("--maxmemory-policy", "noeviction"),  # a full broker rejects messages and drops none
    ]


def _answers(place: ServerPaths) -> bool:
    """Whether the server takes commands; while it loads its file it answers with an error."""
    with socket.socket(socket.AF_UNIX) as client:
        client.settimeout(5)
        try:
            client.connect(str(valkey_socket(place)))
            client.sendall(b"PING\r\n")
            return client.recv(64).startswith(b"+PONG")
        except OSError:
            return False


def _failure(place: ServerPaths, what: str) -> CannotStart:
    return CannotStart(
        f"Valkey of {place.data} {what}. The end of {place.log}:{last_lines(place.log)}"
    )
