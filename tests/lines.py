"""A TCP proxy that a test can cut, freeze and restore."""

import socket
from collections.abc import Callable
from contextlib import suppress
from threading import Event, Thread
from typing import Final

_BLOCK: Final = 65536


class Line:
    """A proxy on a local port that forwards all connections to the server.

    The near end of a connection is the client's, the far end that of the server in `connect`.
    """

    def __init__(self, connect: Callable[[], socket.socket]) -> None:
        self._connect = connect
        self._near: list[socket.socket] = []
        self._far: list[socket.socket] = []
        self._carries, self._tells = Event(), Event()
        self._break_after: int | None = None
        self._carries.set()
        self._tells.set()
        self._listening = self._listen(0)
        self.port: Final[int] = self._listening.getsockname()[1]

    def cut(self) -> None:
        """Closes every connection and refuses new ones."""
        _shut(self._listening)
        _shut(*self._near, *self._far)

    def freeze(self) -> None:
        """Stops forwarding; connections stay open."""
        self._carries.clear()

    def lose(self) -> None:
        """Closes the near ends only; the server keeps its connections."""
        self._tells.clear()
        _shut(*self._near)

    def tell(self) -> None:
        """Closes the far ends of lost connections."""
        self._tells.set()

    def break_answer(self, octets: int) -> None:
        """Closes a connection once this many octets have been answered."""
        self._break_after = octets

    def mend(self) -> None:
        """Forwards again, on the same port."""
        self._carries.set()
        if self._listening.fileno() == -1:
            self._listening = self._listen(self.port)

    def close(self) -> None:
        """Stops the proxy."""
        self.cut()
        self._carries.set()
        self._tells.set()

    def _listen(self, port: int) -> socket.socket:
        listening = socket.create_server(("127.0.0.1", port), backlog=128)
        Thread(target=self._accept, args=(listening,), daemon=True).start()
        return listening

    def _accept(self, listening: socket.socket) -> None:
        with suppress(OSError):
            while True:
                near, _ = listening.accept()
                Thread(target=self._carry_all, args=(near,), daemon=True).start()

    def _carry_all(self, near: socket.socket) -> None:
        self._near.append(near)
        self._carries.wait()
        with suppress(OSError):
            far = self._connect()
            self._far.append(far)
            Thread(target=self._carry, args=(far, near), daemon=True).start()
            self._carry(near, far)
            self._tells.wait()
            _shut(far)
        _shut(near)

    def _carry(self, source: socket.socket, target: socket.socket) -> None:
        with suppress(OSError):
            while block := source.recv(_BLOCK):
                self._carries.wait()
                target.sendall(self._unbroken(block, target))
        if target in self._near:
            _shut(target)

    def _unbroken(self, block: bytes, target: socket.socket) -> bytes:
        if self._break_after is None or target not in self._near:
            return block
        self._break_after -= len(block)
        if self._break_after > 0:
            return block
        target.sendall(block[: len(block) + self._break_after])
        self._break_after = None
        raise OSError("broken")


def _shut(*ends: socket.socket) -> None:
    for end in ends:
        with suppress(OSError):
            end.shutdown(socket.SHUT_RDWR)
        end.close()
