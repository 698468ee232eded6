"""The stake limits in force: of each table the latest set that its person signed.

A set that nobody signed changes nothing: the set before it stays in force.
"""

from collections.abc import Collection
from typing import Final

from compliance.signatures.verify_rows import RowsInForce, is_signed_row
from rounds.models import StakeLimitSet

KNOWN: Final = RowsInForce[StakeLimitSet](is_signed_row)
"""A set never changes once its decision is recorded."""


def sets_in_force(table_ids: Collection[int]) -> dict[int, StakeLimitSet]:
    """The set in force of each of these tables that has one, by table id.

    Of sets with the same time the first counts, so that a copy of a signed one replaces nothing.
    """
    sets = StakeLimitSet.objects.filter(table_id__in=table_ids).select_related("table", "replaces")
    ordered = sets.order_by("table_id", "-decided_at", "id")
    return {found.table_id: found for found in KNOWN.first_of_each("table_id", ordered)}


def set_in_force(table_id: int) -> StakeLimitSet | None:
    """The set in force of a table, if any."""
    return sets_in_force([table_id]).get(table_id)
