"""Helpers for tests of webhook deliveries."""

from datetime import datetime, timedelta

from casino.integrations.deliver_events import PAUSES
from casino.integrations.models import Webhook, WebhookState
from tests.casino.api.events.event_scenarios import (
    deliver,
)
from tests.casino.api.events.receiver import Receiver

HOUR = timedelta(hours=1)


def state_of(webhook: Webhook) -> WebhookState:
    """The stored state of a webhook."""
    return WebhookState.objects.get(webhook=webhook)


def rounds_of(receiver: Receiver) -> list[str]:
    """The rounds of the received events in order, duplicates included."""
    return [message.content["data"]["settlement"]["round"] for message in receiver.messages]


def exhaust(webhook: Webhook, *, at: datetime) -> datetime:
    """Lets every retry of one event pass; returns the time after the last."""
    for pause in PAUSES:
        deliver(webhook, at=at)
        at += pause * 1.21
    deliver(webhook, at=at)
    return at
