"""What the Mega Fire Blaze bet returns, and what its declared return says about the grid."""

from collections.abc import Mapping
from fractions import Fraction
from typing import NamedTuple

from compliance.certification.bonus_grid import GridWeights, multiplier_chances
from compliance.certification.fire_blaze import level_chances
from rounds.rules.blackjack.declaration import BlackjackGame
from rounds.rules.blackjack.fire_blaze import Level


class BonusReturn(NamedTuple):
    """The return of the bet with an operator's weights, in floats like the grid."""

    rtp: float
    hit_frequency: float
    variance: float
    means: Mapping[str, float]
    """What each level pays on average, the stake included."""


class Implied(NamedTuple):
    """What a declared return says about the grid, whatever its weights are."""

    least: Fraction
    """The return if every bonus paid its level's least."""
    most: Fraction
    """The return if every bonus paid its level's top prize."""
    share: Fraction
    """How far above the least all levels pay on average, as a share of the way to the top."""
    means: Mapping[str, Fraction]
    """What each level then pays on average, the stake included."""

    @property
    def is_attainable(self) -> bool:
        """Whether some weights give the declared return."""
        return 0 <= self.share <= 1


def bonus_return(game: BlackjackGame, weights: Mapping[str, GridWeights]) -> BonusReturn:
    """The return of a `mega_fire_blaze` bet with these weights for each level.

    ValueError where the weights are not those of the game's levels, one and all.
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
    """What the levels have to pay on average for the bet to return what is declared.

    Five averages give one return, so one figure cannot tell them. The assumption here, one of many
    that are possible: every level pays on average the same share of the way from its least to
    its top prize.
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
