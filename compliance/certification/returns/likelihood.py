"""Chances of bet outcomes and of series of wins. Pure: no database.

Chances are those of a fresh shoe. A series counts one bet per round, because bets of a round share
its cards. Rounds of one shoe are treated as independent, which they nearly are
(`docs/monitoring.md`).
"""

from collections.abc import Iterable
from fractions import Fraction
from math import exp, fsum, lgamma, log
from typing import NamedTuple

from compliance.certification.returns.exact_returns import Outcome


class OutcomeChances(NamedTuple):
    """Chances of win, push and loss; they add up to one."""

    win: Fraction
    """The payout exceeds the stake."""
    push: Fraction
    """The payout equals the stake."""
    lose: Fraction


class Tail(NamedTuple):
    """Tail probability of a number of wins."""

    chance: float
    is_below: bool
    """Whether the number of wins is below the mean."""


def outcome_chances(outcomes: Iterable[Outcome]) -> OutcomeChances:
    """The chances of win, push and loss of these outcomes."""
    sums = {1: Fraction(), 0: Fraction(), -1: Fraction()}
    for outcome in outcomes:
        sums[(outcome.pays > 1) - (outcome.pays < 1)] += outcome.probability
    return OutcomeChances(sums[1], sums[0], sums[-1])


def wins_chances(rounds: int, chance: Fraction) -> list[float]:
    """Binomial distribution of wins: the chance of each number, from 0.

    Raises ValueError unless the chance lies strictly between 0 and 1.
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
    """The lower tail where ``wins`` is below the mean, else the upper tail."""
    chances = wins_chances(rounds, chance)
    is_below = wins < rounds * chance
    counted = chances[: wins + 1] if is_below else chances[wins:]
    return Tail(min(fsum(counted), 1.0), is_below)
