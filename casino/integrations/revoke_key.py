"""Revoking API keys."""

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from casino.integrations.models import ApiKey, KeyRevocation
from casino.integrations.rotate_key import lock_key
from compliance.trail.actor import Actor
from compliance.trail.record import Entry, record_entries
from compliance.trail.steps import StaleState
from rounds.field_errors import InvalidField


def revoke_key(*, key_id: int, reason: str, at: datetime, actor: Actor) -> None:
    """Revokes a key, from the next call on.

    Raises StaleState if it is revoked already, InvalidField without a reason, ApiKey.DoesNotExist.
    """
    if actor.user_id is None:
        raise InvalidField("actor", actor.name, _("a user account"))
    key = ApiKey.objects.get(pk=key_id)
    text = reason.strip()
    if not text:
        raise InvalidField("reason", str(_("nothing")), _("the reason for revoking the key"))
    with transaction.atomic():
        lock_key(key)
        if KeyRevocation.objects.filter(key=key).exists():
            raise StaleState(found=f"{key} revoked")
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
