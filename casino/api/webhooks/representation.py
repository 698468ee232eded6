"""Webhooks, dead letters and orders, as the API returns them."""

from datetime import datetime
from typing import Final

from casino.api.client.shapes import webhooks as shapes
from casino.integrations.events.types import EventType
from casino.integrations.models import DeadLetter, Webhook, WebhookOrder
from casino.integrations.webhook_status import webhook_status
from compliance.trail.log.log_reader import log_size

_ORDERS: Final = 10


def webhook_details(webhook: Webhook, *, at: datetime) -> shapes.Webhook:
    """A webhook with its status, its position in the log, and its latest ten orders."""
    state, current = webhook.state, webhook.current
    address = f"/api/v1/webhooks/{webhook.pk}"
    orders = webhook.orders.select_related("dead_letter").order_by("-pk")[:_ORDERS]
    return shapes.Webhook(
        id=webhook.pk,
        url=current.url,
        types=tuple(current.types or (event_type.value for event_type in EventType)),
        tables=tuple(webhook.key.tables),
        description=current.description,
        created_at=webhook.made_at,
        status=webhook_status(webhook, at=at).value,
        cursor=str(state.seen),
        behind=max(log_size() - state.seen, 0),
        delivered=state.delivered,
        attempts=state.attempts,
        next_attempt_at=state.due_at if state.attempts and not state.stopped_at else None,
        last_attempt_at=state.tried_at,
        last_status=state.status,
        last_error=state.error,
        stopped_at=state.stopped_at,
        dead_letters=webhook.dead_letters.count(),
        orders=tuple(order_details(order) for order in orders),
        links=shapes.WebhookLinks(self=address, dead_letters=f"{address}/dead-letters"),
    )


def order_details(order: WebhookOrder) -> shapes.WebhookOrder:
    """An order with the status of its delivery."""
    return shapes.WebhookOrder(
        dead_letter=order.dead_letter.number if order.dead_letter else None,
        requested_at=order.asked_at,
        sent_at=order.tried_at,
        status=order.status,
        error=order.error,
    )


def dead_letter_details(letter: DeadLetter) -> shapes.DeadLetter:
    """A dead letter with the result of its latest resend."""
    latest = max(letter.orders.all(), key=lambda order: order.pk, default=None)
    letters = f"/api/v1/webhooks/{letter.webhook_id}/dead-letters"
    return shapes.DeadLetter(
        number=letter.number,
        event=letter.event_id,
        type=letter.type,
        leaf=letter.leaf,
        attempts=letter.attempts,
        last_status=letter.status,
        last_error=letter.error,
        first_attempt_at=letter.first_tried_at,
        given_up_at=letter.died_at,
        resent=None if latest is None else order_details(latest),
        links=shapes.DeadLetterLinks(
            event=f"/api/v1/events/{letter.event_id}", resend=f"{letters}/{letter.number}/resend"
        ),
    )
