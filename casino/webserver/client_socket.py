"""A non-blocking client socket with buffers for input and output."""

import os
import select
import socket
from collections import deque
from collections.abc import Callable, Mapping
from typing import Any, Final

MOST_UNSENT: Final = 8 << 20
"""Bytes that are buffered for a client that does not read; beyond that the writer blocks."""
READ_SECONDS: Final = 15.0
"""How long a thread waits for more of a body, which it reads for authenticated clients only."""
SEND_SECONDS: Final = 30.0
"""How long a thread waits for a client to read."""
_PIECE: Final = 1 << 18


class FilePart:
    """A part of a file that is to be sent, with its own file descriptor."""

    def __init__(self, number: int, offset: int, left: int) -> None:
        self._number, self._offset, self._left = os.dup(number), offset, left

    def send_to(self, number: int) -> bool:
        """Sends the rest. Raises BlockingIOError if the client does not read."""
        while self._left:
            sent = os.sendfile(number, self._number, self._offset, min(self._left, _PIECE))
            if not sent:  # the client notices by the announced length
                raise ConnectionAbortedError("the file has become shorter")
            self._offset, self._left = self._offset + sent, self._left - sent
        self.close()
        return True

    def close(self) -> None:
        """Closes the file."""
        if self._number >= 0:
            os.close(self._number)
            self._number = -1


class Octets:
    """Bytes that are to be sent."""

    def __init__(self, content: bytes) -> None:
        self._left = memoryview(content)

    def send_to(self, number: int) -> bool:
        """Sends the rest. Raises BlockingIOError if the client does not read."""
        while self._left:
            self._left = self._left[os.write(number, self._left) :]
        return True

    def close(self) -> None:
        """Does nothing."""


class ClientSocket(socket.socket):
    """A socket whose reads and writes do not block, within the limits of its buffers."""

    def __init__(self, accepted: socket.socket) -> None:
        family, kind, protocol = accepted.family, accepted.type, accepted.proto
        super().__init__(family, kind, protocol, fileno=accepted.detach())
        self.arrived = bytearray()
        """Received bytes that were not read yet."""
        self.head_from = 0
        """The index from which the end of the head is searched."""
        self.take_over: Callable[[socket.socket], None] | None = None
        """Gets the connection once the head of the response is sent."""
        self._unsent: deque[FilePart | Octets] = deque()
        self._kept = 0

    @property
    def has_unsent(self) -> bool:
        """Whether there is unsent output."""
        return bool(self._unsent)

    def take_in(self) -> bool:
        """Reads available input without blocking; returns False at the end of input."""
        try:
            piece = super().recv(_PIECE)
        except (BlockingIOError, InterruptedError):
            return True
        self.arrived += piece
        return bool(piece)

    def setblocking(self, flag: bool) -> None:  # noqa: FBT001  the socket's own
        """Sets a timeout of READ_SECONDS in the place of blocking without a limit."""
        self.settimeout(READ_SECONDS if flag else 0.0)

    def recv(self, size: int, flags: int = 0) -> bytes:
        """Returns buffered input first, then reads."""
        if not self.arrived:
            return super().recv(size, flags)
        piece = bytes(self.arrived[:size])
        del self.arrived[:size]
        return piece

    def sendall(self, data: Any, flags: int = 0) -> None:
        """Sends without blocking, and buffers the rest for ``flush``."""
        content = bytes(data)
        self._unsent.append(Octets(content))
        self._kept += len(content)
        if not self.flush() and self._kept > MOST_UNSENT:
            self._wait_for_room()

    def sendfile(self, file: Any, offset: int = 0, count: int | None = None) -> int:
        """Sends a file without blocking; nothing of it is kept in memory."""
        left = os.fstat(file.fileno()).st_size - offset if count is None else count
        self._unsent.append(FilePart(file.fileno(), offset, left))
        self.flush()
        return left

    def flush(self) -> bool:
        """Sends buffered output without blocking; returns whether none is left."""
        try:
            while self._unsent:
                self._unsent[0].send_to(self.fileno())
                self._unsent.popleft()
        except (BlockingIOError, InterruptedError):
            return False
        self._kept = 0
        return True

    def close(self) -> None:
        """Closes the socket and the files that were to be sent."""
        while self._unsent:
            self._unsent.popleft().close()
        super().close()

    def _wait_for_room(self) -> None:
        while not self.flush():
            ready = select.poll()
            ready.register(self.fileno(), select.POLLOUT)
            if not ready.poll(SEND_SECONDS * 1000):
                raise ConnectionAbortedError("the client does not read")


def can_be_handed_over(environ: Mapping[str, Any]) -> bool:
    """Whether a WSGI request's connection can leave its worker: not one that gunicorn encrypts."""
    return isinstance(environ.get("gunicorn.socket"), ClientSocket)
