"""Chi-square tests of shoes: printed tables, shuffled, stacked and short shoes."""

import random
from math import exp, factorial, sqrt

import pytest

from compliance.monitoring.statistics.card_draws import Dealt, read_draws
from compliance.monitoring.statistics.chi_square import (
    ChiSquare,
    chance_beyond,
    of_draws,
    of_shoe,
)
from rounds.rules.cards import CARDS
from rounds.simulation.chance import generator
from rounds.simulation.shoe import ShuffledShoe
from tests.compliance.monitoring.dealt_rounds import draws_of, full_shoe

DECKS = 8
SHOES = 400
TABLES = 200
KOLMOGOROV = 1.628
"""The distance from uniform shares, by the root of their number, that 1 of 100 goes beyond."""


def counted(cards: list[str]) -> list[int]:
    """The count of each card."""
    return [cards.count(card) for card in CARDS]


def judged(cards: list[str], *, decks: int = DECKS) -> ChiSquare:
    """The result for these cards of a shoe."""
    table = of_shoe(counted(cards), decks=decks)
    assert table is not None
    return table


def judged_draws(rounds: list[Dealt]) -> ChiSquare | None:
    """The result for these rounds."""
    draws = read_draws(rounds, decks=DECKS)
    return of_draws(draws.dealt.tolist(), draws.expected.tolist(), draws.variance.tolist())


def distance_from_uniform(chances: list[float]) -> float:
    """The Kolmogorov statistic times the root of the number of values."""
    number = len(chances)
    farthest = max(
        max((place + 1) / number - chance, chance - place / number)
        for place, chance in enumerate(sorted(chances))
    )
    return farthest * sqrt(number)


def dealt_to_the_cut_card(number: int) -> list[str]:
    """The cards that are seen of one of the simulator's shoes; the first five are burnt."""
    shoe = ShuffledShoe(decks=DECKS, rng=generator("chi-square", number))
    shoe.discard(5)
    cards = []
    while not shoe.cut_card_is_out:
        cards.append(shoe.draw())
    return cards


class TestTheChance:
    @pytest.mark.parametrize(
        ("degrees", "statistic", "printed"),
        [
            (1, 3.841, 0.05),
            (1, 6.635, 0.01),
            (10, 18.307, 0.05),
            (10, 3.940, 0.95),
            (51, 68.669, 0.05),
            (100, 124.342, 0.05),
        ],
    )
    def test_is_that_of_printed_tables(
        self, degrees: int, statistic: float, printed: float
    ) -> None:
        """Quantiles with three decimals, from tables of the distribution."""
        assert chance_beyond(statistic, degrees) == pytest.approx(printed, abs=2e-5)

    @pytest.mark.parametrize("statistic", [0.0, 0.01, 1.0, 9.0, 11.99, 12.01, 40.0, 400.0])
    def test_is_a_sum_where_degrees_are_even(self, statistic: float) -> None:
        """On ten: exp(-x/2) times the sum of (x/2)^k / k! up to four, on both sides of the mode."""
        half = statistic / 2
        expected = exp(-half) * sum(half**power / factorial(power) for power in range(5))

        assert chance_beyond(statistic, 10) == pytest.approx(expected, rel=1e-12)

    @pytest.mark.parametrize(("statistic", "degrees"), [(-1.0, 3), (1.0, 0), (float("nan"), 3)])
    def test_needs_valid_arguments(self, statistic: float, degrees: int) -> None:
        """A negative statistic is refused."""
        with pytest.raises(ValueError, match="needed 0 or more on 1 or more"):
            chance_beyond(statistic, degrees)


class TestAShoe:
    def test_is_held_to_drawing_without_replacement(self) -> None:
        """Half of one deck differs by half a card everywhere, whichever half: 26 · 51/26 = 51."""
        table = judged(list(CARDS[:26]), decks=1)

        assert table.statistic == pytest.approx(51.0)
        assert table.degrees == 51

    def test_is_not_judged_by_too_few_cards(self) -> None:
        """23² / 52 is ten, seen or unseen; 22 are too few, and 22 that are left."""
        shoe = full_shoe(random.Random(1))

        assert of_shoe(counted(shoe[:22]), decks=DECKS) is None
        assert of_shoe(counted(shoe[:23]), decks=DECKS) is not None
        assert of_shoe(counted(shoe[23:]), decks=DECKS) is not None
        assert of_shoe(counted(shoe[22:]), decks=DECKS) is None

    def test_that_is_shuffled_has_uniform_p_values(self) -> None:
        """Kolmogorov's test at the 1 % level."""
        chances = [judged(dealt_to_the_cut_card(number)).chance for number in range(SHOES)]

        assert distance_from_uniform(chances) < KOLMOGOROV

    def test_with_twice_as_many_kings_is_found(self) -> None:
        """32 additional kings, 300 cards dealt: a p-value below 0.00001."""
        cards = [*full_shoe(random.Random(1)), *[f"K{suit}" for suit in "SHDC"] * DECKS]
        random.Random(2).shuffle(cards)

        assert judged(cards[:300]).chance < 1e-5


class TestATable:
    def test_that_deals_shuffled_shoes_has_uniform_p_values(self) -> None:
        """Three shoes per table, the same level."""
        dice = random.Random(20261122)
        tables = [
            judged_draws([draws_of(full_shoe(dice), number=300) for _shoe in range(3)])
            for _table in range(TABLES)
        ]

        chances = [table.chance for table in tables if table is not None]
        assert len(chances) == TABLES
        assert distance_from_uniform(chances) < KOLMOGOROV

    def test_that_deals_one_card_twice_as_often_is_found(self) -> None:
        """Eight aces of spades too many in each of ten shoes."""
        dice = random.Random(20261122)
        rounds = []
        for _ in range(10):
            cards = [*full_shoe(dice), *["AS"] * DECKS]
            dice.shuffle(cards)
            rounds.append(draws_of(cards, number=300))

        judged_shoes = judged_draws(rounds)

        assert judged_shoes is not None
        assert judged_shoes.chance < 1e-6

    def test_is_not_judged_by_too_few_cards(self) -> None:
        """Five of each kind are 260."""
        cards = full_shoe(random.Random(1))

        assert judged_draws([draws_of(cards, number=259)]) is None
        assert judged_draws([draws_of(cards, number=260)]) is not None
