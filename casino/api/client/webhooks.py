"""``sabot.webhooks``: manage webhooks, verify their messages."""

import datetime as dt
import hmac
from base64 import b64decode, b64encode
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final
from uuid import UUID

from .calls import Calls, Operation
from .paging import items
from .problems import NotFromSabot
from .reading import read_json
from .shapes.events import Event
from .shapes.page import Page
from .shapes.webhooks import (
    DeadLetter,
    ResentLetters,
    Webhook,
    WebhookOrder,
    WebhookSecret,
    WebhookWithSecret,
)

_ONE: Final = "/webhooks/{webhook_id}"
LIST: Final = Operation("list_webhooks", "GET", "/webhooks", Page[Webhook])
ADD: Final = Operation("add_webhook", "POST", "/webhooks", WebhookWithSecret)
READ: Final = Operation("read_webhook", "GET", _ONE, Webhook)
CHANGE: Final = Operation("change_webhook", "PATCH", _ONE, Webhook)
REMOVE: Final = Operation("remove_webhook", "DELETE", _ONE, type(None))
ROTATE: Final = Operation("rotate_webhook", "POST", f"{_ONE}/secrets", WebhookSecret)
RESUME: Final = Operation("resume_webhook", "POST", f"{_ONE}/resume", Webhook)
PING: Final = Operation("ping_webhook", "POST", f"{_ONE}/ping", WebhookOrder)
LIST_LETTERS: Final = Operation(
    "list_dead_letters", "GET", f"{_ONE}/dead-letters", Page[DeadLetter]
)
RESEND: Final = Operation(
    "resend_dead_letter", "POST", f"{_ONE}/dead-letters/{{number}}/resend", WebhookOrder
)
RESEND_ALL: Final = Operation(
    "resend_dead_letters", "POST", f"{_ONE}/dead-letters/resend", ResentLetters
)
_TOLERATED: Final = dt.timedelta(minutes=5)


@dataclass(frozen=True, kw_only=True)
class PingData:
    """The webhook of a ping."""

    webhook: UUID


@dataclass(frozen=True, kw_only=True)
class Ping:
    """A test message; it is not an event."""

    type: str
    timestamp: dt.datetime
    sandbox: bool
    data: PingData


@dataclass(frozen=True)
class _Typed:
    type: str


class WebhookCalls:
    """Operations on the webhooks of a key."""

    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    def list(self) -> tuple[Webhook, ...]:
        """All of them, newest first."""
        return self._calls.call(LIST).data

    def add(
        self,
        url: str,
        *,
        types: Sequence[str] = (),
        description: str = "",
        cursor: str | None = None,
        once: str | None = None,
    ) -> WebhookWithSecret:
        """Adds a webhook, from now on or after a cursor; store the ``secret``."""
        body = {"url": url, "types": list(types), "description": description}
        if cursor is not None:
            body["cursor"] = cursor
        return self._calls.call(ADD, body=body, once=once)

    def get(self, webhook_id: UUID) -> Webhook:
        """A webhook with its status."""
        return self._calls.call(READ, {"webhook_id": webhook_id})

    def change(
        self,
        webhook_id: UUID,
        *,
        url: str | None = None,
        types: Sequence[str] | None = None,
        description: str | None = None,
    ) -> Webhook:
        """Changes what is given, from the next attempt on; ``types=()`` is all events."""
        given = {
            "url": url,
            "types": None if types is None else [*types],
            "description": description,
        }
        body = {name: value for name, value in given.items() if value is not None}
        return self._calls.call(CHANGE, {"webhook_id": webhook_id}, body=body)

    def remove(self, webhook_id: UUID) -> None:
        """Stops all deliveries. Raises NotFound if it does not exist or is removed already."""
        self._calls.call(REMOVE, {"webhook_id": webhook_id})

    def rotate(
        self, webhook_id: UUID, *, overlap_hours: int = 24, once: str | None = None
    ) -> WebhookSecret:
        """A new secret, valid at once; previous ones remain valid for the overlap."""
        at, body = {"webhook_id": webhook_id}, {"overlap_hours": overlap_hours}
        return self._calls.call(ROTATE, at, body=body, once=once)

    def resume(self, webhook_id: UUID, *, once: str | None = None) -> Webhook:
        """Resumes a stopped webhook after its last delivered event."""
        return self._calls.call(RESUME, {"webhook_id": webhook_id}, once=once)

    def ping(self, webhook_id: UUID, *, once: str | None = None) -> WebhookOrder:
        """Sends a message of type ``ping``."""
        return self._calls.call(PING, {"webhook_id": webhook_id}, once=once)

    def dead_letters(self, webhook_id: UUID, *, limit: int = 100) -> Iterator[DeadLetter]:
        """Events given up after the last attempt, newest first; ``limit`` per page."""
        return items(self._calls, LIST_LETTERS, {"webhook_id": webhook_id}, {"limit": limit})

    def resend(self, webhook_id: UUID, number: int, *, once: str | None = None) -> WebhookOrder:
        """Sends a dead letter again."""
        at = {"webhook_id": webhook_id, "number": number}
        return self._calls.call(RESEND, at, once=once)

    def resend_all(
        self,
        webhook_id: UUID,
        *,
        given_up_since: dt.datetime | None = None,
        given_up_before: dt.datetime | None = None,
        once: str | None = None,
    ) -> ResentLetters:
        """Sends the dead letters again that no resend delivered: all, or those of a time."""
        times = {"given_up_since": given_up_since, "given_up_before": given_up_before}
        body = {name: at.isoformat() for name, at in times.items() if at}
        return self._calls.call(RESEND_ALL, {"webhook_id": webhook_id}, body=body, once=once)


def verified(
    secrets: str | Sequence[str],
    headers: Mapping[str, str],
    body: bytes,
    *,
    now: dt.datetime | None = None,
) -> Event | Ping:
    """The message of a webhook, if its signature is valid and not older than five minutes.

    Signed as Standard Webhooks, version 1: https://www.standardwebhooks.com/. Raises NotFromSabot.
    The same event can arrive twice; deduplicate by its ``id``.
    """
    values = {name.lower(): text for name, text in headers.items()}
    message, moment = values.get("webhook-id", ""), values.get("webhook-timestamp", "")
    if not (moment.isascii() and moment.isdecimal()):
        raise NotFromSabot(f"webhook-timestamp is {moment!r}, needed are seconds since 1970")
    age = (now or dt.datetime.now(dt.UTC)).timestamp() - int(moment)
    if abs(age) > _TOLERATED.total_seconds():
        raise NotFromSabot(f"webhook-timestamp is {age:.0f} s ago, at most 300 are tolerated")
    signed = f"{message}.{moment}.".encode() + body
    signatures = values.get("webhook-signature", "").encode().split()
    expected = [_signature(secret, signed) for secret in _each(secrets)]
    if not any(hmac.compare_digest(a, b) for a in expected for b in signatures):
        raise NotFromSabot("webhook-signature has no signature by a secret of this webhook")
    message_type = read_json(_Typed, body).type
    return read_json(Ping, body) if message_type == "ping" else read_json(Event, body)


def _each(secrets: str | Sequence[str]) -> Sequence[str]:
    return [secrets] if isinstance(secrets, str) else secrets


def _signature(secret: str, signed: bytes) -> bytes:
    key = b64decode(secret.removeprefix("whsec_"))
    return b"v1," + b64encode(hmac.digest(key, signed, "sha256"))
