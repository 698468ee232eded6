"""How likely it is that bets end as they did. Pure: no database.

Chances are those of a freshly shuffled shoe. A series counts one bet of each round, because bets of
one round share its cards; rounds of one shoe are taken as independent, which they nearly are
(`docs/monitoring.md`).
"""

from collections.abc import Iterable
from fractions import Fraction
from math import exp, fsum, lgamma, log
from typing import NamedTuple

from compliance.certification.exact import Outcome


class Ends(NamedTuple):
    """How often bets of a kind end how; the three add up to one."""

    win: Fraction
    """More comes back than was staked."""
    push: Fraction
    """The stake comes back."""
    lose: Fraction


class Tail(NamedTuple):
    """How likely a number of wins is that lies as far from the average, or farther."""

    chance: float
    is_below: bool
    """Whether fewer were won than are on average."""


def ends_of(outcomes: Iterable[Outcome]) -> Ends:
    """What all ways in which a bet can end come to."""
    sums = {1: Fraction(), 0: Fraction(), -1: Fraction()}
    for one in outcomes:
        sums[(one.pays > 1) - (one.pays < 1)] += one.probability
    return Ends(sums[1], sums[0], sums[-1])


def wins_chances(rounds: int, chance: Fraction) -> list[float]:
    """The chance of each number of wins, from 0, in so many rounds.

    ValueError for a chance of 0 or 1, with which there is nothing to tell.
    """
    if not 0 < chance < 1:
        raise ValueError(f"found a chance of {chance}; needed one between 0 and 1")
    won, lost = log(chance), log(1 - chance)
    whole = lgamma(rounds + 1)
    return [
        exp(
            whole
            - lgamma(wins + 1)
            - lgamma(rounds - wins + 1)
            + wins * won
            + (rounds - wins) * lost
        )
        for wins in range(rounds + 1)
    ]


def tail_of(rounds: int, wins: int, chance: Fraction) -> Tail:
    """So many wins or fewer, where it is less than the average; or as many and more."""
    chances = wins_chances(rounds, chance)
    is_below = wins < rounds * chance
    counted = chances[: wins + 1] if is_below else chances[wins:]
    return Tail(min(fsum(counted), 1.0), is_below)
