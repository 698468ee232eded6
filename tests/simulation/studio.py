"""The studio of a simulated day: its feed, and how much of it was taken."""

from datetime import UTC, datetime
from typing import Final

from rounds.documents import read_documents
from rounds.feed import FeedError
from rounds.row_mapping import datetime_of, milliseconds_of
from rounds.rules.facts import Round, ShoeOpening
from rounds.simulation.casino import Order, simulate
from rounds.simulation.games import GAMES

OPENING: Final = datetime(2026, 11, 20, 22, 40, tzinfo=UTC)
"""Twenty minutes before the end of the gaming day in Rome."""
_ROUNDS: Final = 40
_FAULTS: Final = 0.15


class Studio:
    """Tables of every game, whose documents are handed over in their order."""

    def __init__(self, seed: int) -> None:
        order = Order(tuple(GAMES), _ROUNDS, str(seed), milliseconds_of(OPENING), faults=_FAULTS)
        self.lines: Final = [line.text.encode() for line in simulate(order)]
        self.taken = 0
        """Lines that were acknowledged."""

    def next_lines(self, *, further: int, again: int) -> list[bytes]:
        """So many further lines, after so many that were taken before."""
        return self.lines[max(0, self.taken - again) : self.taken + further]

    def over_at(self, lines: list[bytes]) -> datetime:
        """When the last of the rounds was over."""
        documents = [document for batch in read_documents(lines) for document in batch]
        moments = [_end_of(document.parsed) for document in documents]
        return max([OPENING, *[moment for moment in moments if moment is not None]])


def _end_of(parsed: Round | ShoeOpening | FeedError) -> datetime | None:
    if isinstance(parsed, FeedError):
        return None
    return datetime_of(parsed.ended_at if isinstance(parsed, Round) else parsed.opened_at)
