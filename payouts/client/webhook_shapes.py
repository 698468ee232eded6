"""Webhooks and what belongs to them, as the API tells them."""

from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID


@dataclass(frozen=True, kw_only=True)
class WebhookOrder:
    """Something sent out of turn: a dead letter, or a ping; ``sent_at`` is None while it waits."""

    dead_letter: int | None
    asked_at: datetime
    sent_at: datetime | None
    status: int | None
    error: str


@dataclass(frozen=True, kw_only=True)
class WebhookLinks:
    """Where there is more."""

    self: str
    dead_letters: str


@dataclass(frozen=True, kw_only=True)
class Webhook:
    """A webhook, how it stands (running, failing, stopped or ended), how far it has come."""

    id: UUID
    url: str
    types: tuple[str, ...]
    tables: tuple[str, ...]
    description: str
    made_at: datetime
    standing: str
    cursor: str
    behind: int
    delivered: int
    attempts: int
    next_attempt_at: datetime | None
    last_attempt_at: datetime | None
    last_status: int | None
    last_error: str
    stopped_at: datetime | None
    dead_letters: int
    orders: tuple[WebhookOrder, ...]
    links: WebhookLinks


@dataclass(frozen=True, kw_only=True)
class MadeWebhook(Webhook):
    """A webhook with its secret, which is told this once."""

    secret: str = field(repr=False)


@dataclass(frozen=True, kw_only=True)
class MadeSecret:
    """A further secret, told this once; so long those before it sign, too."""

    secret: str = field(repr=False)
    earlier_until: datetime


@dataclass(frozen=True, kw_only=True)
class LetterLinks:
    """Where there is more."""

    event: str
    resend: str


@dataclass(frozen=True, kw_only=True)
class DeadLetter:
    """An event that was not taken, however often it was sent."""

    number: int
    event: UUID
    type: str
    leaf: int
    attempts: int
    last_status: int | None
    last_error: str
    first_attempt_at: datetime
    given_up_at: datetime
    resent: WebhookOrder | None
    links: LetterLinks


@dataclass(frozen=True, kw_only=True)
class DeadLetterPage:
    """Dead letters, newest first; ``next`` is ``before`` of the next page."""

    dead_letters: tuple[DeadLetter, ...]
    next: int | None
