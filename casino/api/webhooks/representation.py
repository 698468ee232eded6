"""Webhooks, dead letters and orders as JSON."""

from datetime import datetime
from typing import Any, Final

from casino.integrations.event_stream import EventType
from casino.integrations.models import DeadLetter, Webhook, WebhookOrder
from casino.integrations.webhook_status import webhook_status
from compliance.trail.log.log_reader import log_size

_ORDERS: Final = 10


def webhook_to_json(webhook: Webhook, *, at: datetime) -> dict[str, Any]:
    """A webhook with its status, its position in the log, and its latest ten orders."""
    state = webhook.state
    address = f"/api/v1/webhooks/{webhook.pk}"
    orders = webhook.orders.select_related("dead_letter").order_by("-pk")[:_ORDERS]
    return {
        "id": webhook.pk,
        "url": webhook.url,
        "types": webhook.types or [event_type.value for event_type in EventType],
        "tables": webhook.key.tables,
        "description": webhook.description,
        "made_at": webhook.made_at,
        "standing": webhook_status(webhook, at=at).value,
        "cursor": str(state.seen),
        "behind": max(log_size() - state.seen, 0),
        "delivered": state.delivered,
        "attempts": state.attempts,
        "next_attempt_at": state.due_at if state.attempts and not state.stopped_at else None,
        "last_attempt_at": state.tried_at,
        "last_status": state.status,
        "last_error": state.error,
        "stopped_at": state.stopped_at,
        "dead_letters": webhook.dead_letters.count(),
        "orders": [order_to_json(order) for order in orders],
        "links": {"self": address, "dead_letters": f"{address}/dead-letters"},
    }


def order_to_json(order: WebhookOrder) -> dict[str, Any]:
    """An order with the status of its delivery."""
    return {
        "dead_letter": order.dead_letter.number if order.dead_letter else None,
        "asked_at": order.asked_at,
        "sent_at": order.tried_at,
        "status": order.status,
        "error": order.error,
    }


def dead_letter_to_json(letter: DeadLetter) -> dict[str, Any]:
    """A dead letter with the result of its latest resend."""
    latest = max(letter.orders.all(), key=lambda order: order.pk, default=None)
    return {
        "number": letter.number,
        "event": letter.event_id,
        "type": letter.type,
        "leaf": letter.leaf,
        "attempts": letter.attempts,
        "last_status": letter.status,
        "last_error": letter.error,
        "first_attempt_at": letter.first_tried_at,
        "given_up_at": letter.died_at,
        "resent": None if latest is None else order_to_json(latest),
        "links": {
            "event": f"/api/v1/events/{letter.event_id}",
            "resend": f"/api/v1/webhooks/{letter.webhook_id}/dead-letters/{letter.number}/resend",
        },
    }
