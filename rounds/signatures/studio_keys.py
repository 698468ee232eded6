"""Which studio keys count, and when."""

from collections.abc import Iterable
from datetime import datetime
from typing import NamedTuple

from django.db.models import TextChoices
from django.utils.translation import gettext_lazy as _

from rounds.models import StudioKey, StudioKeyStep
from rounds.signatures.decided_by_persons import is_approved_by_two


class KeyStatus(TextChoices):
    """Whether a key counts."""

    PROPOSED = "proposed", _("Awaiting approval")
    NOT_SIGNED = "not-signed", _("Not approved by two signatures")
    REJECTED = "rejected", _("Rejected")
    REVOKED = "revoked", _("Revoked")
    NOT_YET_VALID = "not-yet-valid", _("Not yet valid")
    EXPIRED = "expired", _("Expired")
    VALID = "valid", _("Valid")


class KeyWithStatus(NamedTuple):
    """A registered key and whether it counts at a time."""

    key: StudioKey
    status: KeyStatus

    @property
    def counts(self) -> bool:
        """Whether what it signs is signed."""
        return self.status is KeyStatus.VALID


def status_of(key: StudioKey, steps: Iterable[StudioKeyStep], *, at: datetime) -> KeyStatus:
    """The status of a key with these steps.

    Only our own clock decides: a signature from before the end of its key that arrives after it is
    no longer valid, because nobody can tell when it was really made. A key that two persons are
    said to have approved, and did not sign, does not count.
    """
    taken = {step.action: step for step in steps}
    approval = taken.get(StudioKeyStep.Action.APPROVED)
    if StudioKeyStep.Action.REVOKED in taken:
        return KeyStatus.REVOKED if approval else KeyStatus.REJECTED
    if approval is None or approval.at > at:
        return KeyStatus.PROPOSED
    if not is_approved_by_two(key, approval):
        return KeyStatus.NOT_SIGNED
    if at < key.valid_from:
        return KeyStatus.NOT_YET_VALID
    return KeyStatus.VALID if at < key.valid_until else KeyStatus.EXPIRED


def registered_key(key_id: str, *, at: datetime) -> KeyWithStatus | None:
    """The key with this id; None if it was never registered."""
    key = StudioKey.objects.filter(key_id=key_id).prefetch_related("steps").first()
    return None if key is None else KeyWithStatus(key, status_of(key, key.steps.all(), at=at))
