"""A single POST to a webhook, bounded in every way.

It goes to the address that was checked (``webhook_addresses``), without a proxy, with the host's
certificate verified, within ten seconds; it follows no redirect and reads 16 KiB of the response.
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

from casino.integrations.webhook_addresses import ForbiddenAddress, addresses_of, port_of

WHOLE_SECONDS: Final = 10.0
"""The longest time of an attempt, after the host name was resolved."""
CONNECT_SECONDS: Final = 3.0
_LONGEST_ANSWER: Final = 16 << 10
_LONGEST_ERROR: Final = 300


class Outcome(NamedTuple):
    """The outcome of an attempt: the response's status, if any, and why it failed."""

    status: int | None
    error: str = ""

    @property
    def is_accepted(self) -> bool:
        """Whether the receiver accepted the event."""
        return not self.error


def post(url: str, body: bytes, headers: Mapping[str, str]) -> Outcome:
    """Sends a body. Every failure is an outcome, never an exception."""
    parts = urlsplit(url)
    try:
        addresses = addresses_of(parts.hostname or "", port_of(parts))
    except ForbiddenAddress as error:
        return Outcome(None, f"the host is at {error}, which is no public address")
    except (OSError, UnicodeError) as error:
        return _failed(f"the host was not found: {error}")
    return _send(_CheckedConnection(parts, addresses), parts, body, headers)


class _CheckedConnection(HTTPConnection):
    """A connection to one of the addresses that were checked."""

    def __init__(self, parts: SplitResult, addresses: list[str]) -> None:
        super().__init__(parts.hostname or "", port_of(parts), timeout=WHOLE_SECONDS)
        self._is_tls, self._addresses = parts.scheme == "https", addresses
        self.is_cut = False

    def connect(self) -> None:
        """Connects to the first address that responds."""
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
        """Ends the attempt at the time limit, in any phase."""
        self.is_cut = True
        if self.sock is not None:
            with suppress(OSError):  # it may have ended by itself
                socket.socket.shutdown(self.sock, socket.SHUT_RDWR)


def _send(
    line: _CheckedConnection, parts: SplitResult, body: bytes, headers: Mapping[str, str]
) -> Outcome:
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
    return _outcome(answer.status)


def _outcome(status: int) -> Outcome:
    if HTTPStatus.OK <= status < HTTPStatus.MULTIPLE_CHOICES:
        return Outcome(status)
    if HTTPStatus.MULTIPLE_CHOICES <= status < HTTPStatus.BAD_REQUEST:
        return Outcome(status, f"answered {status}; redirects are not followed")
    return Outcome(status, f"answered {status}")


def _failed(words: str) -> Outcome:
    return Outcome(
        None,
        "".join(character if character.isprintable() else " " for character in words)[
            :_LONGEST_ERROR
        ],
    )


@cache
def _trust() -> ssl.SSLContext:
    """The certificates that the machine trusts; read once a process."""
    return ssl.create_default_context()
