"""The digest of the bet results of a settlement. Pure.

It is SHA-256 over one line per bet, in the order of the bets: number, outcome, payout in cents,
golden chips in cents, ``{`` reasons separated by commas ``}``, separated by tabs, ended by a line
feed. Settlement and audit record contain it, so the record proves all results.
"""

import hashlib
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import count

from rounds.rules.verdict import Grade


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
