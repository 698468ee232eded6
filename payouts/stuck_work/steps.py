"""Queries of the steps on exceptions."""

from collections.abc import Collection
from typing import Any
from uuid import UUID

from django.db.models import Exists, OuterRef, QuerySet, TextChoices
from django.utils.translation import gettext_lazy as _

from payouts.stuck_work.models import CLOSING, StuckWorkStep, WorkKind
from payouts.stuck_work.work import WorkId


class OwnerFilter(TextChoices):
    """A filter of exceptions by owner."""

    MINE = "mine", _("Assigned to me")
    NOBODYS = "nobody", _("Unassigned")


def steps_of(work: WorkId) -> QuerySet[StuckWorkStep]:
    """The steps on a piece of work, oldest first."""
    steps = StuckWorkStep.objects.filter(**work.reference).select_related("owner")
    return steps.order_by("sequence")


def latest_step(work: WorkId) -> StuckWorkStep | None:
    """The latest step; None if there is none."""
    return steps_of(work).last()


def latest_steps(kind: WorkKind, keys: Collection[UUID | int]) -> dict[Any, StuckWorkStep]:
    """The latest steps of these works, by key."""
    steps = _latest(kind).filter(**{f"{kind.value}_id__in": list(keys)}).select_related("owner")
    return {getattr(step, f"{kind.value}_id"): step for step in steps}


def unresolved(kind: WorkKind, rows: QuerySet[Any]) -> QuerySet[Any]:
    """The rows of a kind that are not resolved."""
    if kind is WorkKind.ROUND:
        return rows  # a queued round is unresolved
    if kind is WorkKind.TASK:
        closed = _latest(kind).filter(task=OuterRef("pk"), action__in=CLOSING)
        return rows.filter(~Exists(closed))
    return rows.filter(open__isnull=False)


def filter_by_owner(
    kind: WorkKind, rows: QuerySet[Any], *, owner: OwnerFilter, user_id: int | None
) -> QuerySet[Any]:
    """The unresolved rows of a kind that the user owns, or that nobody owns."""
    if owner is OwnerFilter.MINE:
        owned = _latest(kind).filter(owner_id=user_id).exclude(action__in=CLOSING)
        return rows.filter(pk__in=owned.values(kind.value))
    assigned = _latest(kind).filter(**{kind.value: OuterRef("pk")}, owner__isnull=False)
    return rows.filter(~Exists(assigned))


def _latest(kind: WorkKind) -> QuerySet[StuckWorkStep]:
    """The latest step of every piece of work of a kind."""
    same = {kind.value: OuterRef(kind.value)}
    later = StuckWorkStep.objects.filter(**same, sequence__gt=OuterRef("sequence"))
    known = StuckWorkStep.objects.filter(**{f"{kind.value}__isnull": False})
    return known.filter(~Exists(later))
