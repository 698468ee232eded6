"""The process that sends the signed log to all receivers until it is stopped."""

import logging
from collections.abc import Callable, Sequence
from datetime import datetime
from threading import Event
from time import monotonic
from typing import Final

from compliance.siem.send_events import send_next_events
from compliance.siem.tls import NotSent, Receiver
from compliance.trail.log.whole_log import RecordsMissing

POLL_SECONDS: Final = 1.0
PAUSES: Final = (1, 2, 5, 10, 30, 60)
"""Seconds before further attempts; the last of them from then on, without an end."""

_log = logging.getLogger(__name__)


class _Line:
    """A receiver, and when the next attempt is due."""

    def __init__(self, receiver: Receiver) -> None:
        self.receiver = receiver
        self._failures = 0
        self._due = 0.0

    def send(self, *, now: Callable[[], datetime]) -> bool:
        """Sends a batch if it is time; whether more may be left."""
        if monotonic() < self._due:
            return False
        try:
            sent = send_next_events(self.receiver, now=now)
        except (NotSent, RecordsMissing) as error:
            pause = PAUSES[min(self._failures, len(PAUSES) - 1)]
            self._failures, self._due = self._failures + 1, monotonic() + pause
            _log.error("%s: not sent: %s", self.receiver, error)
            return False
        if sent and self._failures:
            _log.warning("%s: sent again", self.receiver)
            self._failures = 0
        return sent > 0


def forward_log(
    receivers: Sequence[Receiver], *, now: Callable[[], datetime], stopped: Event
) -> None:
    """Sends to the receivers in turn until stopped; ends after the batch at hand.

    A receiver that fails is tried again, later each time; the others go on.
    """
    lines = [_Line(receiver) for receiver in receivers]
    while not stopped.is_set():
        are_left = [line.send(now=now) for line in lines]
        if not any(are_left):
            stopped.wait(POLL_SECONDS)
