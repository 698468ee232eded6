"""The stored rulings of rounds."""

from collections.abc import Collection
from uuid import UUID

from rounds.models import StoredRuling
from rounds.row_mapping import ruling_of
from rounds.rules.ruling import Ruling


def rulings_of(round_ids: Collection[UUID]) -> dict[UUID, dict[int, Ruling]]:
    """The rulings on these rounds, by round and by sequence of the settlement."""
    rulings: dict[UUID, dict[int, Ruling]] = {}
    rows = StoredRuling.objects.filter(round_id__in=round_ids).order_by("round_id", "sequence")
    for round_id, sequence, column in rows.values_list("round_id", "sequence", "said"):
        rulings.setdefault(round_id, {})[sequence] = ruling_of(column)
    return rulings
