"""The state of deliveries, and the passing of their pauses, for tests of webhooks."""

from datetime import datetime, timedelta

from casino.integrations.deliver_events import PAUSES
from casino.integrations.models import Webhook, WebhookState
from tests.casino.api.events.happenings import (
    deliver,
)
from tests.casino.api.events.receiver import Receiver

HOUR = timedelta(hours=1)


def state_of(webhook: Webhook) -> WebhookState:
    """As it stands in the database."""
    return WebhookState.objects.get(webhook=webhook)


def rounds_of(receiver: Receiver) -> list[str]:
    """The rounds that a receiver was told of, in order, with whatever came twice."""
    return [message.content["data"]["round"] for message in receiver.messages]


def exhaust(webhook: Webhook, *, at: datetime) -> datetime:
    """Lets all the pauses of one event go by; gives the time then."""
    for pause in PAUSES:
        deliver(webhook, at=at)
        at += pause * 1.21
    deliver(webhook, at=at)
    return at
