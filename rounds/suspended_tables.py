"""Queries for suspended tables.

A round that opens while its table is suspended is stored and queued, with ``UNTIL_RESUMED`` as its
due time until the table is resumed.
"""

from collections.abc import Collection
from datetime import UTC, datetime
from typing import Final

from django.db.models import Case, OuterRef, Q, Subquery, When

from rounds.models import QueuedRound, TableSuspension
from rounds.models.suspension import SUSPENDED

UNTIL_RESUMED: Final = datetime(9999, 12, 31, tzinfo=UTC)
"""The due time of rounds of a suspended table."""

WAITS_FOR_TABLE: Final = Q(due_at=UNTIL_RESUMED)
"""Queued rounds of suspended tables."""


def suspended_at() -> Subquery:
    """Annotation of tables: the time of their suspension, NULL if in play."""
    steps = TableSuspension.objects.filter(table=OuterRef("pk")).order_by("-sequence")
    return Subquery(steps.values_list(Case(When(action=SUSPENDED, then="at")))[:1])


def latest_step(table_id: int) -> TableSuspension | None:
    """The current step; None if the table was never suspended."""
    return TableSuspension.objects.filter(table_id=table_id).order_by("-sequence").first()


def suspensions_of(table_ids: Collection[int]) -> dict[int, TableSuspension]:
    """The suspensions of the suspended tables among these, by table id."""
    steps = TableSuspension.objects.filter(table_id__in=table_ids)
    latest = steps.order_by("table_id", "-sequence").distinct("table_id")
    return {step.table_id: step for step in latest if step.action == SUSPENDED}


def blocking_suspension(queued: QueuedRound | None) -> TableSuspension | None:
    """The suspension that delays a queued round; None if a worker may take it."""
    if queued is None or queued.due_at != UNTIL_RESUMED:
        return None
    return suspensions_of([queued.round.table_id]).get(queued.round.table_id)
