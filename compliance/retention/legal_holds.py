"""Placing and lifting legal holds, each signed."""

from datetime import date, datetime
from typing import Final

from django.db import transaction
from django.db.models import Q, QuerySet

from compliance.retention.models import LegalHold, LegalHoldLift
from compliance.retention.signed_rows import row_of_lift
from compliance.signatures.sign_decision import number_signed, record_decision
from compliance.signatures.verify_rows import KnownSignatures
from compliance.storage.advisory_locks import lock_names
from compliance.trail.actor import Actor, is_same_person

KNOWN: Final = KnownSignatures()


class LegalHoldError(Exception):
    """The hold cannot be placed or lifted; nothing was written."""


class LegalHoldIncomplete(LegalHoldError):
    """A text is missing, or the last day is before the first."""


class NotByAnother(LegalHoldError):
    """The person who placed a hold cannot lift it, and a program can do neither."""


class AlreadyLifted(LegalHoldError):
    """Another person has lifted the hold."""


def place_hold(
    *,
    first_day: date,
    last_day: date | None,
    about: str,
    reference: str,
    at: datetime,
    actor: Actor,
) -> LegalHold:
    """Holds gaming days, without an end if ``last_day`` is None.

    Raises LegalHoldError, or as ``record_decision``.
    """
    if actor.user_id is None:
        raise NotByAnother(f"found {actor.name}; needed a person with an account")
    if last_day is not None and last_day < first_day:
        raise LegalHoldIncomplete(f"last_day: found {last_day}; needed {first_day} or later")
    if not about.strip() or not reference.strip():
        raise LegalHoldIncomplete(
            "found no text; needed what it is about, and the order's reference"
        )
    with transaction.atomic():
        hold = LegalHold.objects.create(
            id=number_signed(LegalHold, "hold:H-", actor),
            first_day=first_day,
            last_day=last_day,
            about=about.strip(),
            reference=reference.strip(),
            placed_at=at,
            actor=actor.name,
            actor_user_id=actor.user_id,
        )
        record_decision(hold.entry, at=at, actor=actor)
    return hold


def lift_hold(*, hold_id: int, reason: str, at: datetime, actor: Actor) -> None:
    """Lifts a hold that another person placed. Raises the same, and LegalHold.DoesNotExist."""
    hold = LegalHold.objects.get(pk=hold_id)
    if actor.user_id is None or is_same_person(hold.actor, hold.actor_user_id, actor):
        raise NotByAnother(f"found {actor.name}; needed another person than {hold.actor}")
    if not reason.strip():
        raise LegalHoldIncomplete("found no reason; needed why it is lifted")
    with transaction.atomic():
        lock_names([f"hold:{hold_id}"])
        if LegalHoldLift.objects.filter(hold=hold).exists():
            raise AlreadyLifted(f"found {hold} lifted; needed one in force")
        lift = LegalHoldLift.objects.create(
            hold=hold,
            reason=reason.strip(),
            lifted_at=at,
            actor=actor.name,
            actor_user_id=actor.user_id,
        )
        record_decision(lift.entry, at=at, actor=actor)


def holds_in_force() -> QuerySet[LegalHold]:
    """The holds that no other person lifted by signature, oldest first."""
    lifts = LegalHoldLift.objects.select_related("hold")
    refused = [lift.pk for lift in lifts if not _is_lifted(lift)]
    return LegalHold.objects.filter(Q(lift=None) | Q(pk__in=refused)).order_by("pk")


def _is_lifted(lift: LegalHoldLift) -> bool:
    """Whether another person than the one who placed the hold signed its lifting."""
    row = row_of_lift(lift)
    hold = lift.hold
    is_by_another = not is_same_person(hold.actor, hold.actor_user_id, row.actor)
    return is_by_another and KNOWN.are_signed(row)
