"""What Celery runs for the API."""

import time
from concurrent.futures import ThreadPoolExecutor
from typing import Final
from uuid import UUID

from celery import shared_task
from django.db import connection
from django.utils import timezone

from payouts.api.services.deliver_events import deliver_events, webhooks_due
from payouts.api.services.give_once import forget_answers
from payouts.api.services.spend_call import forget_rates
from rounds.tasks import ring_for

_DELIVER: Final = "api.deliver_events"
_TURN_SECONDS: Final = 2.0
_AT_ONCE: Final = 8
"""Webhooks that one task sends to at a time: one that hangs keeps no worker from the others."""


@shared_task(name="api.sweep")
def sweep_task() -> None:
    """Takes out answers that were kept for thirty days, and rates that are whole again."""
    while forget_answers(at=timezone.now()):
        pass
    forget_rates()


@shared_task(name=_DELIVER)
def deliver_events_task() -> None:
    """Sends events to webhooks, for a moment, and rings for the rest."""
    due = webhooks_due(at=timezone.now())
    if not due:
        return
    deadline = time.monotonic() + _TURN_SECONDS
    with ThreadPoolExecutor(min(_AT_ONCE, len(due))) as threads:
        unfinished = list(threads.map(lambda one: _deliver(one, deadline), due))
    if any(unfinished):
        ring_for_events()


def ring_for_events() -> bool:
    """Calls a worker to the webhooks; False when the broker is away, and they wait for it."""
    return ring_for(_DELIVER)


def _deliver(webhook: UUID, deadline: float) -> bool:
    """Sends to one webhook, in a thread, on a connection of its own."""
    try:
        return deliver_events(
            webhook, now=timezone.now, is_over=lambda: time.monotonic() > deadline
        )
    finally:
        connection.close()
