"""Rulings: corrections of a round's facts by two persons of the operator.

Facts are never edited: a ruling is stored next to the round and with the settlement that it
changes. It does not change stakes; those are refunded.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from rounds.rules.facts import Bet, Bonus, Round
from rounds.rules.limits import NO_LIMITS, Limits
from rounds.rules.rule_set import RuleSet
from rounds.rules.shoe import Shoe
from rounds.rules.verdict import Grade, Verdict, void_grade
from rounds.rules.void import REFUNDED


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruling:
    """The corrected facts of a round; None for facts that remain as delivered.

    ``as_dealt`` overrides the shoe, the stake limits and the reported payouts. ``refunded`` are the
    numbers of bets whose stakes are refunded regardless of their result.
    """

    cards: tuple[tuple[str, str], ...] | None = None
    plays: Mapping[int, str] = field(default_factory=dict)
    """By number of the bet."""
    multipliers: tuple[tuple[str, str], ...] | None = None
    bonus: Bonus | None = None
    no_bonus: bool = False
    """There was no bonus; ``bonus`` is None then."""
    malfunction: bool | None = None
    as_dealt: bool = False
    released: bool = False
    """The anomalies of the round's arrival are overridden; its facts remain."""
    refunded: frozenset[int] = frozenset()

    @property
    def changes_facts(self) -> bool:
        """Whether cards, plays, multiplier cards or bonus are corrected."""
        corrected = (self.cards, self.multipliers, self.bonus) != (None, None, None)
        return corrected or self.no_bonus or bool(self.plays)


def as_ruled(dealt: Round, ruling: Ruling, *, numbers: Sequence[int] | None = None) -> Round:
    """The corrected round, without reported payouts.

    ``numbers`` are those of its bets, if it has only some of them.
    """
    corrected = {
        name: value
        for name in ("cards", "multipliers", "bonus", "malfunction")
        if (value := getattr(ruling, name)) is not None
    }
    if ruling.no_bonus:
        corrected["bonus"] = None
    numbered = zip(range(len(dealt.bets)) if numbers is None else numbers, dealt.bets, strict=True)
    bets = tuple([_played(number, bet, ruling) for number, bet in numbered])
    return dealt._replace(bets=bets, **corrected)


def judge_as_ruled(
    rules: RuleSet, dealt: Round, shoe: Shoe | None, limits: Limits, ruling: Ruling
) -> Verdict:
    """The verdict on the corrected round, with refunded bets void."""
    if ruling.as_dealt:
        shoe, limits = None, NO_LIMITS
    verdict = rules.judge(as_ruled(dealt, ruling), shoe, limits)
    if not verdict.grades or not ruling.refunded:
        return verdict
    graded = enumerate(zip(dealt.bets, verdict.grades, strict=True))
    grades = [_grade(number, bet, grade, ruling) for number, (bet, grade) in graded]
    return verdict._replace(grades=tuple(grades))


def _played(number: int, bet: Bet, ruling: Ruling) -> Bet:
    return bet._replace(play=ruling.plays.get(number, bet.play), reported_cents=None)


def _grade(number: int, bet: Bet, grade: Grade, ruling: Ruling) -> Grade:
    return void_grade(bet, REFUNDED) if number in ruling.refunded else grade
