"""The bonus grid as a Markov chain: distribution of the payout of a level for given weights.

[MFB] Mega Fire Blaze Bonus lists the multipliers but not their frequencies. These are parameters
set by the operator. Computed in floats, with an error far below the tenth digit.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import comb
from typing import Final

from rounds.rules.blackjack.fire_blaze import CELLS_OF_SECTION, SPINS, Level

Chances = list[float]
"""The chance of each total, from 0."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GridWeights:
    """Frequencies in the grid of one level. Weights are relative to each other."""

    fills: float
    """The chance that a spin fills a given empty cell, above 0."""
    cells: Mapping[str, int]
    """Weight of each multiplier in a filled cell."""
    reveals: float
    """The chance that a full section reveals a boost or a star."""
    boosts: Mapping[str, int]
    stars: Mapping[str, int]
    """Weights, over boosts and stars together."""


def multiplier_chances(level: Level, weights: GridWeights) -> Mapping[int, float]:
    """The chance of each total multiplier of the level, ascending.

    A grid below the level's least total is spun again.
    Raises ValueError for multipliers that the level does not have.
    """
    _check_multipliers(level, weights)
    totals = _totals(level, weights)
    paid = sum(totals[level.least :])
    return {
        total: chance / paid
        for total, chance in enumerate(totals)
        if total >= level.least and chance
    }


def filled_chances(size: int, fills: float) -> Chances:
    """The chance of each final number of filled cells, out of ``size``.

    A spin that fills a cell resets the spin counter: from every number of empty cells the bonus
    either fills some within the remaining spins or ends.
    """
    arrives = [0.0] * size + [1.0]  # by the number of empty cells, each with all spins left
    for empty in range(size, 0, -1):
        none = (1 - fills) ** empty
        tries = sum(none**spin for spin in range(SPINS))
        for filled in range(1, empty + 1):
            share = comb(empty, filled) * fills**filled * (1 - fills) ** (empty - filled)
            arrives[empty - filled] += arrives[empty] * tries * share
        arrives[empty] *= none**SPINS
    return arrives[::-1]


def full_sections(sections: int, filled: int) -> Chances:
    """The chance of each number of full sections, given the number of filled cells."""
    size = sections * CELLS_OF_SECTION
    ways = []
    for full in range(sections + 1):
        rest = filled - full * CELLS_OF_SECTION
        open_ways = _ways_without_full(sections - full)
        ways.append(comb(sections, full) * open_ways[rest] if 0 <= rest < len(open_ways) else 0)
    return [way / comb(size, filled) for way in ways]


def _totals(level: Level, weights: GridWeights) -> Chances:
    """The chance of each total; totals above the top prize count as the top prize."""
    cap = level.most
    cell = _distribution(weights.cells, cap)
    cells = _powers(cell, level.sections * CELLS_OF_SECTION, cap)
    sections = _powers(_section(cells[CELLS_OF_SECTION], weights, cap), level.sections, cap)
    totals = [0.0] * (cap + 1)
    loose = [[0.0] * (cap + 1) for _ in sections]
    for filled, chance in enumerate(filled_chances(len(cells) - 1, weights.fills)):
        for full, share in enumerate(full_sections(level.sections, filled)):
            if share:
                _add(loose[full], cells[filled - full * CELLS_OF_SECTION], chance * share)
    for section, others in zip(sections, loose, strict=True):
        _add(totals, _sum_of(section, others, cap), 1.0)
    return totals


def _section(six: Chances, weights: GridWeights, cap: int) -> Chances:
    """The chance of each total of a full section, boost or star included."""
    offers = sum(weights.boosts.values()) + sum(weights.stars.values())
    reveals = weights.reveals if offers else 0.0
    section = [0.0] * (cap + 1)
    _add(section, six, 1 - reveals)
    for total, chance in enumerate(six):
        for boost, weight in weights.boosts.items():
            section[min(total * int(boost), cap)] += chance * reveals * weight / offers
        for star, weight in weights.stars.items():
            section[min(total + int(star), cap)] += chance * reveals * weight / offers
    return section


def _powers(chances: Chances, most: int, cap: int) -> list[Chances]:
    """The distributions of the sum of 0, 1, 2 … independent draws."""
    powers = [[1.0] + [0.0] * cap]
    for _ in range(most):
        powers.append(_sum_of(powers[-1], chances, cap))
    return powers


def _sum_of(left: Chances, right: Chances, cap: int) -> Chances:
    """The distribution of the sum of two independent totals."""
    terms = [(value, chance) for value, chance in enumerate(right) if chance]
    sums = [0.0] * (cap + 1)
    for total, chance in enumerate(left):
        if chance:
            for value, share in terms:
                sums[min(total + value, cap)] += chance * share
    return sums


def _distribution(weights: Mapping[str, int], cap: int) -> Chances:
    whole = sum(weights.values())
    chances = [0.0] * (cap + 1)
    for value, weight in weights.items():
        chances[int(value)] += weight / whole
    return chances


def _add(totals: Chances, more: Chances, share: float) -> None:
    for total, chance in enumerate(more):
        totals[total] += chance * share


def _ways_without_full(sections: int) -> Sequence[int]:
    """Number of ways to fill each number of cells without completing a section."""
    ways = [1]
    for _ in range(sections):
        longer = [0] * (len(ways) + _LEFT_OPEN)
        for filled, way in enumerate(ways):
            for more in range(CELLS_OF_SECTION):
                longer[filled + more] += way * comb(CELLS_OF_SECTION, more)
        ways = longer
    return ways


_LEFT_OPEN: Final = CELLS_OF_SECTION - 1
"""Maximum number of filled cells in an open section."""


def _check_multipliers(level: Level, weights: GridWeights) -> None:
    for name, weighted, known in (
        ("cells", weights.cells, level.cells),
        ("boosts", weights.boosts, level.boosts),
        ("stars", weights.stars, level.stars),
    ):
        foreign = sorted(set(weighted) - known, key=int)
        if foreign:
            raise ValueError(f"{name}: the level has no {', '.join(foreign)}")
