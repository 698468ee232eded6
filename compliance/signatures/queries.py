"""Which signing keys there are, and which of them sign now."""

from collections.abc import Sequence
from datetime import datetime
from enum import StrEnum
from itertools import islice, takewhile
from typing import Final, NamedTuple

from django.conf import settings

from compliance.signatures.models import SigningKey, SigningKeyStep

Action = SigningKeyStep.Action
APPROVERS: Final = 2
"""The number of persons who approve another person's key."""


class KeyNotInForce(Exception):
    """The key is unknown, another person's, not approved, too new, or revoked."""


class KeyStatus(StrEnum):
    """The status of a signing key."""

    PENDING = "pending"
    """Two other persons have to approve it."""
    DELAYED = "delayed"
    """Approved; it signs when the decision delay is over."""
    IN_FORCE = "in_force"
    REJECTED = "rejected"
    REVOKED = "revoked"


class KeyPeriod(NamedTuple):
    """When a key signs: from ``begins_at`` to ``ends_at``; it may sign its own revocation."""

    begins_at: datetime | None
    ends_at: datetime | None

    def contains(self, at: datetime) -> bool:
        """Whether the key signs at this time."""
        has_begun = self.begins_at is not None and self.begins_at <= at
        return has_begun and (self.ends_at is None or at <= self.ends_at)


def period_of(key: SigningKey) -> KeyPeriod:
    """When this key signs, by its approvals, if they are complete, and the first revocation."""
    approvals = approvals_of(key)
    begins_at = max((step.in_force_from or step.at for step in approvals), default=None)
    revoked = [step.at for step in key.steps.all() if step.action == Action.REVOKED]
    return KeyPeriod(begins_at if is_complete(approvals) else None, min(revoked, default=None))


def approvals_of(key: SigningKey) -> list[SigningKeyStep]:
    """The first steps of the key that approve it: the host's, or those of persons."""
    steps = sorted(key.steps.all(), key=lambda step: step.sequence)
    first = [step for number, step in enumerate(steps, start=1) if step.sequence == number]
    if first and first[0].action == Action.ROOTED:
        return first[:1]
    approvals = takewhile(lambda step: step.action == Action.APPROVED, first)
    return list(islice(approvals, APPROVERS))


def is_complete(approvals: Sequence[SigningKeyStep]) -> bool:
    """Whether these approvals let a key sign: the host's, or those of two persons."""
    is_by_host = bool(approvals) and approvals[0].action == Action.ROOTED
    return is_by_host or len(approvals) == APPROVERS


def status_of_key(key: SigningKey, *, at: datetime) -> KeyStatus:
    """The status at this time."""
    latest = max(key.steps.all(), key=lambda step: step.sequence, default=None)
    if latest is None or (latest.action == Action.APPROVED and not is_complete(approvals_of(key))):
        return KeyStatus.PENDING
    if latest.action == Action.REJECTED:
        return KeyStatus.REJECTED
    if latest.action == Action.REVOKED:
        return KeyStatus.REVOKED
    return KeyStatus.IN_FORCE if period_of(key).contains(at) else KeyStatus.DELAYED


def keys_of(person_id: int) -> list[SigningKey]:
    """The person's keys, oldest first."""
    keys = SigningKey.objects.filter(person_id=person_id).prefetch_related("steps")
    return list(keys.order_by("registered_at", "id"))


def signing_keys_of(person_id: int, *, at: datetime) -> list[SigningKey]:
    """The person's keys that sign at this time."""
    keys = [key for key in keys_of(person_id) if period_of(key).contains(at)]
    return [key for key in keys if settings.BROWSER_KEYS or not key.is_browser]


def key_in_force(credential_id: bytes, *, person_id: int | None, at: datetime) -> SigningKey:
    """The person's key with this credential, if it signs at this time. Raises KeyNotInForce."""
    for key in keys_of(person_id or 0):
        if bytes(key.credential_id) == credential_id:
            if key.is_software and not settings.SOFTWARE_KEYS:
                raise KeyNotInForce(
                    f"found {key.label}, a key of the demo; needed an authenticator"
                )
            if key.is_browser and not settings.BROWSER_KEYS:
                raise KeyNotInForce(
                    f"found {key.label}, a key in a browser; needed an authenticator"
                )
            if not period_of(key).contains(at):
                status = status_of_key(key, at=at)
                raise KeyNotInForce(f"found {key.label}, {status}; needed a key in force")
            return key
    raise KeyNotInForce("found a key that is not this person's; needed one that is registered")
