"""Wake-ups of idle workers through the broker."""

import logging
import time
from collections.abc import Callable, Iterable
from contextvars import copy_context
from threading import Thread
from typing import Final, TypeVar

from celery import current_app

_SETTLE_TASK: Final = "payouts.settle_rounds"
# A pooled connection may be dead, and so may two of a broker's three nodes.
_AT_ONCE: Final = {"max_retries": 2, "interval_start": 0}
_TIMEOUT_SECONDS: Final = 5.0
_PAUSE_SECONDS: Final = 30.0
_TURN_SECONDS: Final = 1.0
_log = logging.getLogger(__name__)
_Run = TypeVar("_Run")


def wake_settlement_workers() -> None:
    """Wakes a worker for rounds awaiting settlement; to be called after the commit.

    Without a broker, the periodic sweep settles them a few seconds later. The task is referred to
    by name, because rounds must not import payouts.
    """
    notify_workers(_SETTLE_TASK)


def notify_workers(task: str) -> bool:
    """Sends a task without arguments; False if the broker is unreachable.

    Waits five seconds at most, and then skips sending for half a minute.
    """
    return _notifier.notify(task)


def work_for_a_moment(
    task: str,
    runs: Iterable[_Run],
    *,
    work: Callable[[_Run], bool],
    finish: Callable[[_Run], object] = lambda _run: None,
) -> None:
    """Works on the parts of unfinished runs for a second, then sends the task for the rest.

    ``work`` returns whether there was a part; ``finish`` is called where none is left. Settlement
    gets the worker in between.
    """
    deadline = time.monotonic() + _TURN_SECONDS
    for run in runs:
        while work(run):
            if time.monotonic() > deadline:
                notify_workers(task)
                return
        finish(run)


class _Notifier:
    """Sends tasks in a thread with a timeout, because the library may block forever.

    After a failure it skips sending for a while: timeouts after every batch would add up.
    """

    def __init__(self) -> None:
        self._paused_until = 0.0
        self._pending: Thread | None = None

    def notify(self, task: str) -> bool:
        """Returns when the broker has accepted the task, has failed, or has timed out."""
        is_pending = self._pending is not None and self._pending.is_alive()
        if is_pending or time.monotonic() < self._paused_until:
            return False
        sending = Thread(target=copy_context().run, args=(self._send, task), daemon=True)
        sending.start()
        sending.join(_TIMEOUT_SECONDS)
        if sending.is_alive():
            self._pending = sending
            self._pause("no answer")
        return time.monotonic() >= self._paused_until

    def _send(self, task: str) -> None:
        try:
            current_app.send_task(task, retry=True, retry_policy=_AT_ONCE)
        except Exception as error:  # noqa: BLE001  after any error the rounds are stored
            self._pause(error)

    def _pause(self, why: object) -> None:
        self._paused_until = time.monotonic() + _PAUSE_SECONDS
        _log.warning(
            "The message broker is unavailable (%s); the next sweep finds the waiting work", why
        )


_notifier: Final = _Notifier()
