"""Ringing the workers' bell."""

import logging
import time
from threading import Thread
from typing import Final

from celery import current_app

_SETTLE_TASK: Final = "payouts.settle_rounds"
# A connection that was kept may be dead since, and of a broker's three nodes two may be.
_AT_ONCE: Final = {"max_retries": 2, "interval_start": 0}
_PATIENCE_SECONDS: Final = 5.0
_SILENT_SECONDS: Final = 30.0
_log = logging.getLogger(__name__)


def ring_for_settlement() -> None:
    """Tells the workers that rounds wait. Call it after the commit.

    The task is named, not imported: the rounds know nothing of the payouts. A broker that is away
    only delays, because the sweep looks every few seconds.
    """
    ring_for(_SETTLE_TASK)


def ring_for(task: str) -> bool:
    """Asks the workers for a task that takes no arguments; False when the broker is away.

    Such a broker is waited for once, for five seconds, and then left alone for half a minute.
    """
    return _bell.ring(task)


class _Bell:
    """Rings; after a broker that was away it is silent for a while.

    Who rings waits a few seconds at most: a library may wait for an answer without end, so it does
    that in a thread of its own. And not after every batch of a long feed, which would add up.
    """

    def __init__(self) -> None:
        self._silent_until = 0.0
        self._unanswered: Thread | None = None

    def ring(self, task: str) -> bool:
        """Returns when the broker has taken it, has failed, or has not answered for too long."""
        is_unanswered = self._unanswered is not None and self._unanswered.is_alive()
        if is_unanswered or time.monotonic() < self._silent_until:
            return False
        ringing = Thread(target=self._send, args=(task,), daemon=True)
        ringing.start()
        ringing.join(_PATIENCE_SECONDS)
        if ringing.is_alive():
            self._unanswered = ringing
            self._fall_silent("no answer")
        return time.monotonic() >= self._silent_until

    def _send(self, task: str) -> None:
        try:
            current_app.send_task(task, retry=True, retry_policy=_AT_ONCE)
        except Exception as error:  # noqa: BLE001  whatever the library raises: the rounds are stored
            self._fall_silent(error)

    def _fall_silent(self, why: object) -> None:
        self._silent_until = time.monotonic() + _SILENT_SECONDS
        _log.warning("The broker is away (%s); what waits is found by a later sweep", why)


_bell: Final = _Bell()
