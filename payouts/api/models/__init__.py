"""Keys with secrets, revocations and last use; rates; answers that are given once; webhooks."""

from payouts.api.models.answer import GivenAnswer
from payouts.api.models.key import ApiKey, KeyRevocation, KeySecret, KeyUse
from payouts.api.models.rate import SpentRate
from payouts.api.models.webhook import (
    DeadLetter,
    Webhook,
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
    "WebhookOrder",
    "WebhookRemoval",
    "WebhookSecret",
    "WebhookState",
]
