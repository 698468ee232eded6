"""Rotating the secrets of API keys, with an overlap."""

from datetime import datetime, timedelta
from typing import Final

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from casino.integrations.issue_key import IssuedKey, add_secret
from casino.integrations.models import ApiKey, KeyRevocation
from compliance.storage.advisory_locks import lock_names
from compliance.trail.actor import Actor
from compliance.trail.record import Entry, record_entries
from compliance.trail.steps import StaleState
from rounds.field_errors import InvalidField

LONGEST_OVERLAP: Final = timedelta(days=30)
"""The longest time that two secrets of one key may be valid."""


def rotate_key(
    *, key_id: int, seen: int, overlap: timedelta, at: datetime, actor: Actor
) -> IssuedKey:
    """Adds a secret to the key; valid earlier secrets remain valid for ``overlap``.

    ``seen`` is the sequence of the latest secret that the person saw. Raises StaleState,
    InvalidField, or ApiKey.DoesNotExist.
    """
    if not timedelta() <= overlap <= LONGEST_OVERLAP:
        raise InvalidField("overlap", str(overlap), _("0 seconds, or up to 30 days"))
    key = ApiKey.objects.get(pk=key_id)
    with transaction.atomic():
        lock_key(key)
        latest = key.secrets.latest("sequence")
        if latest.sequence != seen or KeyRevocation.objects.filter(key=key).exists():
            raise StaleState(found=f"secret {latest.sequence} of {key}")
        until = at + overlap
        token = add_secret(key, sequence=seen + 1, earlier_until=until, at=at, actor=actor)
        details = {"secret": seen + 1, "earlier_until": until.isoformat(), "owner": key.owner}
        entry = Entry("API_KEY_ROTATED", f"key:{key.handle}", details)
        record_entries([entry], at=at, actor=actor)
    return IssuedKey(key, token.text)


def lock_key(key: ApiKey) -> None:
    """Locks the key until the commit. An advisory lock, because its row may not be updated."""
    lock_names([f"api key:{key.pk}"])
