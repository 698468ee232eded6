"""The cards that multiply what a winning hand is paid ([QB] Carte moltiplicatrici)."""

from collections.abc import Iterable
from random import Random
from typing import Final

from rounds.rules.cards import CARDS
from rounds.simulation.chance import pick

_HOW_MANY: Final = (3, 3, 5)


def draw_multipliers(rng: Random, values: Iterable[str]) -> tuple[tuple[str, str], ...]:
    """Three different cards, now and then five, each with one of the values."""
    choice = [*values]
    wanted = pick(rng, _HOW_MANY)
    multipliers: dict[str, str] = {}
    while len(multipliers) < wanted:
        multipliers[pick(rng, CARDS)] = pick(rng, choice)
    return tuple(multipliers.items())
