"""Whether somebody makes more errors than the others at the same tables. Pure: no database.

Given how many errors each table had, errors that are equally likely in every round fall on a
dealer's rounds as marked balls fall into a sample: by the hypergeometric distribution of each
table, added over the tables. This is Fisher's exact test of several two-by-two tables (Fisher 1935;
Gart 1970), one-sided. No table's rate is estimated, so a dealer who works at a difficult table is
compared only with those who worked there too.

Several persons are compared at once, and their errors are dependent: they share the errors of
their tables. Holm's correction (1979) is valid for any dependence: the chance that it names anybody
who is as the others is at most its level.
"""

from collections.abc import Mapping, Sequence
from math import fsum
from typing import Final, NamedTuple

LEAST_ROUNDS: Final = 200
"""Minimum number of rounds of a comparison: fewer say nothing about a person."""
LEVEL: Final = 0.05
"""Chance that a review names anybody who makes no more errors than the others."""

_NEGLIGIBLE: Final = 1e-20
"""Chances that are smaller are left out."""


class Stratum(NamedTuple):
    """The rounds that are compared with each other, such as those of one table and rule set."""

    own_rounds: int
    rounds: int
    """Of everybody, the own ones included."""
    errors: int
    """Of everybody, at most one a round."""


class Distribution(NamedTuple):
    """Chances of ``least``, ``least + 1``, … errors."""

    least: int
    chances: Sequence[float]

    def at_least(self, errors: int) -> float:
        """The chance of so many errors or more."""
        return min(fsum(self.chances[max(errors - self.least, 0) :]), 1.0)


def expected_errors(strata: Sequence[Stratum]) -> float:
    """The expected number of own errors, if everybody makes as many."""
    return fsum(stratum.own_rounds * stratum.errors / stratum.rounds for stratum in strata)


def error_distribution(strata: Sequence[Stratum]) -> Distribution:
    """The distribution of the own errors, given the errors of everybody in each stratum."""
    total = Distribution(0, [1.0])
    for stratum in strata:
        added = _hypergeometric(stratum)
        sums = _convolved(total.chances, added.chances)
        total = _trimmed(Distribution(total.least + added.least, sums))
    return total


def adjusted_chances(chances: Mapping[str, float]) -> dict[str, float]:
    """Holm's adjusted chances: those of at most a level are named at this level together."""
    adjusted: dict[str, float] = {}
    highest = 0.0
    ordered = sorted(chances, key=lambda name: (chances[name], name))
    for place, name in enumerate(ordered):
        highest = max(highest, min((len(ordered) - place) * chances[name], 1.0))
        adjusted[name] = highest
    return adjusted


def _hypergeometric(stratum: Stratum) -> Distribution:
    """Computed outwards from the mode by the ratio of neighbours, and scaled to a sum of 1."""
    own, rounds, errors = stratum
    least, most = max(0, own + errors - rounds), min(own, errors)
    mode = min(max((own + 1) * (errors + 1) // (rounds + 2), least), most)
    above, below = [1.0], [1.0]
    for number in range(mode, most):
        more = (errors - number) * (own - number)
        above.append(above[-1] * more / ((number + 1) * (rounds - errors - own + number + 1)))
        if above[-1] < _NEGLIGIBLE:
            break
    for number in range(mode, least, -1):
        fewer = number * (rounds - errors - own + number)
        below.append(below[-1] * fewer / ((errors - number + 1) * (own - number + 1)))
        if below[-1] < _NEGLIGIBLE:
            break
    weights = [*below[:0:-1], *above]
    total = fsum(weights)
    return Distribution(mode - len(below) + 1, [weight / total for weight in weights])


def _trimmed(distribution: Distribution) -> Distribution:
    least, chances = distribution
    kept = [place for place, chance in enumerate(chances) if chance >= _NEGLIGIBLE]
    return Distribution(least + kept[0], chances[kept[0] : kept[-1] + 1])


def _convolved(left: Sequence[float], right: Sequence[float]) -> list[float]:
    sums = [0.0] * (len(left) + len(right) - 1)
    for place, chance in enumerate(right):
        for offset, other in enumerate(left, start=place):
            sums[offset] += chance * other
    return sums
