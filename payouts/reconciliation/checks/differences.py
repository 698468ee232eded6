"""The result of a check: counts and differences."""

from collections import Counter
from collections.abc import Mapping
from typing import Any, Final, NamedTuple
from uuid import UUID

from payouts.reconciliation.models import ReconcileDifference

Json = Mapping[str, Any]
Kind = ReconcileDifference.Kind

MOST_KEPT: Final = 1_000
"""The most differences of a part that are stored. All are counted."""

COUNTED: Final = ("rounds", "bets", "transfers", "accounts", "records")
"""What a check counts; also columns of ``ReconcilePart``."""


class Difference(NamedTuple):
    """One difference from what follows from the facts."""

    kind: Kind
    about: Json
    found: Json | None
    expected: Json | None
    round_id: UUID | None = None
    account_id: int | None = None


class RoundName(NamedTuple):
    """A round, as differences refer to it."""

    id: UUID
    reference: str

    def differs(self, kind: Kind, found: Any, expected: Any, **about: Any) -> Difference:
        """A difference of this round."""
        return Difference(kind, {"round": self.reference, **about}, found, expected, self.id)


def differing_members(found: Json, expected: Json) -> tuple[Json, Json] | None:
    """The members of ``expected`` that differ, as found and as expected; None if none does."""
    names = [name for name, value in expected.items() if found[name] != value]
    if not names:
        return None
    return {name: found[name] for name in names}, {name: expected[name] for name in names}


class CheckResult:
    """The result of the check of one part."""

    def __init__(self) -> None:
        self.looked_at: Counter[str] = Counter()
        self.differences: list[Difference] = []
        self.differing = 0

    def add(self, difference: Difference) -> None:
        """Adds a difference; beyond ``MOST_KEPT`` it is only counted."""
        self.differing += 1
        if len(self.differences) < MOST_KEPT:
            self.differences.append(difference)
