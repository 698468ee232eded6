"""What the rules say of a round: did it go as its sheet says, and what does every bet pay."""

from collections.abc import Iterable
from typing import Final, NamedTuple

from rounds.rules.anomalies import PAYOUT_DIFFERS
from rounds.rules.facts import Bet, Round

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


def outcome_of(*, payout_cents: int, staked_cents: int) -> str:
    """Win, push or lose: the payout against all that was staked, in cash (details 22 and 37)."""
    if payout_cents > staked_cents:
        return WIN
    return PUSH if payout_cents == staked_cents else LOSE


def void_grade(bet: Bet, reason: str) -> Grade:
    """A bet that never counted: stake and raise go back, a golden chip as a chip (detail 18)."""
    chips_cents = bet.stake_cents if bet.golden else 0
    return Grade(VOID, bet.stake_cents + bet.raised_cents, chips_cents, (reason,))


def void_round(dealt: Round, reason: str) -> Verdict:
    """A round that its rule set cancels: every bet is void."""
    return Verdict(VOID, (), tuple([void_grade(bet, reason) for bet in dealt.bets]))


def held_round(anomalies: Iterable[str]) -> Verdict:
    """A round that did not go by its rules: no money moves until a supervisor decides."""
    return Verdict(HELD, tuple(sorted(anomalies)), ())


def settled_round(
    dealt: Round, grades: tuple[Grade, ...], bonus: BonusResult | None = None
) -> Verdict:
    """A round that went by its rules; held if the studio reports other payouts (detail 21)."""
    for bet, grade in zip(dealt.bets, grades, strict=True):
        if bet.reported_cents is not None and bet.reported_cents != grade.payout_cents:
            return Verdict(HELD, (PAYOUT_DIFFERS,), grades, bonus)
    return Verdict(SETTLED, (), grades, bonus)
