"""The status of a webhook."""

from datetime import datetime
from enum import StrEnum

from django.db.models import Prefetch

from casino.integrations.key_status import KeyStatus, status_of_key
from casino.integrations.models import Webhook, WebhookOrder


class WebhookStatus(StrEnum):
    """The status of a webhook."""

    RUNNING = "running"
    FAILING = "failing"
    """Its next event failed, and will be sent again."""
    STOPPED = "stopped"
    ENDED = "ended"
    """It was removed, or its key is revoked or expired."""


def webhook_status(webhook: Webhook, *, at: datetime) -> WebhookStatus:
    """The status of a webhook by its removal, key and state."""
    is_removed = hasattr(webhook, "removal")
    if is_removed or status_of_key(webhook.key, at=at) in (KeyStatus.EXPIRED, KeyStatus.REVOKED):
        return WebhookStatus.ENDED
    if webhook.state.stopped_at is not None:
        return WebhookStatus.STOPPED
    return WebhookStatus.FAILING if webhook.state.attempts else WebhookStatus.RUNNING


def with_orders() -> "Prefetch[str]":
    """A prefetch of orders with their dead letters."""
    return Prefetch("orders", WebhookOrder.objects.select_related("dead_letter"))
