"""What a main bet returns with an operator's multiplier cards, and what a declared return implies.

As long as the play ignores the cards, what they add is a plain sum (`blackjack.multiplied`): of how
often a round has so many, and of what one multiplies by on average. Nothing else of the weights
matters to the return.
"""

from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from math import exp
from typing import Final, NamedTuple

from compliance.certification.blackjack.multiplied import Multiplied, multiplied_game
from compliance.certification.blackjack.plan import Play
from compliance.certification.multiplier_weights import MultiplierWeights, mean_value
from rounds.rules.blackjack.declaration import BlackjackGame
from rounds.rules.blackjack.multipliers import HOW_MANY

_STEEPEST: Final = 50.0
"""As good as the least or the greatest value alone."""
_HALVINGS: Final = 60


class MultipliedReturn(NamedTuple):
    """The return of the main bet with multiplier cards that the play does not look at."""

    per_initial: float
    per_staked: float
    without_per_initial: float
    """The same play without such cards."""
    without_per_staked: float


class ImpliedCards(NamedTuple):
    """What a declared return says about multiplier cards, whatever their weights are.

    All returns are of the initial stake.
    """

    least: float
    """The return if every card had the least value, in the number that returns less."""
    most: float
    """The return if every card had the greatest value, in the number that returns more."""
    means: Mapping[int, float]
    """By how many cards every round has: what one has to multiply by on average."""
    chances: Mapping[int, Mapping[str, float]]
    """By the same, where there are any: the most even chances of the values with this average."""

    def is_attainable(self, declared: Fraction) -> bool:
        """Whether some weights give the declared return."""
        return self.least <= declared <= self.most


def multiplied_return(
    game: BlackjackGame, weights: MultiplierWeights, play: Play
) -> MultipliedReturn:
    """The return of a main bet with these weights; as near as the analysis."""
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
    """What multiplier cards have to be like for the main bet to return what is declared.

    One figure tells one average, and only if every round has as many cards.
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
    """What multiplier cards do to a game. ValueError for one that has none, or that zaps."""
    if not game.multipliers or game.zaps:
        raise ValueError("worked out for a game with multiplier cards in which nobody zaps")
    return multiplied_game(game, play, most=max(HOW_MANY))


def most_even(values: Mapping[str, float], mean: float) -> Mapping[str, float]:
    """Of all chances of these values with this mean, those with the greatest entropy.

    The mean lies between the least and the greatest value. Each chance is then a power of one
    number, which is found by halving.
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
