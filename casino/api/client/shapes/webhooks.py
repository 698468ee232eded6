"""Webhooks and dead letters, as the API returns them."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Annotated
from uuid import UUID


@dataclass(frozen=True, kw_only=True)
class WebhookOrder:
    """A requested resend or ping; ``sent_at`` is None while it waits for a worker."""

    dead_letter: Annotated[int | None, "null for a ping"]
    requested_at: datetime
    sent_at: datetime | None
    status: int | None
    error: Annotated[str, "Empty if it was delivered"]


@dataclass(frozen=True, kw_only=True)
class WebhookLinks:
    """Related addresses."""

    self: str
    dead_letters: str


@dataclass(frozen=True, kw_only=True)
class Webhook:
    """A webhook with its status (running, failing, stopped or ended) and its position."""

    id: UUID
    url: str
    types: tuple[str, ...]
    tables: Annotated[tuple[str, ...], "Empty for all"]
    description: str
    created_at: datetime
    status: str
    cursor: Annotated[str, "The position in the log; everything before it is processed"]
    behind: Annotated[int, "Log records not processed yet"]
    delivered: int
    attempts: Annotated[int, "Attempts for the next event"]
    next_attempt_at: datetime | None
    last_attempt_at: datetime | None
    last_status: int | None
    last_error: Annotated[str, "Empty if the last attempt succeeded"]
    stopped_at: datetime | None
    dead_letters: int
    orders: Annotated[tuple[WebhookOrder, ...], "The latest ten, newest first"]
    links: WebhookLinks


@dataclass(frozen=True, kw_only=True)
class WebhookWithSecret(Webhook):
    """A webhook with its secret, shown only once."""

    secret: str = field(repr=False)


@dataclass(frozen=True, kw_only=True)
class WebhookSecret:
    """A new secret, shown only once."""

    secret: str = field(repr=False)
    previous_valid_until: Annotated[datetime, "Previous secrets remain valid until then"]


@dataclass(frozen=True, kw_only=True)
class ResentLetters:
    """How many dead letters will be sent again."""

    resent: int


@dataclass(frozen=True, kw_only=True)
class DeadLetterLinks:
    """Related addresses."""

    event: str
    resend: str


@dataclass(frozen=True, kw_only=True)
class DeadLetter:
    """An event that was given up after the last attempt."""

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
    links: DeadLetterLinks
