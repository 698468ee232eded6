"""Changing, removing and resuming webhooks, resending dead letters, and pings."""

from collections.abc import Sequence
from datetime import datetime

from django.db import transaction
from django.db.models import Exists, OuterRef, Q

from casino.integrations.add_webhook import checked_description, checked_types, subject_of
from casino.integrations.models import (
    DeadLetter,
    Webhook,
    WebhookChange,
    WebhookOrder,
    WebhookRemoval,
    WebhookState,
)
from casino.integrations.webhook_addresses import checked_url
from compliance.storage.advisory_locks import lock_names
from compliance.trail.actor import Actor
from compliance.trail.record import Entry, record_entries
from compliance.trail.steps import StaleState


def change_webhook(
    *,
    webhook: Webhook,
    url: str | None = None,
    types: Sequence[str] | None = None,
    description: str | None = None,
    at: datetime,
    actor: Actor,
) -> None:
    """Changes what is given, from the next attempt on. Raises InvalidField, which names it."""
    with transaction.atomic():
        lock_names([f"webhook:{webhook.pk}"])
        current = webhook.current
        change = WebhookChange.objects.create(
            webhook=webhook,
            sequence=webhook.changes.count() + 1,
            url=current.url if url is None else checked_url(url),
            types=current.types if types is None else checked_types(types),
            description=(
                current.description if description is None else checked_description(description)
            ),
            made_at=at,
            actor=actor.name,
            actor_user_id=actor.user_id,
        )
        values: dict[str, object] = {"url": change.url, "types": list(change.types)}
        _record("WEBHOOK_CHANGED", webhook, values, at=at, actor=actor)


def remove_webhook(*, webhook: Webhook, at: datetime, actor: Actor) -> None:
    """Removes a webhook; an event under way is the last. Raises StaleState if it is removed."""
    with transaction.atomic():
        lock_names([f"webhook:{webhook.pk}"])
        if WebhookRemoval.objects.filter(webhook=webhook).exists():
            raise StaleState(found=f"{webhook} removed")
        WebhookRemoval.objects.create(
            webhook=webhook, removed_at=at, actor=actor.name, actor_user_id=actor.user_id
        )
        _record("WEBHOOK_REMOVED", webhook, {}, at=at, actor=actor)


def resume_webhook(*, webhook: Webhook, at: datetime, actor: Actor) -> None:
    """Resumes a stopped webhook at its cursor. Raises StaleState if it is not stopped."""
    with transaction.atomic():
        state = WebhookState.objects.select_for_update().get(webhook=webhook)
        if state.stopped_at is None:
            raise StaleState(found=f"{webhook} running")
        state.stopped_at, state.dead_in_a_row = None, 0
        state.attempts, state.first_tried_at, state.due_at = 0, None, at
        state.save()
        _record("WEBHOOK_RESUMED", webhook, {"seen": state.seen}, at=at, actor=actor)


def resend_dead_letter(*, letter: DeadLetter, at: datetime, actor: Actor) -> WebhookOrder:
    """Orders that a dead letter is sent once more, with the same id.

    Returns the pending order if there is one, so that nothing is sent twice.
    """
    waiting = WebhookOrder.objects.filter(dead_letter=letter, tried_at=None).first()
    return waiting or _order(letter.webhook, letter, at=at, actor=actor)


def resend_dead_letters(
    *,
    webhook: Webhook,
    given_up_since: datetime | None = None,
    given_up_before: datetime | None = None,
    at: datetime,
    actor: Actor,
) -> int:
    """Orders that each dead letter that no resend delivered is sent once more, the oldest first.

    Those with a pending order are left out, as are those given up at another time. Returns how
    many are ordered.
    """
    pending_or_delivered = WebhookOrder.objects.filter(
        Q(tried_at=None) | Q(error=""), dead_letter=OuterRef("pk")
    )
    with transaction.atomic():
        lock_names([f"webhook:{webhook.pk}"])
        waiting = webhook.dead_letters.exclude(Exists(pending_or_delivered)).order_by("number")
        if given_up_since is not None:
            waiting = waiting.filter(died_at__gte=given_up_since)
        if given_up_before is not None:
            waiting = waiting.filter(died_at__lt=given_up_before)
        for letter in waiting:
            _order(webhook, letter, at=at, actor=actor)
    return len(waiting)


def ping_webhook(*, webhook: Webhook, at: datetime, actor: Actor) -> WebhookOrder:
    """Orders a ping, which is no event, even for a stopped webhook."""
    waiting = WebhookOrder.objects.filter(webhook=webhook, dead_letter=None, tried_at=None).first()
    return waiting or _order(webhook, None, at=at, actor=actor)


def _order(
    webhook: Webhook, letter: DeadLetter | None, *, at: datetime, actor: Actor
) -> WebhookOrder:
    with transaction.atomic():
        order = WebhookOrder.objects.create(
            webhook=webhook, dead_letter=letter, asked_at=at, actor=actor.name
        )
        action = "WEBHOOK_PINGED" if letter is None else "WEBHOOK_RESEND_ASKED"
        values = {} if letter is None else {"letter": letter.number, "event": str(letter.event_id)}
        _record(action, webhook, values, at=at, actor=actor)
    return order


def _record(
    action: str, webhook: Webhook, values: dict[str, object], *, at: datetime, actor: Actor
) -> None:
    details = {"key": webhook.key.handle, **values}
    record_entries([Entry(action, subject_of(webhook.pk), details)], at=at, actor=actor)
