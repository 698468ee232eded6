"""Another secret for a key; the one before works on for a while, so that nothing stands still."""

from datetime import datetime, timedelta
from typing import Final

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from compliance.trail.actor import Actor
from compliance.trail.record import Entry, record_entries
from payouts.api.models import ApiKey, KeyRevocation
from payouts.api.services.issue_key import IssuedKey, add_secret
from rounds.services.intake import lock_names
from rounds.services.table_fields import NotTaken

LONGEST_OVERLAP: Final = timedelta(days=30)
"""So long two secrets of one key may work at most."""


class KeyMoved(Exception):
    """Somebody rotated or revoked the key after the person had looked; nothing was done."""


def rotate_key(
    *, key_id: int, seen: int, overlap: timedelta, at: datetime, actor: Actor
) -> IssuedKey:
    """Gives the key a new secret; all before it work for ``overlap`` longer, and none lives again.

    ``seen`` is the sequence of the latest secret that the person saw. Raises KeyMoved, NotTaken, or
    ApiKey.DoesNotExist.
    """
    if not timedelta() <= overlap <= LONGEST_OVERLAP:
        raise NotTaken("overlap", str(overlap), _("no time at all, or up to 30 days"))
    key = ApiKey.objects.get(pk=key_id)
    with transaction.atomic():
        lock_key(key)
        latest = key.secrets.latest("sequence")
        if latest.sequence != seen or KeyRevocation.objects.filter(key=key).exists():
            raise KeyMoved(f"found secret {latest.sequence} of {key}; needed {seen}, not revoked")
        until = at + overlap
        token = add_secret(key, sequence=seen + 1, earlier_until=until, at=at, actor=actor)
        details = {"secret": seen + 1, "earlier_until": until.isoformat(), "owner": key.owner}
        entry = Entry("API_KEY_ROTATED", f"key:{key.handle}", details)
        record_entries([entry], at=at, actor=actor)
    return IssuedKey(key, token.text)


def lock_key(key: ApiKey) -> None:
    """Until the commit nobody else rotates or revokes this key.

    Its row cannot be locked: nobody may update it.
    """
    lock_names([f"api key:{key.pk}"])
