"""API keys, rate limits, stored responses and webhooks."""

from casino.integrations.models.idempotent_answer import GivenAnswer
from casino.integrations.models.key import ApiKey, KeyRevocation, KeySecret, KeyUse
from casino.integrations.models.rate import SpentRate
from casino.integrations.models.webhook import (
    DeadLetter,
    Webhook,
    WebhookChange,
    WebhookOrder,
    WebhookRemoval,
    WebhookSecret,
    WebhookState,
)

__all__ = [
    "ApiKey",
    "DeadLetter",
    "GivenAnswer",
    "KeyRevocation",
    "KeySecret",
    "KeyUse",
    "SpentRate",
    "Webhook",
    "WebhookChange",
    "WebhookOrder",
    "WebhookRemoval",
    "WebhookSecret",
    "WebhookState",
]
