"""Ending a webhook, starting one again that was stopped, and sending something out of turn."""

from datetime import datetime

from django.db import transaction

from compliance.trail.actor import Actor
from compliance.trail.record import Entry, record_entries
from payouts.api.models import DeadLetter, Webhook, WebhookOrder, WebhookRemoval, WebhookState
from payouts.api.services.add_webhook import subject_of
from rounds.services.intake import lock_names


class WebhookMoved(Exception):
    """Somebody did it already; nothing was done."""


def remove_webhook(*, webhook: Webhook, at: datetime, actor: Actor) -> None:
    """Ends a webhook: what is being sent is the last. Raises WebhookMoved where it has ended."""
    with transaction.atomic():
        lock_names([f"webhook:{webhook.pk}"])
        if WebhookRemoval.objects.filter(webhook=webhook).exists():
            raise WebhookMoved(f"found {webhook} removed; needed a webhook that is not")
        WebhookRemoval.objects.create(
            webhook=webhook, removed_at=at, actor=actor.name, actor_user_id=actor.user_id
        )
        _record("WEBHOOK_REMOVED", webhook, {}, at=at, actor=actor)


def resume_webhook(*, webhook: Webhook, at: datetime, actor: Actor) -> None:
    """Starts a webhook that was stopped, from where it stood. Raises WebhookMoved where it runs."""
    with transaction.atomic():
        state = WebhookState.objects.select_for_update().get(webhook=webhook)
        if state.stopped_at is None:
            raise WebhookMoved(f"found {webhook} running; needed a webhook that was stopped")
        state.stopped_at, state.dead_in_a_row = None, 0
        state.attempts, state.first_tried_at, state.due_at = 0, None, at
        state.save()
        _record("WEBHOOK_RESUMED", webhook, {"seen": state.seen}, at=at, actor=actor)


def resend_dead_letter(*, letter: DeadLetter, at: datetime, actor: Actor) -> WebhookOrder:
    """Has a dead letter sent once more, under the id that it had. Gives the order.

    One that waits already is given again, so that impatience sends nothing twice.
    """
    waiting = WebhookOrder.objects.filter(dead_letter=letter, tried_at=None).first()
    return waiting or _order(letter.webhook, letter, at=at, actor=actor)


def ping_webhook(*, webhook: Webhook, at: datetime, actor: Actor) -> WebhookOrder:
    """Has a webhook tried with something that is no event, though it be stopped."""
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
        told = {} if letter is None else {"letter": letter.number, "event": str(letter.event_id)}
        _record(action, webhook, told, at=at, actor=actor)
    return order


def _record(
    action: str, webhook: Webhook, told: dict[str, object], *, at: datetime, actor: Actor
) -> None:
    details = {"key": webhook.key.handle, **told}
    record_entries([Entry(action, subject_of(webhook.pk), details)], at=at, actor=actor)
