"""The likelihood of numbers of wins, against binomial figures."""

from fractions import Fraction
from math import comb, fsum

import pytest

from compliance.certification.returns.exact_returns import Outcome
from compliance.certification.returns.likelihood import outcome_chances, tail_of, wins_chances

HALF = Fraction(1, 2)


class TestTheEndsOfABet:
    def test_are_those_that_pay_more_the_same_and_less(self) -> None:
        """Of a bet that gives back half on a third of its losses."""
        outcomes = [
            Outcome("win", Fraction(1, 10), Fraction(9)),
            Outcome("straight", Fraction(2, 10), Fraction(3, 2)),
            Outcome("tie", Fraction(1, 10), Fraction(1)),
            Outcome("surrender", Fraction(2, 10), HALF),
            Outcome("lose", Fraction(4, 10), Fraction(0)),
        ]

        ends = outcome_chances(outcomes)

        assert ends == (Fraction(3, 10), Fraction(1, 10), Fraction(6, 10))


class TestNumbersOfWins:
    def test_of_four_tosses_of_a_coin(self) -> None:
        """1, 4, 6, 4, 1 of 16."""
        assert wins_chances(4, HALF) == pytest.approx([n / 16 for n in (1, 4, 6, 4, 1)])

    def test_add_up_to_one_for_many_rounds(self) -> None:
        """5,000 rounds of a bet that wins once in 463."""
        assert fsum(wins_chances(5_000, Fraction(1, 463))) == pytest.approx(1)

    def test_need_a_chance_between_0_and_1(self) -> None:
        """Both limits are refused."""
        for chance in (Fraction(0), Fraction(1)):
            with pytest.raises(ValueError, match="needed one between 0 and 1"):
                wins_chances(3, chance)


class TestTheTail:
    def test_is_fewer_where_there_were_few(self) -> None:
        """2 of 10 tosses or fewer: 56 of 1,024."""
        tail = tail_of(10, 2, HALF)

        assert tail.is_below
        assert tail.chance == pytest.approx(sum(comb(10, wins) for wins in range(3)) / 1024)

    def test_is_more_where_there_were_many(self) -> None:
        """9 of 10 tosses or more: 11 of 1,024."""
        tail = tail_of(10, 9, HALF)

        assert not tail.is_below
        assert tail.chance == pytest.approx(11 / 1024)
