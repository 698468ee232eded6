"""The stake limits in force: of each table the latest set that its person signed.

A set that nobody signed changes nothing, whoever wrote it, and the set before it stays in force.
"""

from collections.abc import Collection
from typing import Final

from compliance.signatures.verify_signatures import SignatureVerifier, UnsignedDecision
from rounds.models import StakeLimitSet

SIGNED_SETS: Final[set[int]] = set()
"""Those that this process has verified. A set never changes once its decision is recorded."""


def sets_in_force(table_ids: Collection[int]) -> dict[int, int]:
    """The set in force of each of these tables that has one, by table id.

    Of sets with the same time the first counts, so that a copy of a signed one replaces nothing.
    """
    unsigned: list[int] = []
    sets = StakeLimitSet.objects.filter(table_id__in=table_ids)
    while True:
        latest = sets.exclude(pk__in=unsigned).order_by("table_id", "-decided_at", "id")
        found = dict(latest.distinct("table_id").values_list("table_id", "id"))
        refused = [set_id for set_id in found.values() if not _is_signed(set_id)]
        if not refused:
            return found
        unsigned += refused


def set_in_force(table_id: int) -> StakeLimitSet | None:
    """The set in force of a table, if any."""
    set_id = sets_in_force([table_id]).get(table_id)
    return None if set_id is None else StakeLimitSet.objects.get(pk=set_id)


def _is_signed(set_id: int) -> bool:
    if set_id not in SIGNED_SETS:
        limit_set = StakeLimitSet.objects.select_related("table", "replaces").get(pk=set_id)
        try:
            SignatureVerifier().verify_row(limit_set)
        except UnsignedDecision:
            return False
        SIGNED_SETS.add(set_id)
    return True
