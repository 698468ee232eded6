"""The bet results of a settlement as table rows."""

from collections.abc import Iterable, Iterator
from typing import Final
from uuid import UUID

from compliance.storage.copy_rows import copy_lines
from payouts.settlement.models import BetSettlement
from rounds.rules.verdict import Grade

_COLUMNS: Final = (
    "round_id",
    "sequence",
    "bet_number",
    "outcome",
    "payout_cents",
    "chips_cents",
    "reasons",
)
_AT_ONCE: Final = 2_000


def copy_results(results: Iterable[tuple[UUID, int, list[str]]]) -> None:
    """Writes the results of settlements, each as round, sequence and lines."""
    copy_lines(
        BetSettlement,
        _COLUMNS,
        (block for settlement in results for block in _blocks(*settlement)),
    )


def paid_grades(round_id: UUID, sequence: int) -> tuple[Grade, ...]:
    """The stored results of a settlement."""
    results = BetSettlement.objects.filter(round_id=round_id, sequence=sequence)
    rows = results.order_by("bet_number").values_list(*Grade._fields)
    return tuple([Grade._make((*paid, tuple(reasons))) for *paid, reasons in rows])


def _blocks(round_id: UUID, sequence: int, lines: list[str]) -> Iterator[str]:
    key = f"{round_id.hex}\t{sequence}\t"
    for first in range(0, len(lines), _AT_ONCE):
        yield key + key.join(lines[first : first + _AT_ONCE])
