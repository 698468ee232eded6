"""Verdicts: whether a round complies with its rules, and the payout of every bet."""

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
# A bet of a settled round can be void as well, with the same code.


class Grade(NamedTuple):
    """The result of one bet.

    ``payout_cents`` is the whole credit, stake included; ``chips_cents`` is the part of it that is
    returned as golden chips. ``reasons`` are keys of the rule set's ``reasons``, in the order in
    which they applied (a split hand has several).
    """

    outcome: str
    payout_cents: int
    chips_cents: int
    reasons: tuple[str, ...]


class BonusResult(NamedTuple):
    """The Fire Blaze points of a round, their level, and the multiplier of the bonus."""

    points: int
    level: str | None
    multiplier: str | None


class Verdict(NamedTuple):
    """The result of a round. ``grades`` are in the order of its bets.

    A held round has no grades unless ``payout-differs`` is its only anomaly.
    """

    status: str
    anomalies: tuple[str, ...]
    grades: tuple[Grade, ...]
    bonus: BonusResult | None = None


def outcome_of(*, payout_cents: int, staked_cents: int) -> str:
    """Win, push or lose: the payout in cash against everything staked (details 22 and 37)."""
    if payout_cents > staked_cents:
        return WIN
    return PUSH if payout_cents == staked_cents else LOSE


def void_grade(bet: Bet, reason: str) -> Grade:
    """A void bet: stake and raise are returned, a golden chip as a chip (detail 18)."""
    chips_cents = bet.stake_cents if bet.golden else 0
    return Grade(VOID, bet.stake_cents + bet.raised_cents, chips_cents, (reason,))


def void_verdict(dealt: Round, reason: str) -> Verdict:
    """A void round: every bet is void."""
    return Verdict(VOID, (), tuple([void_grade(bet, reason) for bet in dealt.bets]))


def held_verdict(anomalies: Iterable[str]) -> Verdict:
    """A held round: no money moves until a decision."""
    return Verdict(HELD, tuple(sorted(anomalies)), ())


def held_on_arrival(verdict: Verdict, anomalies: Iterable[str]) -> Verdict:
    """The verdict with the anomalies of the arrival added."""
    codes = {*verdict.anomalies, *anomalies}
    return verdict if codes == set(verdict.anomalies) else held_verdict(codes)


def settled_verdict(
    dealt: Round, grades: tuple[Grade, ...], bonus: BonusResult | None = None
) -> Verdict:
    """A compliant round; held if the studio reported other payouts (detail 21)."""
    for bet, grade in zip(dealt.bets, grades, strict=True):
        if bet.reported_cents is not None and bet.reported_cents != grade.payout_cents:
            return Verdict(HELD, (PAYOUT_DIFFERS,), grades, bonus)
    return Verdict(SETTLED, (), grades, bonus)
