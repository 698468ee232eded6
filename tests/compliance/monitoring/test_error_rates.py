"""The exact comparison of error rates, against published examples."""

from fractions import Fraction
from math import comb, fsum
from typing import Final

import pytest

from compliance.monitoring.statistics.error_rates import (
    LEVEL,
    Stratum,
    adjusted_chances,
    error_distribution,
    expected_errors,
)

RABBITS: Final = [
    Stratum(6, 11, 0),
    Stratum(6, 12, 3),
    Stratum(6, 12, 8),
    Stratum(6, 12, 11),
    Stratum(2, 7, 7),
]
"""Rabbits cured by penicillin without delay, of all treated, at five doses (Mantel 1963)."""
BENJAMINI: Final = (0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344)
"""The first of fifteen chances (Benjamini and Hochberg 1995, section 3.2)."""
OTHERS: Final = (0.0459, 0.3240, 0.4262, 0.5719, 0.6528, 0.7590, 1.0)


class TestTheExactTest:
    def test_of_one_table_is_fishers(self) -> None:
        """The lady tasting tea (Fisher 1935): three of four cups or better, 17 of 70."""
        chance = error_distribution([Stratum(4, 8, 4)]).at_least(3)

        assert chance == pytest.approx(17 / 70)

    def test_of_several_tables_is_that_of_mantels_rabbits(self) -> None:
        """16 cured; the exact conditional test gives 0.03994, both sides (manual of R)."""
        distribution = error_distribution(RABBITS)

        as_rare = distribution.chances[16 - distribution.least] * (1 + 1e-7)
        both = fsum(chance for chance in distribution.chances if chance <= as_rare)
        assert both == pytest.approx(0.03994, abs=5e-6)
        assert distribution.at_least(16) == pytest.approx(both / 2)

    @pytest.mark.parametrize("stratum", [(30, 100, 7), (99, 100, 50), (1, 2, 1), (40, 41, 41)])
    def test_is_exact(self, stratum: tuple[int, int, int]) -> None:
        """Against the definition in integers."""
        own, rounds, errors = stratum
        ways = [
            comb(errors, number) * comb(rounds - errors, own - number)
            for number in range(min(own, errors) + 1)
        ]

        distribution = error_distribution([Stratum(*stratum)])

        for number in range(len(ways)):
            exact = Fraction(sum(ways[number:]), comb(rounds, own))
            assert distribution.at_least(number) == pytest.approx(float(exact), abs=1e-15)

    def test_has_the_mean_that_is_shown(self) -> None:
        """Of millions of rounds as well."""
        strata = [Stratum(120_000, 2_000_000, 900), Stratum(500, 900, 3), Stratum(5, 5, 2)]

        least, chances = error_distribution(strata)

        mean = fsum(number * chance for number, chance in enumerate(chances, least))
        assert mean == pytest.approx(expected_errors(strata)) == pytest.approx(54 + 5 / 3 + 2)

    def test_says_nothing_of_somebody_who_was_alone(self) -> None:
        """All errors of the table are those of its only dealer, whatever their number."""
        assert error_distribution([Stratum(500, 500, 40)]).at_least(40) == 1.0


class TestTheCorrection:
    def test_names_fewer_than_are_rare_each(self) -> None:
        """Of nine chances of 5 % at most, step by step three stay: 0.0095 is over 0.05 / 12."""
        chances = {str(place): chance for place, chance in enumerate((*BENJAMINI, *OTHERS))}

        adjusted = adjusted_chances(chances)

        assert [name for name, chance in adjusted.items() if chance <= LEVEL] == ["0", "1", "2"]
        assert adjusted["2"] == pytest.approx(13 * 0.0019)
        assert max(adjusted.values()) == 1.0

    def test_keeps_the_order(self) -> None:
        """An adjusted chance is never below that of a smaller one."""
        assert adjusted_chances({"a": 0.03, "b": 0.02, "c": 0.021}) == pytest.approx(
            {"b": 0.06, "c": 0.06, "a": 0.06}
        )
