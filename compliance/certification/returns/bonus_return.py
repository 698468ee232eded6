"""Return of the Mega Fire Blaze bet, and what its declared return implies about the grid."""

from collections.abc import Mapping
from fractions import Fraction
from typing import NamedTuple

from compliance.certification.returns.bonus_grid import GridWeights, multiplier_chances
from compliance.certification.returns.fire_blaze import level_chances
from rounds.rules.blackjack.declaration import BlackjackGame
from rounds.rules.blackjack.fire_blaze import Level


class BonusReturn(NamedTuple):
    """The return of the bet with an operator's weights."""

    rtp: float
    hit_frequency: float
    variance: float
    means: Mapping[str, float]
    """Mean payout of each level, stake included."""


class Implied(NamedTuple):
    """What a declared return implies about the grid with any weights."""

    least: Fraction
    """The return if every bonus pays its level's minimum."""
    most: Fraction
    """The return if every bonus pays its level's top prize."""
    share: Fraction
    """Position of the mean payout between minimum (0) and top prize (1), for all levels."""
    means: Mapping[str, Fraction]
    """Mean payout of each level at that position, stake included."""

    @property
    def is_attainable(self) -> bool:
        """Whether any weights give the declared return."""
        return 0 <= self.share <= 1


def bonus_return(game: BlackjackGame, weights: Mapping[str, GridWeights]) -> BonusReturn:
    """The return of a `mega_fire_blaze` bet with these weights for each level.

    Raises ValueError unless there are weights for exactly the game's levels.
    """
    levels = _levels_of(game)
    if set(weights) != set(levels):
        raise ValueError(f"weights for {', '.join(weights)}; needed for {', '.join(levels)}")
    rtp = square = 0.0
    means = {}
    for name, earned in level_chances(game).items():
        pays = multiplier_chances(levels[name], weights[name])
        means[name] = sum(total * chance for total, chance in pays.items())
        rtp += float(earned) * means[name]
        square += float(earned) * sum(total**2 * chance for total, chance in pays.items())
    hits = float(sum(level_chances(game).values()))
    return BonusReturn(rtp, hits, square - rtp**2, means)


def implied_means(game: BlackjackGame, declared: Fraction) -> Implied:
    """The mean payouts of the levels that give the declared return.

    One figure does not determine five means. The assumption here: every level's mean lies at the
    same position between its minimum and its top prize.
    """
    levels, chances = _levels_of(game), level_chances(game)
    least = sum((chances[name] * level.least for name, level in levels.items()), Fraction())
    most = sum((chances[name] * level.most for name, level in levels.items()), Fraction())
    share = (declared - least) / (most - least)
    means = {
        name: level.least + share * (level.most - level.least) for name, level in levels.items()
    }
    return Implied(least, most, share, means)


def _levels_of(game: BlackjackGame) -> Mapping[str, Level]:
    if game.bonus is None:
        raise ValueError("the game has no bonus")
    return game.bonus.levels
