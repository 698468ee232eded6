"""Sending by TLS to somebody who does not answer, and knowing that it has arrived.

What TCP has taken may be lost with a receiver that dies, and anybody on the way can forge TCP's
end. So the connection is closed as RFC 5425, section 4.4, demands: the sender's close_notify is
answered by the receiver's. That is part of TLS, and whoever sends it has read everything before.

``SSLSocket.unwrap`` does not say so: to OpenSSL an error that the receiver reports is an end, too.
Here the receiver's octets reach OpenSSL by hand, those of the end after close_notify was sent.
"""

import ssl
from collections.abc import Callable
from socket import socket
from typing import Final

_READ_AT_ONCE: Final = 1 << 14


class NotConfirmed(Exception):
    """The receiver has closed the connection without close_notify. It may have read everything."""


def send_confirmed(line: socket, context: ssl.SSLContext, *, host: str, octets: bytes) -> None:
    """Sends the octets; returns once the receiver has read all of them.

    Raises OSError, of which ssl.SSLError is one, or NotConfirmed.
    """
    tls = _Tls(line, context, host)
    tls.handshake()
    tls.send(octets)
    tls.close()


class _Tls:
    """A TLS connection whose octets pass through memory."""

    def __init__(self, line: socket, context: ssl.SSLContext, host: str) -> None:
        self._line, self._incoming, self._outgoing = line, ssl.MemoryBIO(), ssl.MemoryBIO()
        self._tls = context.wrap_bio(self._incoming, self._outgoing, server_hostname=host)

    def handshake(self) -> None:
        self._exchange(self._tls.do_handshake)

    def send(self, octets: bytes) -> None:
        self._tls.write(octets)
        self._flush()

    def close(self) -> None:
        """Says close_notify and waits for that of the receiver."""
        try:
            self._tls.unwrap()
        except ssl.SSLWantReadError:
            self._flush()
        else:
            raise NotConfirmed  # it had ended before
        try:
            self._exchange(lambda: self._tls.read(1))
        except ssl.SSLZeroReturnError:
            return
        except ssl.SSLEOFError as error:
            raise NotConfirmed from error
        raise NotConfirmed  # it said something else

    def _exchange(self, step: Callable[[], object]) -> None:
        """Takes a step of TLS with as many octets of the receiver as it needs."""
        while True:
            try:
                step()
            except ssl.SSLWantReadError:
                self._flush()
            except ssl.SSLError:
                self._flush()  # tells the receiver why
                raise
            else:
                self._flush()
                return
            piece = self._line.recv(_READ_AT_ONCE)
            if piece:
                self._incoming.write(piece)
            else:
                self._incoming.write_eof()

    def _flush(self) -> None:
        self._line.sendall(self._outgoing.read())
