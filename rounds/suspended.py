"""Which tables are suspended, and what waits for them.

A round that was opened while its table is suspended is stored as ever and waits in the queue, due
at a time that never comes, until somebody resumes the table.
"""

from collections.abc import Collection
from datetime import UTC, datetime
from typing import Final

from django.db.models import Case, OuterRef, Q, Subquery, When

from rounds.models import QueuedRound, TableSuspension
from rounds.models.suspension import SUSPENDED

UNTIL_RESUMED: Final = datetime(9999, 12, 31, tzinfo=UTC)
"""When a round of a suspended table is due."""

WAITS_FOR_TABLE: Final = Q(due_at=UNTIL_RESUMED)
"""Waiting rounds that no worker takes before their table is resumed."""


def suspended_at() -> Subquery:
    """Of each table since when it is suspended, None where it is in play; one query with it."""
    steps = TableSuspension.objects.filter(table=OuterRef("pk")).order_by("-sequence")
    return Subquery(steps.values_list(Case(When(action=SUSPENDED, then="at")))[:1])


def latest_step(table_id: int) -> TableSuspension | None:
    """The step that counts; None where the table was never suspended."""
    return TableSuspension.objects.filter(table_id=table_id).order_by("-sequence").first()


def suspensions_of(table_ids: Collection[int]) -> dict[int, TableSuspension]:
    """For each of these tables that is suspended, the step that did it."""
    steps = TableSuspension.objects.filter(table_id__in=table_ids)
    latest = steps.order_by("table_id", "-sequence").distinct("table_id")
    return {step.table_id: step for step in latest if step.action == SUSPENDED}


def suspension_holding(waiting: QueuedRound | None) -> TableSuspension | None:
    """The suspension that a waiting round waits for the end of; None where it waits for a worker.

    Give the row with its round.
    """
    if waiting is None or waiting.due_at != UNTIL_RESUMED:
        return None
    return suspensions_of([waiting.round.table_id]).get(waiting.round.table_id)
