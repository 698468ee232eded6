"""Celery tasks of the API."""

import time
from concurrent.futures import ThreadPoolExecutor
from typing import Final
from uuid import UUID

from celery import shared_task
from django.db import connection
from django.utils import timezone

from casino.integrations.deliver_events import deliver_events, webhooks_due
from casino.integrations.idempotency import delete_old_answers
from casino.integrations.rate_limit import delete_old_rates
from rounds.wake_workers import notify_workers

_DELIVER: Final = "api.deliver_events"
_TURN_SECONDS: Final = 2.0
_AT_ONCE: Final = 8
"""The webhooks that one task serves in parallel, so that a slow one does not delay the others."""


@shared_task(name="api.sweep")
def sweep_task() -> None:
    """Deletes expired idempotency responses and restored rate limits."""
    while delete_old_answers(at=timezone.now()):
        pass
    delete_old_rates()


@shared_task(name=_DELIVER)
def deliver_events_task() -> None:
    """Sends events to webhooks for two seconds, and enqueues itself for the rest."""
    due = webhooks_due(at=timezone.now())
    if not due:
        return
    deadline = time.monotonic() + _TURN_SECONDS
    with ThreadPoolExecutor(min(_AT_ONCE, len(due))) as threads:
        unfinished = list(threads.map(lambda webhook: _deliver(webhook, deadline), due))
    if any(unfinished):
        wake_event_workers()


def wake_event_workers() -> bool:
    """Enqueues the delivery task; False if the broker is unreachable (beat enqueues it later)."""
    return notify_workers(_DELIVER)


def _deliver(webhook: UUID, deadline: float) -> bool:
    """Sends events to one webhook, in a thread with its own database connection."""
    try:
        return deliver_events(
            webhook, now=timezone.now, is_over=lambda: time.monotonic() > deadline
        )
    finally:
        connection.close()
