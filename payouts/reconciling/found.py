"""What a check has looked at, and what it found to differ."""

from collections import Counter
from collections.abc import Mapping
from typing import Any, Final, NamedTuple
from uuid import UUID

from payouts.models import ReconcileDifference

Json = Mapping[str, Any]
Kind = ReconcileDifference.Kind

MOST_KEPT: Final = 1_000
"""So many differences of one part are kept; the others are counted."""

COUNTED: Final = ("rounds", "bets", "transfers", "accounts", "records")
"""What a check counts, as the columns of ``ReconcilePart`` have it."""


class Difference(NamedTuple):
    """One thing that is not as it follows from the facts."""

    kind: Kind
    about: Json
    found: Json | None
    expected: Json | None
    round_id: UUID | None = None
    account_id: int | None = None


class RoundName(NamedTuple):
    """A round as differences name it."""

    id: UUID
    reference: str

    def differs(self, kind: Kind, found: Any, expected: Any, **about: Any) -> Difference:  # noqa: ANN401  JSON
        """A difference about this round."""
        return Difference(kind, {"round": self.reference, **about}, found, expected, self.id)


class Found:
    """The outcome of a check of one part."""

    def __init__(self) -> None:
        self.looked_at: Counter[str] = Counter()
        self.differences: list[Difference] = []
        self.differing = 0

    def add(self, difference: Difference) -> None:
        """Keeps a difference, or only counts it when there are too many."""
        self.differing += 1
        if len(self.differences) < MOST_KEPT:
            self.differences.append(difference)
