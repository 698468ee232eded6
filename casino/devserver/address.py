"""The address of this clone: its port, and the file that announces it."""

import fcntl
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from casino.embedded import CannotStart

_PORTS: Final = 100
_BACKLOG: Final = 128


@contextmanager
def announced_in(path: Path) -> Iterator[Callable[[str], None]]:
    """Lock the clone against a second run; yields the function that announces the address.

    Raises CannotStart, with the address, if this clone runs already.
    """
    path.parent.mkdir(exist_ok=True)
    with path.open("a+") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            file.seek(0)
            where = file.read() or "it is starting"
            raise CannotStart(f"this clone runs already: {where}") from None
        file.truncate(0)

        def announce(url: str) -> None:
            file.write(url)
            file.flush()

        yield announce
        file.truncate(0)


def listen_on_free_port(first: int, *, say: Callable[[str], None]) -> socket.socket:
    """A loopback socket that listens on the first free port from `first` on.

    Raises CannotStart if a hundred ports in a row are taken.
    """
    for port in range(first, first + _PORTS):
        listening = socket.socket()
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listening.bind(("127.0.0.1", port))
            listening.listen(_BACKLOG)
        except OSError:
            listening.close()
            say(f"port {port} is taken, trying the next")
        else:
            return listening
    raise CannotStart(f"no port is free from {first} to {first + _PORTS - 1}")
