"""What the rules say of a round: did it go as its sheet says, and what does every bet pay."""

from typing import Final, NamedTuple

SETTLED: Final = "settled"
HELD: Final = "held"
VOID: Final = "void"

WIN: Final = "win"
PUSH: Final = "push"
LOSE: Final = "lose"
# A bet can be void in a settled round; the word is the same as the round's.


class Grade(NamedTuple):
    """What one bet pays.

    ``payout_cents`` is everything credited, stakes included; ``chips_cents`` is the part of it
    that goes back as golden chips and not as cash. ``reasons`` are keys of the rule set's
    ``citations``, in the order in which they applied (a split hand has several).
    """

    outcome: str
    payout_cents: int
    chips_cents: int
    reasons: tuple[str, ...]


class BonusResult(NamedTuple):
    """Fire Blaze points of a round, the level they reach, the multiplier that was played."""

    points: int
    level: str | None
    multiplier: str | None


class Verdict(NamedTuple):
    """The judgement of a round. ``grades`` stand in the order of the round's bets.

    A held round has no grades, except when ``payout-differs`` is its only anomaly.
    """

    status: str
    anomalies: tuple[str, ...]
    grades: tuple[Grade, ...]
    bonus: BonusResult | None = None
