"""Adding webhooks and rotating their secrets."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from secrets import randbits
from typing import Final, NamedTuple
from uuid import UUID

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from casino.integrations.answer_encryption import decrypt, encrypt
from casino.integrations.events.types import EventType
from casino.integrations.models import ApiKey, Webhook, WebhookSecret, WebhookState
from casino.integrations.webhook_addresses import checked_url
from casino.integrations.webhook_signing import new_secret
from compliance.storage.advisory_locks import lock_names
from compliance.trail.actor import Actor
from compliance.trail.log.log_reader import log_size
from compliance.trail.record import Entry, record_entries
from rounds.field_errors import InvalidField, one_of
from rounds.row_mapping import milliseconds_of

MOST_WEBHOOKS: Final = 20
"""The number of webhooks that a key may have."""
LONGEST_OVERLAP: Final = timedelta(days=30)
LONGEST_DESCRIPTION: Final = 200


class NewWebhook(NamedTuple):
    """The parameters of a webhook; ``seen`` is the first cursor, None for new events only."""

    url: str
    types: Sequence[str] = ()
    description: str = ""
    seen: int | None = None


class IssuedSecret(NamedTuple):
    """A webhook with its new secret, which is shown once."""

    webhook: Webhook
    secret: str
    earlier_until: datetime


def add_webhook(*, key: ApiKey, new: NewWebhook, at: datetime, actor: Actor) -> IssuedSecret:
    """Adds a webhook to a key; it is active at once. Raises InvalidField, which names the field."""
    webhook = Webhook(
        id=_new_id(at),
        key=key,
        url=checked_url(new.url),
        types=checked_types(new.types),
        description=checked_description(new.description),
        seen=_checked_cursor(new.seen),
        made_at=at,
        actor=actor.name,
        actor_user_id=actor.user_id,
    )
    with transaction.atomic():
        lock_names([f"webhooks of key:{key.pk}"])
        if webhooks_of(key) >= MOST_WEBHOOKS:
            raise InvalidField("url", str(MOST_WEBHOOKS), _("a key with fewer than 20 webhooks"))
        webhook.save(force_insert=True)
        WebhookState.objects.create(webhook=webhook, seen=webhook.seen, due_at=at)
        secret = _add_secret(webhook, sequence=1, earlier_until=at, at=at, actor=actor)
        values = {"url": webhook.url, "types": list(webhook.types), "seen": webhook.seen}
        _record("WEBHOOK_ADDED", webhook, values, at=at, actor=actor)
    return secret


def rotate_webhook(
    *, webhook: Webhook, overlap: timedelta, at: datetime, actor: Actor
) -> IssuedSecret:
    """Adds a secret; earlier ones sign too, for ``overlap``. Raises InvalidField."""
    if not timedelta() <= overlap <= LONGEST_OVERLAP:
        raise InvalidField("overlap_hours", str(overlap), _("0 seconds, or up to 30 days"))
    with transaction.atomic():
        lock_names([f"webhook:{webhook.pk}"])
        sequence = webhook.secrets.latest("sequence").sequence + 1
        until = at + overlap
        secret = _add_secret(webhook, sequence=sequence, earlier_until=until, at=at, actor=actor)
        values = {"secret": sequence, "earlier_until": until.isoformat()}
        _record("WEBHOOK_ROTATED", webhook, values, at=at, actor=actor)
    return secret


def secrets_in_force(webhook: Webhook, *, at: datetime) -> list[str]:
    """The secrets that sign at this time, the latest first."""
    stored = list(webhook.secrets.order_by("-sequence"))
    signing, until = [], None
    for secret in stored:
        if until is not None and until <= at:
            break
        signing.append(decrypt(bytes(secret.sealed)).decode())
        until = secret.earlier_until if until is None else min(until, secret.earlier_until)
    return signing


def webhooks_of(key: ApiKey) -> int:
    """The number of webhooks of a key."""
    return Webhook.objects.filter(key=key, removal=None).count()


def _new_id(at: datetime) -> UUID:
    """A version 7 UUID (RFC 9562), which orders webhooks by the time they were added."""
    version, variant = 0x7 << 76, 0b10 << 62
    return UUID(
        int=(milliseconds_of(at) << 80) | version | (randbits(12) << 64) | variant | randbits(62)
    )


def _add_secret(
    webhook: Webhook, *, sequence: int, earlier_until: datetime, at: datetime, actor: Actor
) -> IssuedSecret:
    secret = new_secret()
    WebhookSecret.objects.create(
        webhook=webhook,
        sequence=sequence,
        sealed=encrypt(secret.encode()),
        earlier_until=earlier_until,
        made_at=at,
        actor=actor.name,
        actor_user_id=actor.user_id,
    )
    return IssuedSecret(webhook, secret, earlier_until)


def _record(
    action: str, webhook: Webhook, values: dict[str, object], *, at: datetime, actor: Actor
) -> None:
    details = {"key": webhook.key.handle, "owner": webhook.key.owner, **values}
    record_entries([Entry(action, subject_of(webhook.pk), details)], at=at, actor=actor)


def subject_of(webhook: UUID) -> str:
    """The subject of a webhook's audit records."""
    return f"webhook:{webhook}"


def checked_types(types: Sequence[str]) -> list[str]:
    """The types of events, in order. Raises InvalidField for one that there is not."""
    known = [event_type.value for event_type in EventType]
    for name in types:
        if name not in known:
            raise InvalidField("types", name, one_of(known))
    return sorted(set(types))


def checked_description(text: str) -> str:
    """The description without surrounding white space. Raises InvalidField."""
    if len(text) > LONGEST_DESCRIPTION or not (text.isprintable() or not text):
        raise InvalidField("description", text, _("at most 200 characters on one line"))
    return text.strip()


def _checked_cursor(seen: int | None) -> int:
    size = log_size()
    if seen is None:
        return size
    if not 0 <= seen <= size:
        needed = _("a cursor returned earlier: from 0 to %(size)d") % {"size": size}
        raise InvalidField("cursor", str(seen), needed)
    return seen
