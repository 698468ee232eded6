"""Queries for suspended tables.

A round that opens while its table is suspended is stored and queued, with ``UNTIL_RESUMED`` as its
due time until the table is resumed. A step that nobody signed changes nothing.
"""

from collections.abc import Collection
from datetime import UTC, datetime
from typing import Final

from django.db.models import Q, QuerySet

from compliance.signatures.verify_rows import RowsInForce, is_signed_row
from rounds.models import QueuedRound, TableSuspension
from rounds.models.suspension import SUSPENDED

UNTIL_RESUMED: Final = datetime(9999, 12, 31, tzinfo=UTC)
"""The due time of rounds of a suspended table."""

WAITS_FOR_TABLE: Final = Q(due_at=UNTIL_RESUMED)
"""Queued rounds of suspended tables."""


KNOWN: Final = RowsInForce[TableSuspension](is_signed_row)


def latest_step(table_id: int) -> TableSuspension | None:
    """The current step; None if the table was never suspended."""
    steps = TableSuspension.objects.filter(table_id=table_id)
    return next(iter(_latest_of_each(steps)), None)


def suspensions_of(table_ids: Collection[int]) -> dict[int, TableSuspension]:
    """The suspensions of the suspended tables among these, by table id."""
    return _suspensions(TableSuspension.objects.filter(table_id__in=table_ids))


def suspensions() -> dict[int, TableSuspension]:
    """The suspensions of all suspended tables, by table id."""
    return _suspensions(TableSuspension.objects.all())


def _suspensions(steps: QuerySet[TableSuspension]) -> dict[int, TableSuspension]:
    return {step.table_id: step for step in _latest_of_each(steps) if step.action == SUSPENDED}


def _latest_of_each(steps: QuerySet[TableSuspension]) -> list[TableSuspension]:
    ordered = steps.select_related("table").order_by("table_id", "-sequence")
    return KNOWN.first_of_each("table_id", ordered)


def blocking_suspension(queued: QueuedRound | None) -> TableSuspension | None:
    """The suspension that delays a queued round; None if a worker may take it."""
    if queued is None or queued.due_at != UNTIL_RESUMED:
        return None
    return suspensions_of([queued.round.table_id]).get(queued.round.table_id)
