"""A new webhook, and further secrets of one."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from secrets import randbits
from typing import Final, NamedTuple
from uuid import UUID

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from compliance.trail.actor import Actor
from compliance.trail.following import log_size
from compliance.trail.record import Entry, record_entries
from payouts.api.events.stream import EventType
from payouts.api.models import ApiKey, Webhook, WebhookSecret, WebhookState
from payouts.api.sealing import opened, sealed
from payouts.api.webhooks.addresses import checked_url
from payouts.api.webhooks.signing import new_secret
from rounds.services.intake import lock_names
from rounds.services.table_fields import NotTaken, one_of
from rounds.storage import milliseconds_of

MOST_WEBHOOKS: Final = 20
"""Of one key."""
LONGEST_OVERLAP: Final = timedelta(days=30)
LONGEST_DESCRIPTION: Final = 200


class AskedWebhook(NamedTuple):
    """Where events shall be sent, which ones, and from which cursor on (None for new ones)."""

    url: str
    types: Sequence[str] = ()
    description: str = ""
    seen: int | None = None


class MadeSecret(NamedTuple):
    """A webhook with the secret that is told this once."""

    webhook: Webhook
    secret: str
    earlier_until: datetime


def add_webhook(*, key: ApiKey, asked: AskedWebhook, at: datetime, actor: Actor) -> MadeSecret:
    """Makes a webhook of a key, which begins at once. Raises NotTaken, which names the field."""
    webhook = Webhook(
        id=_new_id(at),
        key=key,
        url=checked_url(asked.url),
        types=_checked_types(asked.types),
        description=_checked_description(asked.description),
        seen=_checked_cursor(asked.seen),
        made_at=at,
        actor=actor.name,
        actor_user_id=actor.user_id,
    )
    with transaction.atomic():
        lock_names([f"webhooks of key:{key.pk}"])
        if webhooks_of(key) >= MOST_WEBHOOKS:
            raise NotTaken("url", str(MOST_WEBHOOKS), _("a key with fewer than 20 webhooks"))
        webhook.save(force_insert=True)
        WebhookState.objects.create(webhook=webhook, seen=webhook.seen, due_at=at)
        made = _add_secret(webhook, sequence=1, earlier_until=at, at=at, actor=actor)
        told = {"url": webhook.url, "types": list(webhook.types), "seen": webhook.seen}
        _record("WEBHOOK_ADDED", webhook, told, at=at, actor=actor)
    return made


def rotate_webhook(
    *, webhook: Webhook, overlap: timedelta, at: datetime, actor: Actor
) -> MadeSecret:
    """Gives a webhook a new secret; those before it sign too, for ``overlap``. Raises NotTaken."""
    if not timedelta() <= overlap <= LONGEST_OVERLAP:
        raise NotTaken("overlap_hours", str(overlap), _("no time at all, or up to 30 days"))
    with transaction.atomic():
        lock_names([f"webhook:{webhook.pk}"])
        sequence = webhook.secrets.latest("sequence").sequence + 1
        until = at + overlap
        made = _add_secret(webhook, sequence=sequence, earlier_until=until, at=at, actor=actor)
        told = {"secret": sequence, "earlier_until": until.isoformat()}
        _record("WEBHOOK_ROTATED", webhook, told, at=at, actor=actor)
    return made


def secrets_in_force(webhook: Webhook, *, at: datetime) -> list[str]:
    """The secrets that sign now, the latest first."""
    stored = list(webhook.secrets.order_by("-sequence"))
    signing, until = [], None
    for secret in stored:
        if until is not None and until <= at:
            break
        signing.append(opened(bytes(secret.sealed)).decode())
        until = secret.earlier_until if until is None else min(until, secret.earlier_until)
    return signing


def webhooks_of(key: ApiKey) -> int:
    """How many webhooks a key has."""
    return Webhook.objects.filter(key=key, removal=None).count()


def _new_id(at: datetime) -> UUID:
    """A version 7 UUID (RFC 9562), so that lists have webhooks in the order they were made."""
    version, variant = 0x7 << 76, 0b10 << 62
    return UUID(
        int=(milliseconds_of(at) << 80) | version | (randbits(12) << 64) | variant | randbits(62)
    )


def _add_secret(
    webhook: Webhook, *, sequence: int, earlier_until: datetime, at: datetime, actor: Actor
) -> MadeSecret:
    secret = new_secret()
    WebhookSecret.objects.create(
        webhook=webhook,
        sequence=sequence,
        sealed=sealed(secret.encode()),
        earlier_until=earlier_until,
        made_at=at,
        actor=actor.name,
        actor_user_id=actor.user_id,
    )
    return MadeSecret(webhook, secret, earlier_until)


def _record(
    action: str, webhook: Webhook, told: dict[str, object], *, at: datetime, actor: Actor
) -> None:
    details = {"key": webhook.key.handle, "owner": webhook.key.owner, **told}
    record_entries([Entry(action, subject_of(webhook.pk), details)], at=at, actor=actor)


def subject_of(webhook: UUID) -> str:
    """What the trail calls a webhook."""
    return f"webhook:{webhook}"


def _checked_types(types: Sequence[str]) -> list[str]:
    known = [one.value for one in EventType]
    for one in types:
        if one not in known:
            raise NotTaken("types", one, one_of(known))
    return sorted(set(types))


def _checked_description(text: str) -> str:
    if len(text) > LONGEST_DESCRIPTION or not (text.isprintable() or not text):
        raise NotTaken("description", text, _("at most 200 characters on one line"))
    return text.strip()


def _checked_cursor(seen: int | None) -> int:
    size = log_size()
    if seen is None:
        return size
    if not 0 <= seen <= size:
        needed = _("a cursor that was given before: from 0 to %(size)d") % {"size": size}
        raise NotTaken("after", str(seen), needed)
    return seen
