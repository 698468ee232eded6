"""The end of a key, from the next call on."""

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from compliance.trail.actor import Actor
from compliance.trail.record import Entry, record_entries
from payouts.api.models import ApiKey, KeyRevocation
from payouts.api.services.rotate_key import KeyMoved, lock_key
from rounds.services.table_fields import NotTaken


def revoke_key(*, key_id: int, reason: str, at: datetime, actor: Actor) -> None:
    """Ends a key for good.

    Raises KeyMoved where it is revoked already, NotTaken without a reason, ApiKey.DoesNotExist.
    """
    if actor.user_id is None:
        raise NotTaken("actor", actor.name, _("a person with an account"))
    key = ApiKey.objects.get(pk=key_id)
    text = reason.strip()
    if not text:
        raise NotTaken("reason", str(_("nothing")), _("why the key is revoked"))
    with transaction.atomic():
        lock_key(key)
        if KeyRevocation.objects.filter(key=key).exists():
            raise KeyMoved(f"found {key} revoked; needed a key that is not")
        KeyRevocation.objects.create(
            key=key,
            reason=text,
            revoked_at=at,
            actor=actor.name,
            actor_user_id=actor.user_id,
        )
        details = {"reason": text, "owner": key.owner}
        entry = Entry("API_KEY_REVOKED", f"key:{key.handle}", details)
        record_entries([entry], at=at, actor=actor)
