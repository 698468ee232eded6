"""What every bet of a settlement was paid, as rows of the table and as the digest of them all.

The digest is SHA-256 over one line a bet, in the order of the bets: number, outcome, payout in
cents, golden chips in cents, ``{`` reasons apart by commas ``}``, with tabs between and a line feed
at the end. It stands in the settlement and in its audit record, so that the record proves them all.
"""

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import count
from typing import Final
from uuid import UUID

from compliance.trail.copying import copy_lines
from payouts.models import BetSettlement
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
    """A line without its number; bets that were played alike have it in common."""
    outcome, payout_cents, chips_cents, reasons = grade
    return f"\t{outcome}\t{payout_cents}\t{chips_cents}\t{{{','.join(reasons)}}}\n"


def result_lines(grades: Sequence[Grade]) -> list[str]:
    """The lines that the digest is over."""
    return list(map(str.__add__, map(str, count()), map(_text, grades)))


def digest_of(lines: Iterable[str]) -> bytes:
    """The 32 bytes of the digest."""
    return hashlib.sha256("".join(lines).encode()).digest()


def copy_results(results: Iterable[tuple[UUID, int, list[str]]]) -> None:
    """Writes the results of settlements: round, sequence, lines."""
    copy_lines(
        BetSettlement,
        _COLUMNS,
        (block for one in results for block in _blocks(*one)),
    )


def _blocks(round_id: UUID, sequence: int, lines: list[str]) -> Iterator[str]:
    key = f"{round_id.hex}\t{sequence}\t"
    for first in range(0, len(lines), _AT_ONCE):
        yield key + key.join(lines[first : first + _AT_ONCE])
