"""How much of a request must have arrived before a thread handles it."""

import re
from enum import Enum
from typing import Final

from casino.webserver.client_socket import ClientSocket

MOST_HEAD: Final = 1 << 16
"""The largest request line with all headers, in bytes."""
MOST_WAITED_FOR: Final = (1 << 16) + (1 << 12)
"""The largest body, in bytes, that must have arrived as a whole: what a visitor may send, and more.

A longer body is read by the application, for authenticated clients only.
"""
_END: Final = b"\r\n\r\n"
_LENGTH: Final = re.compile(rb"\r\ncontent-length:[ \t]*(\d{1,9})[ \t]*\r\n", re.IGNORECASE)
_EXPECT: Final = re.compile(rb"\r\nexpect:[ \t]*100-continue[ \t]*(?=\r\n)", re.IGNORECASE)


class Arrival(Enum):
    """The state of an arriving request."""

    INCOMPLETE = "incomplete"
    READY = "ready"
    TOO_LARGE = "too large"


def arrival_of(client: ClientSocket) -> Arrival:
    """The state of the request that a client is sending."""
    arrived = client.arrived
    end = arrived.find(_END, client.head_from)
    if end < 0:
        client.head_from = max(len(arrived) - len(_END), 0)
        return Arrival.TOO_LARGE if len(arrived) > MOST_HEAD else Arrival.INCOMPLETE
    header = _LENGTH.search(arrived, 0, end + len(_END))
    length = 0 if header is None else int(header[1])
    if length <= MOST_WAITED_FOR and len(arrived) < end + len(_END) + length:
        client.head_from = _send_continue(client, end)
        return Arrival.INCOMPLETE
    client.head_from = 0
    return Arrival.READY


def _send_continue(client: ClientSocket, end: int) -> int:
    """Answers an expectation of 100 Continue (RFC 9110, 10.1.1); returns the end of the head."""
    expected = _EXPECT.search(client.arrived, 0, end + len(_END))
    if expected is None:
        return end
    client.sendall(b"HTTP/1.1 100 Continue\r\n\r\n")
    del client.arrived[expected.start() : expected.end()]
    return end - (expected.end() - expected.start())
