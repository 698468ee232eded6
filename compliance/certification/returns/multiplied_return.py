"""Return of a main bet with multiplier cards, and what a declared return implies about them.

For play that ignores the cards, the return is linear (`blackjack.multiplier_cards`) in the
chance of each number of cards and in the mean multiplier. No other property of the weights matters.
"""

from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from math import exp
from typing import Final, NamedTuple

from compliance.certification.returns.blackjack.multiplier_cards import (
    Multiplied,
    multiplied_game,
)
from compliance.certification.returns.blackjack.plan import Play
from compliance.certification.returns.multiplier_weights import MultiplierWeights, mean_value
from rounds.rules.blackjack.declaration import BlackjackGame
from rounds.rules.blackjack.multipliers import HOW_MANY

_STEEPEST: Final = 50.0
"""Practically the least or the greatest value alone."""
_HALVINGS: Final = 60


class MultipliedReturn(NamedTuple):
    """The return of the main bet by play that ignores the multiplier cards."""

    per_initial: float
    per_staked: float
    without_per_initial: float
    """The same play without multiplier cards."""
    without_per_staked: float


class ImpliedCards(NamedTuple):
    """What a declared return implies about multiplier cards with any weights.

    All returns are per initial stake.
    """

    least: float
    """The lowest return of all numbers of cards and values."""
    most: float
    """The highest return of all numbers of cards and values."""
    means: Mapping[int, float]
    """By number of cards in every round: the implied mean multiplier."""
    chances: Mapping[int, Mapping[str, float]]
    """By number of cards: the maximum-entropy chances of the values with this mean, if any."""

    def is_attainable(self, declared: Fraction) -> bool:
        """Whether any weights give the declared return."""
        return self.least <= declared <= self.most


def multiplied_return(
    game: BlackjackGame, weights: MultiplierWeights, play: Play
) -> MultipliedReturn:
    """The return of a main bet with these weights, within the error of the analysis."""
    base = multiplied_by(game, play)
    adds = sum(
        float(share) * base.added(many, float(mean_value(game, weights.values[many])))
        for many, share in weights.shares.items()
    )
    gain, staked = base.gain + adds, 1.0 + base.raised
    return MultipliedReturn(
        1.0 + gain, 1.0 + gain / staked, 1.0 + base.gain, 1.0 + base.gain / staked
    )


def implied_cards(game: BlackjackGame, declared: Fraction, play: Play) -> ImpliedCards:
    """What the declared return implies about multiplier cards.

    One figure determines one mean, assuming the same number of cards in every round.
    """
    base = multiplied_by(game, play)
    values = {name: odds.won / odds.staked for name, odds in game.multipliers.items()}
    ends = [
        1.0 + base.gain + base.added(many, value) for many in HOW_MANY for value in values.values()
    ]
    means = {many: base.mean_for(many, float(declared) - 1.0 - base.gain) for many in HOW_MANY}
    return ImpliedCards(
        least=min(ends),
        most=max(ends),
        means=means,
        chances={
            many: most_even(values, mean)
            for many, mean in means.items()
            if min(values.values()) < mean < max(values.values())
        },
    )


@cache
def multiplied_by(game: BlackjackGame, play: Play) -> Multiplied:
    """The effect of multiplier cards. Raises ValueError for a game without them, or with zaps."""
    if not game.multipliers or game.zaps:
        raise ValueError("computed only for a game with multiplier cards and without zaps")
    return multiplied_game(game, play, most=max(HOW_MANY))


def most_even(values: Mapping[str, float], mean: float) -> Mapping[str, float]:
    """The maximum-entropy chances of these values with this mean.

    The mean lies strictly between the least and the greatest value. The chances are exponential in
    the value; the slope is found by bisection.
    """
    low, high = -_STEEPEST, _STEEPEST
    for _ in range(_HALVINGS):
        slope = (low + high) / 2.0
        chances = _sloping(values, slope)
        if sum(values[name] * chance for name, chance in chances.items()) < mean:
            low = slope
        else:
            high = slope
    return chances


def _sloping(values: Mapping[str, float], slope: float) -> Mapping[str, float]:
    most = max(slope * value for value in values.values())
    shares = {name: exp(slope * value - most) for name, value in values.items()}
    whole = sum(shares.values())
    return {name: share / whole for name, share in shares.items()}
