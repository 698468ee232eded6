"""What of a rule set can be held to exact chances, however people play. Pure: no database.

Main bets and insurance are not among it: what they return depends on what people decide.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cache
from types import MappingProxyType
from typing import Final

from compliance.certification.baccarat import baccarat_returns
from compliance.certification.exact import BetReturn, bet_return
from compliance.certification.fire_blaze import level_chances
from compliance.certification.side_bets import side_bet_returns
from compliance.monitoring.evidence import Alternative, alternatives_of
from rounds.rules.baccarat.judge import BaccaratGame
from rounds.rules.blackjack.declaration import BlackjackGame
from rounds.rules.catalogue import rule_set

NO_LEVEL: Final = "none"
"""What a round is said to have reached that earned no level."""

_HOUSE_LOST: Final = "house-lost"
_HOUSE_WON: Final = "house-won"
_VOID_SHIFTS: Final = (0.05, 0.1, 0.2, 0.4)
"""Of the share of rounds that the house loses; voids are few, so small shifts would never show."""


@cache
def watched_bets(rules: str) -> Mapping[str, BetReturn]:
    """By kind the bets of the rule set whose outcomes have exact chances whoever plays them."""
    game = rule_set(rules).declaration
    found: Mapping[str, BetReturn] = {}
    if isinstance(game, BaccaratGame):
        found = {one.kind: one for one in baccarat_returns(rules, game)}
    elif isinstance(game, BlackjackGame):
        found = {one.kind: one for one in side_bet_returns(rules, game)}
    return MappingProxyType(found)


@cache
def bet_alternatives(rules: str, kind: str) -> tuple[Alternative, ...]:
    """The alternatives of a bet; KeyError for one that is not watched."""
    return alternatives_of(watched_bets(rules)[kind])


@cache
def watched_levels(rules: str) -> BetReturn | None:
    """The levels of the bonus as a bet that pays each level's least; None without such a bonus."""
    game = rule_set(rules).declaration
    if not isinstance(game, BlackjackGame) or game.bonus is None:
        return None
    chances = dict(level_chances(game))
    chances[NO_LEVEL] = 1 - sum(chances.values(), Fraction())
    pays = {name: Fraction(level.least) for name, level in game.bonus.levels.items()}
    return bet_return(rules, "levels", chances, pays)


@cache
def level_alternatives(rules: str) -> tuple[Alternative, ...]:
    """Bonuses that are worth less or more, by shares of a stake; none without such a bonus."""
    levels = watched_levels(rules)
    return () if levels is None else alternatives_of(levels)


def void_alternatives(*, house_won: int, house_lost: int) -> Sequence[Alternative]:
    """That void rounds are others than those that were settled, of which so many went each way.

    A shift above 0 is of voids that spare the house: it would have lost more of them. None where
    nothing was settled to hold them to.
    """
    if not house_won or not house_lost:
        return ()
    lost = Fraction(house_lost, house_won + house_lost)
    chances = {_HOUSE_LOST: lost, _HOUSE_WON: 1 - lost}
    voids = bet_return("", "voids", chances, {_HOUSE_LOST: Fraction(1)})
    return alternatives_of(voids, _VOID_SHIFTS)


def void_outcomes(*, house_won: int, house_lost: int) -> Mapping[str, int]:
    """Void rounds as the outcomes that ``void_alternatives`` knows."""
    return {_HOUSE_WON: house_won, _HOUSE_LOST: house_lost}
