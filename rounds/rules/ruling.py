"""How two persons of the operator read a round otherwise than its studio told it.

What happened is never edited: a ruling stands beside the round, and the settlement that follows
from it says so. What was staked is no part of it: that money was taken, and comes back as a refund.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from rounds.rules.anomalies import PAYOUT_DIFFERS, SHOE_GAP, STAKE_LIMITS, TOO_MANY_COPIES
from rounds.rules.facts import Bet, Bonus, Round
from rounds.rules.limits import NO_LIMITS, Limits
from rounds.rules.rule_set import RuleSet
from rounds.rules.shoe import Shoe
from rounds.rules.verdict import Grade, Verdict, void_grade
from rounds.rules.void import REFUNDED

SET_ASIDE_AS_DEALT: Final = frozenset({PAYOUT_DIFFERS, SHOE_GAP, STAKE_LIMITS, TOO_MANY_COPIES})
"""Anomalies that a release as dealt sets aside: none of them says what a card is worth."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruling:
    """What persons who saw the video say of a round; None wherever the studio's word stands.

    ``as_dealt`` sets aside where the shoe stood, the limits of the table and what the studio
    credited. ``refunded`` are the numbers of bets whose stakes go back, whatever became of them.
    """

    cards: tuple[tuple[str, str], ...] | None = None
    plays: Mapping[int, str] = field(default_factory=dict)
    """By number of the bet."""
    multipliers: tuple[tuple[str, str], ...] | None = None
    bonus: Bonus | None = None
    no_bonus: bool = False
    """The bonus that the studio told of was none; ``bonus`` is None then."""
    malfunction: bool | None = None
    as_dealt: bool = False
    refunded: frozenset[int] = frozenset()

    @property
    def changes_facts(self) -> bool:
        """Whether cards, plays, multiplier cards or bonus are read otherwise."""
        told = (self.cards, self.multipliers, self.bonus)
        return any(one is not None for one in told) or self.no_bonus or bool(self.plays)


def as_ruled(dealt: Round, ruling: Ruling, *, numbers: Sequence[int] | None = None) -> Round:
    """The round as it is to be judged; what the studio credited is compared no more.

    ``numbers`` are those of its bets where it has only some of them.
    """
    told = {
        name: value
        for name in ("cards", "multipliers", "bonus", "malfunction")
        if (value := getattr(ruling, name)) is not None
    }
    if ruling.no_bonus:
        told["bonus"] = None
    known = range(len(dealt.bets)) if numbers is None else numbers
    bets = tuple([_played(*one, ruling) for one in zip(known, dealt.bets, strict=True)])
    return dealt._replace(bets=bets, **told)


def judge_as_ruled(
    rules: RuleSet, dealt: Round, shoe: Shoe | None, limits: Limits, ruling: Ruling
) -> Verdict:
    """The verdict on a round as persons read it, refunded bets void."""
    if ruling.as_dealt:
        shoe, limits = None, NO_LIMITS
    verdict = rules.judge(as_ruled(dealt, ruling), shoe, limits)
    if not verdict.grades or not ruling.refunded:
        return verdict
    grades = zip(dealt.bets, verdict.grades, strict=True)
    return verdict._replace(
        grades=tuple([_grade(n, *one, ruling) for n, one in enumerate(grades)]),
    )


def _played(number: int, bet: Bet, ruling: Ruling) -> Bet:
    return bet._replace(play=ruling.plays.get(number, bet.play), reported_cents=None)


def _grade(number: int, bet: Bet, grade: Grade, ruling: Ruling) -> Grade:
    return void_grade(bet, REFUNDED) if number in ruling.refunded else grade
