"""How a key stands at a moment."""

from datetime import datetime
from enum import Enum

from payouts.api.models import ApiKey


class Standing(Enum):
    """Whether a key works, and with how many secrets."""

    IN_FORCE = "in-force"
    ROTATING = "rotating"
    """An earlier secret works beside the latest."""
    EXPIRED = "expired"
    REVOKED = "revoked"


def standing_of(key: ApiKey, *, at: datetime) -> Standing:
    """By its revocation, its expiry and its secrets, which are read if they were not before."""
    if hasattr(key, "revocation"):
        return Standing.REVOKED
    if key.expires_at is not None and key.expires_at <= at:
        return Standing.EXPIRED
    until = overlap_of(key)
    return Standing.ROTATING if until is not None and until > at else Standing.IN_FORCE


def overlap_of(key: ApiKey) -> datetime | None:
    """Until when an earlier secret works beside the latest, or did; None for a key's only one."""
    latest = max(key.secrets.all(), key=lambda secret: secret.sequence)
    return latest.earlier_until if latest.sequence > 1 else None
