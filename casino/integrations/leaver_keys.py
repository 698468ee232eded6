"""The API keys of a person who has left: those whose token they have seen."""

from datetime import datetime

from django.db.models import Q
from django.utils.translation import gettext as _

from casino.integrations.models import ApiKey
from casino.integrations.revoke_key import revoke_known_key
from compliance.trail.actor import Actor


def revoke_keys_of_leaver(
    account: int, *, name: str, but: ApiKey, at: datetime, actor: Actor
) -> list[str]:
    """Revokes each key with a valid secret that this account made; returns their handles.

    A key that somebody else has rotated without an overlap is no longer the leaver's. ``but`` is
    the key of the directory itself, which has others to close.
    """
    ended = Q(revocation__isnull=False) | Q(expires_at__lte=at) | Q(kind=ApiKey.Kind.CUSTOMER)
    keys = ApiKey.objects.exclude(ended).filter(secrets__actor_user_id=account).exclude(pk=but.pk)
    revoked = []
    for key in keys.distinct().order_by("pk").prefetch_related("secrets"):
        if _has_valid_secret_of(key, account, at=at):
            reason = _("issued or rotated by %(name)s, who has left") % {"name": name}
            revoke_known_key(key, reason, at=at, actor=actor)
            revoked.append(key.handle)
    return revoked


def _has_valid_secret_of(key: ApiKey, account: int, *, at: datetime) -> bool:
    """A secret is valid until the earliest end that a later secret sets for it."""
    secrets = sorted(key.secrets.all(), key=lambda secret: secret.sequence)
    for number, secret in enumerate(secrets):
        ends = [later.earlier_until for later in secrets[number + 1 :]]
        if secret.actor_user_id == account and (not ends or min(ends) > at):
            return True
    return False
