"""The status of an API key."""

from datetime import datetime
from enum import Enum

from casino.integrations.models import ApiKey


class KeyStatus(Enum):
    """The status of a key at a time."""

    IN_FORCE = "in-force"
    ROTATING = "rotating"
    """An earlier secret is valid in addition to the latest."""
    EXPIRED = "expired"
    REVOKED = "revoked"


def status_of_key(key: ApiKey, *, at: datetime) -> KeyStatus:
    """The status of a key by its revocation, expiry and secrets."""
    if hasattr(key, "revocation"):
        return KeyStatus.REVOKED
    if key.expires_at is not None and key.expires_at <= at:
        return KeyStatus.EXPIRED
    until = overlap_of(key)
    return KeyStatus.ROTATING if until is not None and until > at else KeyStatus.IN_FORCE


def overlap_of(key: ApiKey) -> datetime | None:
    """The end of validity of earlier secrets; None if the key has a single secret."""
    latest = max(key.secrets.all(), key=lambda secret: secret.sequence)
    return latest.earlier_until if latest.sequence > 1 else None
