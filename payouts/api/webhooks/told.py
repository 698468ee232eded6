"""Webhooks, dead letters and orders as JSON, and as the description of the API has them."""

from datetime import datetime
from enum import StrEnum
from typing import Any, Final

from django.db.models import Prefetch
from rest_framework import serializers

from compliance.trail.following import log_size
from payouts.api.events.stream import EventType
from payouts.api.fields import Body, Choice, Many, Moment, Text, Whole
from payouts.api.models import DeadLetter, Webhook, WebhookOrder
from payouts.api.services.add_webhook import LONGEST_DESCRIPTION
from payouts.api.standing import Standing, standing_of
from payouts.api.webhooks.addresses import LONGEST
from payouts.api.webhooks.signing import EXAMPLE

_ORDERS: Final = 10
_ID: Final = "5b0e9a52-8f5e-4d0c-9a3e-0d4c1f8f4d11"
_TYPES: Final = [one.value for one in EventType]


class WebhookStanding(StrEnum):
    """How a webhook stands."""

    RUNNING = "running"
    FAILING = "failing"
    """Its next event was refused, and will be sent again."""
    STOPPED = "stopped"
    ENDED = "ended"
    """It was removed, or its key is not in force any more."""


def standing_of_webhook(webhook: Webhook, *, at: datetime) -> WebhookStanding:
    """By its removal, its key and its state."""
    gone = hasattr(webhook, "removal")
    if gone or standing_of(webhook.key, at=at) in (Standing.EXPIRED, Standing.REVOKED):
        return WebhookStanding.ENDED
    if webhook.state.stopped_at is not None:
        return WebhookStanding.STOPPED
    return WebhookStanding.FAILING if webhook.state.attempts else WebhookStanding.RUNNING


def told_webhook(webhook: Webhook, *, at: datetime) -> dict[str, Any]:
    """A webhook as its owner sees it."""
    state, letters = webhook.state, webhook.dead_letters.count()
    address = f"/api/v1/webhooks/{webhook.pk}"
    orders = webhook.orders.select_related("dead_letter").order_by("-pk")[:_ORDERS]
    told = {
        "id": webhook.pk,
        "url": webhook.url,
        "types": webhook.types or _TYPES,
        "tables": webhook.key.tables,
        "description": webhook.description,
        "made_at": webhook.made_at,
        "standing": standing_of_webhook(webhook, at=at).value,
        "cursor": str(state.seen),
        "behind": max(log_size() - state.seen, 0),
        "delivered": state.delivered,
        "attempts": state.attempts,
        "next_attempt_at": state.due_at if state.attempts and not state.stopped_at else None,
        "last_attempt_at": state.tried_at,
        "last_status": state.status,
        "last_error": state.error,
        "stopped_at": state.stopped_at,
        "dead_letters": letters,
        "orders": [told_order(one) for one in orders],
        "links": {"self": address, "dead_letters": f"{address}/dead-letters"},
    }
    return dict(WebhookShape(told).data)


def told_order(order: WebhookOrder) -> dict[str, Any]:
    """An order, and what was answered if it was carried out."""
    told = {
        "dead_letter": order.dead_letter.number if order.dead_letter else None,
        "asked_at": order.asked_at,
        "sent_at": order.tried_at,
        "status": order.status,
        "error": order.error,
    }
    return dict(OrderShape(told).data)


def told_letter(letter: DeadLetter) -> dict[str, Any]:
    """A dead letter, and what was answered when it was last sent again."""
    latest = max(letter.orders.all(), key=lambda one: one.pk, default=None)
    told = {
        "number": letter.number,
        "event": letter.event_id,
        "type": letter.type,
        "leaf": letter.leaf,
        "attempts": letter.attempts,
        "last_status": letter.status,
        "last_error": letter.error,
        "first_attempt_at": letter.first_tried_at,
        "given_up_at": letter.died_at,
        "resent": None if latest is None else told_order(latest),
        "links": {
            "event": f"/api/v1/events/{letter.event_id}",
            "resend": f"/api/v1/webhooks/{letter.webhook_id}/dead-letters/{letter.number}/resend",
        },
    }
    return dict(DeadLetterShape(told).data)


def with_orders() -> "Prefetch[str]":
    """The orders of dead letters, read together."""
    return Prefetch("orders", WebhookOrder.objects.select_related("dead_letter"))


class AskedWebhookShape(Body):
    """Where events shall be sent, and which."""

    url = Text(max_length=LONGEST, help_text="https:// and a public host")
    types = Many(
        child=Choice(_TYPES),
        required=False,
        max_length=len(_TYPES),
        help_text="None for all",
    )
    description = Text(
        max_length=LONGEST_DESCRIPTION, required=False, allow_blank=True, help_text="For people"
    )
    after = serializers.RegexField(
        "^[0-9]{1,15}$",
        required=False,
        help_text="The cursor to begin behind; without it, with what happens from now on",
    )


class AskedSecretShape(Body):
    """How long the secret before signs beside the new one."""

    overlap_hours = Whole(min_value=0, max_value=720, default=24)


class OrderShape(serializers.Serializer[Any]):
    """Something sent out of turn; `sent_at` is null while it waits for a worker."""

    dead_letter = serializers.IntegerField(allow_null=True, help_text="null for a ping")
    asked_at = Moment()
    sent_at = Moment(allow_null=True)
    status = serializers.IntegerField(allow_null=True)
    error = serializers.CharField(help_text="Empty where it was taken")

    class Meta:
        ref_name = "WebhookOrder"


class WebhookLinks(serializers.Serializer[Any]):
    """Where there is more."""

    self = serializers.CharField()
    dead_letters = serializers.CharField()


class WebhookShape(serializers.Serializer[Any]):
    """A webhook, how it stands, and how far it has come."""

    id = serializers.UUIDField()
    url = serializers.CharField()
    types = serializers.ListField(child=serializers.ChoiceField(_TYPES))
    tables = serializers.ListField(child=serializers.CharField(), help_text="None for all")
    description = serializers.CharField()
    made_at = Moment()
    standing = serializers.ChoiceField([one.value for one in WebhookStanding])
    cursor = serializers.CharField(help_text="What is before it in the log is done")
    behind = serializers.IntegerField(help_text="Records of the log that it has not come to yet")
    delivered = serializers.IntegerField()
    attempts = serializers.IntegerField(help_text="At the event that comes next")
    next_attempt_at = Moment(allow_null=True)
    last_attempt_at = Moment(allow_null=True)
    last_status = serializers.IntegerField(allow_null=True)
    last_error = serializers.CharField(help_text="Empty where the last attempt was taken")
    stopped_at = Moment(allow_null=True)
    dead_letters = serializers.IntegerField()
    orders = OrderShape(many=True, help_text="The latest ten, newest first")
    links = WebhookLinks()

    class Meta:
        ref_name = "Webhook"


class MadeSecretShape(serializers.Serializer[Any]):
    """A secret, told this once."""

    secret = serializers.CharField()
    earlier_until = Moment(help_text="So long the secrets before it sign, too")


class MadeWebhookShape(WebhookShape):
    """A webhook with its secret, which is told this once."""

    secret = serializers.CharField()

    class Meta:
        ref_name = "MadeWebhook"


class LetterLinks(serializers.Serializer[Any]):
    """Where there is more."""

    event = serializers.CharField()
    resend = serializers.CharField()


class DeadLetterShape(serializers.Serializer[Any]):
    """An event that was not taken, however often it was sent."""

    number = serializers.IntegerField()
    event = serializers.UUIDField()
    type = serializers.ChoiceField(_TYPES)
    leaf = serializers.IntegerField()
    attempts = serializers.IntegerField()
    last_status = serializers.IntegerField(allow_null=True)
    last_error = serializers.CharField()
    first_attempt_at = Moment()
    given_up_at = Moment()
    resent = OrderShape(allow_null=True)
    links = LetterLinks()

    class Meta:
        ref_name = "DeadLetter"


class DeadLetterPage(serializers.Serializer[Any]):
    """Dead letters, newest first."""

    dead_letters = DeadLetterShape(many=True)
    next = serializers.IntegerField(
        allow_null=True, help_text="`before` of the next page; null on the last one"
    )


_MOMENT: Final = "2026-11-21T22:00:00Z"
ASKED_EXAMPLE: Final[dict[str, Any]] = {
    "url": "https://studio.example/sabot",
    "types": ["round.corrected", "round.voided"],
    "description": "corrections to the back office",
}
WEBHOOK_EXAMPLE: Final[dict[str, Any]] = {
    "id": _ID,
    **ASKED_EXAMPLE,
    "tables": [],
    "made_at": _MOMENT,
    "standing": "running",
    "cursor": "184267",
    "behind": 0,
    "delivered": 12,
    "attempts": 0,
    "next_attempt_at": None,
    "last_attempt_at": _MOMENT,
    "last_status": 204,
    "last_error": "",
    "stopped_at": None,
    "dead_letters": 0,
    "orders": [],
    "links": {
        "self": f"/api/v1/webhooks/{_ID}",
        "dead_letters": f"/api/v1/webhooks/{_ID}/dead-letters",
    },
}
MADE_EXAMPLE: Final[dict[str, Any]] = {**WEBHOOK_EXAMPLE, "secret": EXAMPLE}
SECRET_EXAMPLE: Final[dict[str, Any]] = {"secret": EXAMPLE, "earlier_until": _MOMENT}
ORDER_EXAMPLE: Final[dict[str, Any]] = {
    "dead_letter": 1,
    "asked_at": _MOMENT,
    "sent_at": None,
    "status": None,
    "error": "",
}
LETTER_EXAMPLE: Final[dict[str, Any]] = {
    "number": 1,
    "event": "019abc3e-7d80-7000-8000-000001000007",
    "type": "round.corrected",
    "leaf": 184_266,
    "attempts": 8,
    "last_status": 500,
    "last_error": "answered 500",
    "first_attempt_at": "2026-11-20T14:48:00Z",
    "given_up_at": _MOMENT,
    "resent": None,
    "links": {
        "event": "/api/v1/events/019abc3e-7d80-7000-8000-000001000007",
        "resend": f"/api/v1/webhooks/{_ID}/dead-letters/1/resend",
    },
}
