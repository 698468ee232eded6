"""Events by syslog over TLS: RFC 5424 messages with the octet counts of RFC 5425.

Syslog has no answers, so each batch has a connection of its own, whose end is the answer
(``confirmed_send``).
"""

import re
import socket
import ssl
from collections.abc import Iterator
from datetime import UTC
from typing import Final

from compliance.siem.confirmed_send import NotConfirmed, send_confirmed
from compliance.siem.event import encoded_event, severity_of
from compliance.siem.ocsf import Severity
from compliance.siem.tls import SECONDS, NotSent, reason_of
from compliance.trail.log.whole_log import WholeRecord

PORT: Final = 6514
_LOG_AUDIT: Final = 13
_LEVELS: Final = {
    Severity.INFORMATIONAL: 6,
    Severity.LOW: 5,
    Severity.MEDIUM: 4,
    Severity.HIGH: 3,
    Severity.CRITICAL: 2,
}
_LONGEST_HOST: Final = 255
_LONGEST_ID: Final = 32
_NO_CLOSE_NOTIFY: Final = (
    "it closed the connection without close_notify, so that nobody knows whether it has all;"
    " needed a receiver that answers it (RFC 5425, section 4.4): docs/administrator/siem.md"
)


class SyslogReceiver:
    """A syslog server, by TLS."""

    name: Final = "syslog"

    def __init__(self, host: str, port: int, context: ssl.SSLContext) -> None:
        self._host, self._port, self._context = host, port, context
        self._own_name = _printable(socket.gethostname(), most=_LONGEST_HOST)

    def __str__(self) -> str:
        return f"syslog {self._host}:{self._port}"

    def send(self, records: list[WholeRecord]) -> None:
        """See ``Receiver``. Raises NotSent."""
        frames = b"".join(self._frames(records))
        try:
            with socket.create_connection((self._host, self._port), SECONDS) as line:
                send_confirmed(line, self._context, host=self._host, octets=frames)
        except NotConfirmed as error:
            raise NotSent(_NO_CLOSE_NOTIFY) from error
        except (OSError, UnicodeError) as error:
            raise NotSent(reason_of(error)) from error

    def _frames(self, records: list[WholeRecord]) -> Iterator[bytes]:
        for record in records:
            priority = _LOG_AUDIT * 8 + _LEVELS[severity_of(record.action)]
            at = record.at.astimezone(UTC).replace(tzinfo=None).isoformat(timespec="microseconds")
            action = _printable(record.action, most=_LONGEST_ID)
            head = f"<{priority}>1 {at}Z {self._own_name} sabot - {action} - "
            message = head.encode("ascii") + encoded_event(record)
            yield b"%d %b" % (len(message), message)


def _printable(text: str, *, most: int) -> str:
    """As a field of a syslog header, which is never empty."""
    return re.sub(r"[^!-~]", "?", text)[:most] or "-"
