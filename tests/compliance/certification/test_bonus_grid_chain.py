"""The bonus grid with an operator's weights, against counts by hand."""

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, product
from math import comb, isclose

import pytest

from compliance.certification.returns.bonus_grid import (
    GridWeights,
    filled_chances,
    full_sections,
    multiplier_chances,
)
from compliance.certification.returns.bonus_return import bonus_return, implied_means
from compliance.certification.returns.declared_returns import declared_return
from compliance.certification.returns.fire_blaze import level_chances
from rounds.rules.blackjack.fire_blaze import Level
from rounds.rules.blackjack.games.live_blackjack import GAME as WITHOUT_BONUS
from rounds.rules.blackjack.games.mega_fire_blaze import FIRE_BLAZE, GAME
from rounds.rules.facts import Bonus
from tests.rounds.rules.dealing import MEGA_FIRE_BLAZE

LEVELS = FIRE_BLAZE.levels
MINOR = GridWeights(fills=0.25, cells={"1": 3, "2": 1}, reveals=0.5, boosts={"2": 1}, stars={})


def mean_multiplier(level: Level, weights: GridWeights) -> float:
    """The mean payout of a level per unit staked."""
    return sum(total * chance for total, chance in multiplier_chances(level, weights).items())


def even(level: str) -> GridWeights:
    """Weights of a level with equal chances."""
    shown = LEVELS[level]
    return GridWeights(
        fills=0.1,
        cells=dict.fromkeys(shown.cells, 1),
        reveals=0.5,
        boosts=dict.fromkeys(shown.boosts, 1),
        stars=dict.fromkeys(shown.stars, 1),
    )


def spun_out(empty: int, left: int, chance: Fraction) -> Mapping[int, Fraction]:
    """The distribution of empty cells at the end, spin by spin."""
    if not empty or not left:
        return {empty: Fraction(1)}
    ends: dict[int, Fraction] = {}
    for filled in range(empty + 1):
        share = comb(empty, filled) * chance**filled * (1 - chance) ** (empty - filled)
        after = spun_out(empty - filled, 3 if filled else left - 1, chance)
        for end, further in after.items():
            ends[end] = ends.get(end, Fraction()) + share * further
    return ends


class TestTheSpins:
    """Three spins, and three again after each that fills a cell."""

    def test_of_one_section_end_as_counted_spin_by_spin(self) -> None:
        """Six cells, each filled by one spin in four."""
        counted = spun_out(6, 3, Fraction(1, 4))

        for filled, chance in enumerate(filled_chances(6, 0.25)):
            assert isclose(chance, counted[6 - filled], rel_tol=1e-12)

    def test_of_six_sections_end_somewhere(self) -> None:
        """The chances add up to one, with all cells filled at once too."""
        assert isclose(sum(filled_chances(36, 0.1)), 1, rel_tol=1e-12)
        assert filled_chances(36, 1.0)[36] == 1


class TestFullSections:
    """All sets of filled cells are equally likely."""

    @pytest.mark.parametrize("filled", range(13))
    def test_of_two_are_those_of_all_subsets(self, filled: int) -> None:
        """Twelve cells, every choice of so many."""
        counts = [0, 0, 0]
        for cells in combinations(range(12), filled):
            counts[sum(sum(cell // 6 == half for cell in cells) == 6 for half in (0, 1))] += 1

        assert full_sections(2, filled) == [count / comb(12, filled) for count in counts]


class TestTheTotal:
    """Cells, boosts and stars, between the least and the top prize."""

    def test_of_the_minor_level_is_that_of_all_grids(self) -> None:
        """All ways to fill one section with 1 (three of four) and 2, boosted every other time."""
        totals: dict[int, float] = {}
        for filled, chance in enumerate(filled_chances(6, 0.25)):
            for cells in product((1, 2), repeat=filled):
                share = chance * 0.75 ** cells.count(1) * 0.25 ** cells.count(2)
                boosts = (1, 2) if filled == 6 else (1, 1)
                for boost in boosts:
                    total = sum(cells) * boost
                    totals[total] = totals.get(total, 0) + share / 2
        paid = {total: chance for total, chance in totals.items() if total >= 2}

        chances = multiplier_chances(LEVELS["minor"], MINOR)

        assert set(chances) == set(paid)
        for total, chance in chances.items():
            assert isclose(chance, paid[total] / sum(paid.values()), rel_tol=1e-12)

    def test_is_accepted_by_the_settlement(self) -> None:
        """A full minor grid of twos, boosted, is 24; of ones, plain, 6; there is no 23."""
        sixes = ["1:1 2:1 3:1 4:1 5:1 6:1", "1:2 2:2 3:2 4:2 5:2 6:2"]
        spins = [
            tuple((int(cell), value) for cell, value in (pair.split(":") for pair in text.split()))
            for text in sixes
        ]
        plain = Bonus("minor", (spins[0],), (), "6")
        boosted = Bonus("minor", (spins[1],), (("1", "boost", "2"),), "24")

        assert FIRE_BLAZE.grid_is_right(plain)
        assert FIRE_BLAZE.grid_is_right(boosted)
        assert {6, 24} <= set(multiplier_chances(LEVELS["minor"], MINOR))
        assert 23 not in multiplier_chances(LEVELS["minor"], MINOR)

    @pytest.mark.parametrize("level", LEVELS)
    def test_stays_between_the_printed_prizes(self, level: str) -> None:
        """With any multipliers."""
        chances = multiplier_chances(LEVELS[level], even(level))

        assert isclose(sum(chances.values()), 1, rel_tol=1e-12)
        assert min(chances) >= LEVELS[level].least
        assert max(chances) == LEVELS[level].most

    def test_of_values_unknown_to_the_level_is_refused(self) -> None:
        """The minor level has no fives and no stars."""
        with pytest.raises(ValueError, match="cells: the level has no 5"):
            mean_multiplier(LEVELS["minor"], replace(MINOR, cells={"1": 1, "5": 1}))
        with pytest.raises(ValueError, match="stars: the level has no 10, 20"):
            mean_multiplier(LEVELS["minor"], replace(MINOR, stars={"20": 1, "10": 1}))


class TestTheBet:
    """Levels and grid together."""

    @pytest.mark.slow
    def test_returns_the_levels_times_their_means(self) -> None:
        """The sum over the levels; who reaches one has won. The variance is about that return."""
        weights = {level: even(level) for level in LEVELS}

        computed = bonus_return(GAME, weights)

        chances = level_chances(GAME)
        assert isclose(
            computed.rtp,
            sum(
                float(chances[level]) * mean_multiplier(LEVELS[level], weights[level])
                for level in LEVELS
            ),
        )
        assert isclose(computed.hit_frequency, 0.060741, abs_tol=5e-7)
        spread = sum(
            float(chances[level]) * chance * (paid - computed.rtp) ** 2
            for level in LEVELS
            for paid, chance in multiplier_chances(LEVELS[level], weights[level]).items()
        )
        lost = 1 - computed.hit_frequency
        assert isclose(computed.variance, spread + lost * computed.rtp**2)

    def test_needs_the_weights_of_every_level(self) -> None:
        """There are no defaults."""
        with pytest.raises(ValueError, match="needed for minor, mini, major, grand, mega"):
            bonus_return(GAME, {"minor": MINOR})

    def test_is_undefined_for_other_games(self) -> None:
        """Blackjack has no bonus."""
        with pytest.raises(ValueError, match="no bonus"):
            implied_means(WITHOUT_BONUS, Fraction(1))


class TestTheDeclaredReturn:
    """[MFB] declares 97.47 % and no weights."""

    @pytest.mark.slow
    def test_is_attainable(self) -> None:
        """Between 21.54 % with every least and 882.93 % with every top prize."""
        figure = declared_return(MEGA_FIRE_BLAZE, "mega_fire_blaze")
        assert figure is not None

        implied = implied_means(GAME, figure.share)

        assert implied.is_attainable
        assert (f"{float(implied.least):.4f}", f"{float(implied.most):.4f}") == ("0.2154", "8.8293")

    @pytest.mark.slow
    def test_follows_from_the_implied_means(self) -> None:
        """The level probabilities times these means give 97.47 %; all means are scaled alike."""
        implied = implied_means(GAME, Fraction(9_747, 10_000))

        chances = level_chances(GAME)
        assert sum(chances[level] * mean for level, mean in implied.means.items()) == Fraction(
            9_747, 10_000
        )
        assert {
            (mean - LEVELS[level].least) / (LEVELS[level].most - LEVELS[level].least)
            for level, mean in implied.means.items()
        } == {implied.share}

    def test_beyond_all_prizes_is_not_attainable(self) -> None:
        """Nine times the stake is more than all top prizes return."""
        assert not implied_means(GAME, Fraction(9)).is_attainable
        assert not implied_means(GAME, Fraction(1, 10)).is_attainable
