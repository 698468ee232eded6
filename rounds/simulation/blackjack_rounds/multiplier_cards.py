"""Simulated multiplier cards ([QB] Carte moltiplicatrici)."""

from collections.abc import Mapping
from random import Random

from rounds.rules.cards import CARDS
from rounds.simulation.chance import pick, pick_weighted
from rounds.simulation.weights import CardWeights


def draw_multipliers(
    rng: Random, weights: Mapping[int, CardWeights]
) -> tuple[tuple[str, str], ...]:
    """Different cards, uniformly drawn; their number and values are drawn by weight."""
    many = pick_weighted(rng, {many: card_weights.weight for many, card_weights in weights.items()})
    multipliers: dict[str, str] = {}
    while len(multipliers) < many:
        multipliers[pick(rng, CARDS)] = pick_weighted(rng, weights[many].values)
    return tuple(multipliers.items())
