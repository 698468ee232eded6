"""What people did about stuck work: the latest step of each piece counts."""

from collections.abc import Collection
from typing import Any
from uuid import UUID

from django.db.models import Exists, OuterRef, QuerySet, TextChoices
from django.utils.translation import gettext_lazy as _

from payouts.models import StuckWorkStep, WorkKind
from payouts.models.stuck import CLOSING
from payouts.stuck.work import WorkId


class Whose(TextChoices):
    """Whose stuck work to look at."""

    MINE = "mine", _("Mine")
    NOBODYS = "nobody", _("Nobody's")


def steps_of(work: WorkId) -> QuerySet[StuckWorkStep]:
    """Everything that was done about one piece of work, oldest first."""
    steps = StuckWorkStep.objects.filter(**work.reference).select_related("owner")
    return steps.order_by("sequence")


def latest_step(work: WorkId) -> StuckWorkStep | None:
    """The step that counts; None where nobody has touched the work."""
    return steps_of(work).last()


def latest_steps(kind: WorkKind, keys: Collection[UUID | int]) -> dict[Any, StuckWorkStep]:
    """For each of these pieces of work that has steps, the latest."""
    steps = _latest(kind).filter(**{f"{kind.value}_id__in": list(keys)}).select_related("owner")
    return {getattr(step, f"{kind.value}_id"): step for step in steps}


def still_open(kind: WorkKind, rows: QuerySet[Any]) -> QuerySet[Any]:
    """Those of the rows of a kind with which nobody has dealt."""
    if kind is WorkKind.ROUND:
        return rows  # it waits until it is dealt with
    if kind is WorkKind.TASK:
        closed = _latest(kind).filter(task=OuterRef("pk"), action__in=CLOSING)
        return rows.filter(~Exists(closed))
    return rows.filter(open__isnull=False)


def owned(
    kind: WorkKind, rows: QuerySet[Any], *, whose: Whose, user_id: int | None
) -> QuerySet[Any]:
    """Those of the open rows of a kind that the user has in hand, or that nobody has."""
    if whose is Whose.MINE:
        mine = _latest(kind).filter(owner_id=user_id).exclude(action__in=CLOSING)
        return rows.filter(pk__in=mine.values(kind.value))
    somebodys = _latest(kind).filter(**{kind.value: OuterRef("pk")}, owner__isnull=False)
    return rows.filter(~Exists(somebodys))


def _latest(kind: WorkKind) -> QuerySet[StuckWorkStep]:
    """The step that counts of every piece of work of a kind that has any."""
    same = {kind.value: OuterRef(kind.value)}
    later = StuckWorkStep.objects.filter(**same, sequence__gt=OuterRef("sequence"))
    known = StuckWorkStep.objects.filter(**{f"{kind.value}__isnull": False})
    return known.filter(~Exists(later))
