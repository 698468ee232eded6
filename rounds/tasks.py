"""Ringing the workers' bell."""

import logging
from typing import Final

from celery import current_app
from kombu.exceptions import OperationalError

_SETTLE_TASK: Final = "payouts.settle_rounds"
_log = logging.getLogger(__name__)


def ring_for_settlement() -> None:
    """Tells the workers that rounds wait. Call it after the commit.

    The task is named, not imported: the rounds know nothing of the payouts. A broker that is away
    only delays, because the sweep looks every few seconds.
    """
    try:
        current_app.send_task(_SETTLE_TASK, retry=False)
    except OperationalError as error:
        _log.warning("The broker is away (%s); the next sweep settles the rounds", error)
