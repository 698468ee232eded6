"""How often multiplier cards come: the operator's to say. [QB] Carte moltiplicatrici.

The sheet prints how many cards a round may have and what they may multiply by. Which of the 52
cards they are, all different, is taken to be as likely for each, and what one multiplies by not to
depend on the others.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from rounds.rules.blackjack.declaration import BlackjackGame


@dataclass(frozen=True, slots=True, kw_only=True)
class MultiplierWeights:
    """How often a round has so many multiplier cards, and each of them which value.

    Weights are relative to each other.
    """

    rounds: Mapping[int, int]
    """How often a round has each number of cards."""
    values: Mapping[int, Mapping[str, int]]
    """By that number, how often a card multiplies by what."""

    @property
    def shares(self) -> Mapping[int, Fraction]:
        """The chance of each number of cards, where it is above 0."""
        whole = sum(self.rounds.values())
        return {many: Fraction(weight, whole) for many, weight in self.rounds.items() if weight}


def mean_value(game: BlackjackGame, weights: Mapping[str, int]) -> Fraction:
    """What a multiplier card multiplies by on average with these weights."""
    whole = sum(weights.values())
    terms = (
        Fraction(game.multipliers[value].won, game.multipliers[value].staked) * weight
        for value, weight in weights.items()
    )
    return sum(terms, Fraction()) / whole
