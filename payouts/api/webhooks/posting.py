"""One attempt to send something: a POST that is bounded in every way.

To the address that was looked at (``addresses``), without a proxy, with the host's certificate
checked, ten seconds in all, no redirect followed, and of the answer hardly more than its status.
"""

import socket
import ssl
from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from http import HTTPStatus
from http.client import HTTPConnection, HTTPException
from threading import Timer
from typing import Final, NamedTuple
from urllib.parse import SplitResult, urlsplit

from payouts.api.webhooks.addresses import Forbidden, addresses_of, port_of

WHOLE_SECONDS: Final = 10.0
"""So long an attempt takes at most, once the name was looked up."""
CONNECT_SECONDS: Final = 3.0
_LONGEST_ANSWER: Final = 16 << 10
_LONGEST_ERROR: Final = 300


class Outcome(NamedTuple):
    """What came of an attempt: the status of the answer, if any; in words why it was not taken."""

    status: int | None
    error: str = ""

    @property
    def is_taken(self) -> bool:
        """Whether the receiver said that it has it."""
        return not self.error


def post(url: str, body: bytes, headers: Mapping[str, str]) -> Outcome:
    """Sends a body; whatever goes wrong is an outcome, never an exception."""
    parts = urlsplit(url)
    try:
        addresses = addresses_of(parts.hostname or "", port_of(parts))
    except Forbidden as error:
        return Outcome(None, f"the host is at {error}, which is no public address")
    except (OSError, UnicodeError) as error:
        return _failed(f"the host was not found: {error}")
    return _send(_Line(parts, addresses), parts, body, headers)


class _Line(HTTPConnection):
    """A connection to one of the addresses that were looked at, and to no other."""

    def __init__(self, parts: SplitResult, addresses: list[str]) -> None:
        super().__init__(parts.hostname or "", port_of(parts), timeout=WHOLE_SECONDS)
        self._is_tls, self._addresses = parts.scheme == "https", addresses
        self.is_cut = False

    def connect(self) -> None:
        """Tries the addresses in their order."""
        failure = OSError("no address")
        for address in self._addresses:
            if self.is_cut:
                raise TimeoutError
            try:
                self.sock = socket.create_connection((address, self.port), CONNECT_SECONDS)
            except OSError as error:
                failure = error
            else:
                self._begin()
                return
        raise failure

    def _begin(self) -> None:
        self.sock.settimeout(WHOLE_SECONDS)
        if self._is_tls:
            # The handshake begins when ``cut`` can reach the socket.
            self.sock = _trust().wrap_socket(
                self.sock, server_hostname=self.host, do_handshake_on_connect=False
            )
            self.sock.do_handshake()

    def cut(self) -> None:
        """Ends whatever is under way. A receiver that sends a byte a second is not waited for."""
        self.is_cut = True
        if self.sock is not None:
            with suppress(OSError):  # it may have ended by itself
                socket.socket.shutdown(self.sock, socket.SHUT_RDWR)


def _send(line: _Line, parts: SplitResult, body: bytes, headers: Mapping[str, str]) -> Outcome:
    watch = Timer(WHOLE_SECONDS, line.cut)
    watch.daemon = True
    watch.start()
    try:
        path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        line.request("POST", path, body, dict(headers))
        answer = line.getresponse()
        with suppress(OSError, HTTPException):
            answer.read(_LONGEST_ANSWER)  # so that a short answer is not cut off in its middle
    except (OSError, HTTPException, ValueError) as error:
        if line.is_cut or isinstance(error, TimeoutError):
            return _failed(f"no answer within {WHOLE_SECONDS:.0f} seconds")
        return _failed(f"{type(error).__name__}: {error}")
    finally:
        watch.cancel()
        line.close()
    return _told(answer.status)


def _told(status: int) -> Outcome:
    if HTTPStatus.OK <= status < HTTPStatus.MULTIPLE_CHOICES:
        return Outcome(status)
    if HTTPStatus.MULTIPLE_CHOICES <= status < HTTPStatus.BAD_REQUEST:
        return Outcome(status, f"answered {status}; redirects are not followed")
    return Outcome(status, f"answered {status}")


def _failed(words: str) -> Outcome:
    return Outcome(
        None, "".join(one if one.isprintable() else " " for one in words)[:_LONGEST_ERROR]
    )


@cache
def _trust() -> ssl.SSLContext:
    """The certificates that the machine trusts; read once a process."""
    return ssl.create_default_context()
