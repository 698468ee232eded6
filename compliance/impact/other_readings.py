"""Rule sets under readings that were not adopted, as far as the dealt cards can be judged by them.

A reading that needs other plays or other cards than were dealt is not among them; neither is one
that no changed declaration expresses, but for two whose payouts follow from those of the rules.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import cache, partial
from types import MappingProxyType
from typing import Final

from compliance.certification.returns.changed_rules import (
    ALTERNATIVE_COMBINATIONS,
    ALTERNATIVE_ODDS,
    DECLARED_CHANGES,
    ReadingKey,
    as_ten,
    both_perfect,
)
from compliance.impact.changed_fields import with_declaration
from rounds.rules.baccarat.bets import perfectly_pairs
from rounds.rules.baccarat.coup import Coup, read_coup
from rounds.rules.baccarat.judge import BaccaratGame
from rounds.rules.blackjack.bonus import MEGA_FIRE_BLAZE
from rounds.rules.blackjack.declaration import BlackjackGame
from rounds.rules.blackjack.side_bets import SUITED_TRIPS, TRIPS, Opening, box_and_upcard
from rounds.rules.catalogue import RULE_SETS
from rounds.rules.facts import Bet, Round
from rounds.rules.limits import NO_LIMITS, Limits
from rounds.rules.rule_set import RuleSet
from rounds.rules.shoe import Shoe
from rounds.rules.verdict import WIN, Grade, Verdict

_Grading = Callable[[Round, Bet, Grade], Grade]


def readings_of(rules: RuleSet) -> dict[ReadingKey, RuleSet]:
    """The rule set under each other reading."""
    game = rules.declaration
    if isinstance(game, BaccaratGame):
        return dict(_of_baccarat(rules, game))
    if isinstance(game, BlackjackGame):
        return dict(_of_blackjack(rules, game))
    return {}


def rules_by_reading(key: ReadingKey) -> dict[str, RuleSet]:
    """The rule sets that another reading changes, by name; empty for a reading not known here."""
    found = {name: readings_of(rules).get(key) for name, rules in RULE_SETS.items()}
    return {name: rules for name, rules in found.items() if rules is not None}


@cache
def known_readings() -> tuple[ReadingKey, ...]:
    """All of them, in the order of the rule sets."""
    return tuple(dict.fromkeys(key for rules in RULE_SETS.values() for key in readings_of(rules)))


def _of_baccarat(rules: RuleSet, game: BaccaratGame) -> Iterator[tuple[ReadingKey, RuleSet]]:
    by_value = {
        kind: bet._replace(wins=partial(_wins_by_value, bet.wins))
        for kind, bet in game.bets.items()
        if _BY_VALUE[0] in rules.citations[kind].rests_on
    }
    pairs = MappingProxyType({**game.bets, **by_value})
    yield _BY_VALUE, with_declaration(rules, replace(game, bets=pairs))
    for kind, bet in game.bets.items():
        if kind in ALTERNATIVE_ODDS:
            ambiguity, odds = ALTERNATIVE_ODDS[kind]
            bets = MappingProxyType({**game.bets, kind: bet._replace(pays=odds)})
            yield (ambiguity, 1), with_declaration(rules, replace(game, bets=bets))
        if bet.wins is perfectly_pairs:
            again = partial(_pays_each_pair, kind, bet.pays.winnings)
            yield ("perfect-pair-paid-once", 1), _graded_again(rules, again)


def _of_blackjack(rules: RuleSet, game: BlackjackGame) -> Iterator[tuple[ReadingKey, RuleSet]]:
    for key, change in DECLARED_CHANGES.get(rules.name, {}).items():
        yield key, with_declaration(rules, change(game))
    for key, combinations in _COMBINATIONS.items():
        if any(bet.combination in combinations for bet in game.side_bets):
            bets = tuple(
                bet._replace(combination=combinations.get(bet.combination, bet.combination))
                for bet in game.side_bets
            )
            yield key, with_declaration(rules, replace(game, side_bets=bets))
    if game.bonus is not None:
        yield ("bonus-prize-with-stake", 1), _graded_again(rules, _adds_stake)


def _wins_by_value(wins: Callable[[Coup], bool], coup: Coup) -> bool:
    player, banker = (tuple(map(as_ten, hand)) for hand in (coup.player, coup.banker))
    return wins(coup._replace(player=player, banker=banker))


def _trips_by_value(opening: Opening) -> str:
    """21+3 in which three of a kind, but no straight, goes by value."""
    box, dealer = (list(map(as_ten, hand)) for hand in opening)
    by_value = box_and_upcard(Opening(box, dealer))
    return by_value if by_value in {SUITED_TRIPS, TRIPS} else box_and_upcard(opening)


_BY_VALUE: Final = ("rank-or-value", 1)
"""Certificates have its returns for pairs at blackjack alone."""
_TWO_IN_ONE: Final = ("straight-ace", 1)
"""Low only, or high only: both return the same, but they pay other hands."""


def _combinations() -> Mapping[ReadingKey, dict[Callable[..., str], Callable[..., str]]]:
    by_reading: dict[ReadingKey, dict[Callable[..., str], Callable[..., str]]] = {
        _BY_VALUE: {box_and_upcard: _trips_by_value}
    }
    for combination, readings in ALTERNATIVE_COMBINATIONS.items():
        for ambiguity, index, other in readings:
            if (ambiguity, index) != _TWO_IN_ONE:
                by_reading.setdefault((ambiguity, index), {})[combination] = other
    return by_reading


_COMBINATIONS: Final = _combinations()
"""By reading, the combinations of the rules and those that count instead."""


def _graded_again(rules: RuleSet, grade_again: _Grading) -> RuleSet:
    """The rule set with grades that follow from its own."""

    def judge(dealt: Round, shoe: Shoe | None, limits: Limits = NO_LIMITS, /) -> Verdict:
        verdict = rules.judge(dealt, shoe, limits)
        grades = zip(dealt.bets, verdict.grades, strict=False)  # a held round has none
        return verdict._replace(grades=tuple([grade_again(dealt, *graded) for graded in grades]))

    return replace(rules, judge=judge)


def _pays_each_pair(
    kind: str, winnings: Callable[[int], int], dealt: Round, bet: Bet, grade: Grade
) -> Grade:
    if bet.kind != kind or grade.outcome != WIN:
        return grade
    coup, _codes = read_coup(dealt.cards)
    if coup is None or not both_perfect(coup):
        return grade
    return grade._replace(payout_cents=grade.payout_cents + winnings(bet.stake_cents))


def _adds_stake(_dealt: Round, bet: Bet, grade: Grade) -> Grade:
    if bet.kind != MEGA_FIRE_BLAZE or grade.outcome != WIN or bet.golden:
        return grade
    return grade._replace(payout_cents=grade.payout_cents + bet.stake_cents)
