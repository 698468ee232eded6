"""Frequencies of multiplier cards, set by the operator. [QB] Carte moltiplicatrici.

The sheet prints the possible numbers of cards and multipliers. The cards are assumed to be distinct
and equally likely, their multipliers independent.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from rounds.rules.blackjack.declaration import BlackjackGame


@dataclass(frozen=True, slots=True, kw_only=True)
class MultiplierWeights:
    """Weights of the numbers of multiplier cards and of their values.

    Weights are relative to each other.
    """

    rounds: Mapping[int, int]
    """Weight of each number of cards per round."""
    values: Mapping[int, Mapping[str, int]]
    """By number of cards: weight of each multiplier."""

    @property
    def shares(self) -> Mapping[int, Fraction]:
        """The chance of each number of cards, zeros left out."""
        whole = sum(self.rounds.values())
        return {many: Fraction(weight, whole) for many, weight in self.rounds.items() if weight}


def mean_value(game: BlackjackGame, weights: Mapping[str, int]) -> Fraction:
    """The mean multiplier of a card with these weights."""
    whole = sum(weights.values())
    terms = (
        Fraction(game.multipliers[value].won, game.multipliers[value].staked) * weight
        for value, weight in weights.items()
    )
    return sum(terms, Fraction()) / whole
