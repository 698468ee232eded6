"""The bet results of a settlement, as table rows and as one digest.

The digest is SHA-256 over one line per bet, in the order of the bets: number, outcome, payout in
cents, golden chips in cents, ``{`` reasons separated by commas ``}``, separated by tabs, ended by a
line feed. Settlement and audit record contain it, so the record proves all results.
"""

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import count
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


@lru_cache(maxsize=1 << 16)
def _text(grade: Grade) -> str:
    """A line without its number, cached because many bets have equal grades."""
    outcome, payout_cents, chips_cents, reasons = grade
    return f"\t{outcome}\t{payout_cents}\t{chips_cents}\t{{{','.join(reasons)}}}\n"


def result_lines(grades: Sequence[Grade]) -> list[str]:
    """The lines that the digest covers."""
    return list(map(str.__add__, map(str, count()), map(_text, grades)))


def digest_of(lines: Iterable[str]) -> bytes:
    """The 32 bytes of the digest."""
    return hashlib.sha256("".join(lines).encode()).digest()


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
