"""Revoking API keys, and tokens of single customers."""

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
        _revoke(key, text, at=at, actor=actor)


def revoke_known_key(key: ApiKey, reason: str, *, at: datetime, actor: Actor) -> None:
    """Revokes a key, in the current transaction; again, it changes nothing."""
    lock_key(key)
    if not KeyRevocation.objects.filter(key=key).exists():
        _revoke(key, reason, at=at, actor=actor)


def revoke_customer_token(*, handle: str, issuer: ApiKey, at: datetime, actor: Actor) -> None:
    """Revokes a customer's token for the key that issued it; again, it changes nothing.

    Raises ApiKey.DoesNotExist, also for tokens that another key issued.
    """
    if not handle.isalnum():
        raise ApiKey.DoesNotExist
    key = ApiKey.objects.get(handle=handle, issued_by=issuer)
    with transaction.atomic():
        revoke_known_key(key, "", at=at, actor=actor)


def _revoke(key: ApiKey, reason: str, *, at: datetime, actor: Actor) -> None:
    KeyRevocation.objects.create(
        key=key, reason=reason, revoked_at=at, actor=actor.name, actor_user_id=actor.user_id
    )
    details = {"reason": reason, "owner": key.owner}
    entry = Entry("API_KEY_REVOKED", f"key:{key.handle}", details)
    record_entries([entry], at=at, actor=actor)
