"""Watchable bets, with exact chances and alternatives. Pure: no database.

Main bets and insurance are left out: their returns depend on decisions.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cache
from types import MappingProxyType
from typing import Final

from compliance.certification.returns.baccarat import baccarat_returns
from compliance.certification.returns.exact_returns import BetReturn, bet_return
from compliance.certification.returns.fire_blaze import level_chances
from compliance.certification.returns.side_bets import side_bet_returns
from compliance.monitoring.statistics.evidence import Alternative, alternatives_of
from rounds.rules.baccarat.judge import BaccaratGame
from rounds.rules.blackjack.declaration import BlackjackGame
from rounds.rules.catalogue import rule_set

NO_LEVEL: Final = "none"
"""Level name of a round without a level."""

_HOUSE_LOST: Final = "house-lost"
_HOUSE_WON: Final = "house-won"
_VOID_SHIFTS: Final = (0.05, 0.1, 0.2, 0.4)
"""Shifts of the share of lost rounds; voids are few, so smaller shifts are undetectable."""


@cache
def watched_bets(rules: str) -> Mapping[str, BetReturn]:
    """The bets of the rule set with exact outcome chances, by kind."""
    game = rule_set(rules).declaration
    returns: Mapping[str, BetReturn] = {}
    if isinstance(game, BaccaratGame):
        returns = {bet.kind: bet for bet in baccarat_returns(rules, game)}
    elif isinstance(game, BlackjackGame):
        returns = {bet.kind: bet for bet in side_bet_returns(rules, game)}
    return MappingProxyType(returns)


@cache
def bet_alternatives(rules: str, kind: str) -> tuple[Alternative, ...]:
    """The alternatives of a bet. Raises KeyError for a bet that is not watched."""
    return alternatives_of(watched_bets(rules)[kind])


@cache
def watched_levels(rules: str) -> BetReturn | None:
    """The bonus levels as a bet that pays each level's minimum; None without a bonus."""
    game = rule_set(rules).declaration
    if not isinstance(game, BlackjackGame) or game.bonus is None:
        return None
    chances = dict(level_chances(game))
    chances[NO_LEVEL] = 1 - sum(chances.values(), Fraction())
    pays = {name: Fraction(level.least) for name, level in game.bonus.levels.items()}
    return bet_return(rules, "levels", chances, pays)


@cache
def level_alternatives(rules: str) -> tuple[Alternative, ...]:
    """Alternatives of the bonus levels; empty without a bonus."""
    levels = watched_levels(rules)
    return () if levels is None else alternatives_of(levels)


def void_alternatives(*, house_won: int, house_lost: int) -> Sequence[Alternative]:
    """Alternatives to void rounds having the same win rate as settled rounds.

    A shift above 0 means that voids save the house money. Empty without settled rounds of both
    results.
    """
    if not house_won or not house_lost:
        return ()
    lost = Fraction(house_lost, house_won + house_lost)
    chances = {_HOUSE_LOST: lost, _HOUSE_WON: 1 - lost}
    voids = bet_return("", "voids", chances, {_HOUSE_LOST: Fraction(1)})
    return alternatives_of(voids, _VOID_SHIFTS)


def void_outcomes(*, house_won: int, house_lost: int) -> Mapping[str, int]:
    """Void rounds by the outcome names of ``void_alternatives``."""
    return {_HOUSE_WON: house_won, _HOUSE_LOST: house_lost}
