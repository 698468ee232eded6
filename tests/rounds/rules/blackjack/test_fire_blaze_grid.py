"""The grid of the Mega Fire Blaze bonus, and anomaly ``bonus-grid``."""

import pytest

from rounds.rules.blackjack.games.mega_fire_blaze import FIRE_BLAZE
from rounds.rules.facts import Bonus
from tests.rounds.rules.blackjack.fire_blaze_rounds import SIX_POINTS, played
from tests.rounds.rules.dealing import (
    bonus,
)

MINI = "1:1 2:1 3:1 4:1 5:1 6:1"


class TestTheGrid:
    """Anomaly ``bonus-grid``; [MFB] Mega Fire Blaze Bonus and its tables."""

    @staticmethod
    def is_right(grid: Bonus) -> bool:
        """Whether its level allows it."""
        return FIRE_BLAZE.grid_is_right(grid)

    @pytest.mark.parametrize(
        "grid",
        [
            bonus("minor", "2", "1:2", "", "", ""),
            bonus("minor", "2", "1:1 6:1", "", "", ""),
            bonus("minor", "8", "", "", "1:2 2:2", "", "", "3:2 4:2", "", "", ""),
            bonus("minor", "6", "1:1 2:1 3:1 4:1 5:1", "", "6:1"),  # all cells are full
            bonus("minor", "6", MINI),
            bonus("minor", "24", "1:2 2:2 3:2 4:2 5:2 6:2", specials=(("1", "boost", "2"),)),
            bonus("mini", "26", MINI, "", "", "", specials=(("1", "star", "20"),)),
            bonus("mini", "3", "1:1 7:2", "", "", ""),
            bonus("major", "18", MINI, "", "", "", specials=(("1", "boost", "3"),)),
            bonus("grand", "106", MINI, "", "", "", specials=(("1", "star", "100"),)),
            bonus("mega", "20", "1:10 36:10", "", "", ""),
        ],
    )  # fmt: skip
    def test_is_valid_if_its_level_allows_it(self, grid: Bonus) -> None:
        """Three spins without a new cell end it, or the last cell does."""
        assert self.is_right(grid)

    @pytest.mark.parametrize(
        "grid",
        [
            bonus("minor", "2"),
            bonus("minor", "2", "1:2", "", ""),
            bonus("minor", "2", "1:2", "", "", "", ""),
            bonus("minor", "4", "1:2", "", "", "", "2:2", "", "", ""),
            bonus("minor", "6", MINI, ""),
            bonus("minor", "6", MINI, "", "", ""),
            bonus("minor", "8", f"{MINI}", "1:2"),
        ],
    )
    def test_is_invalid_with_a_wrong_number_of_spins(self, grid: Bonus) -> None:
        """None, two, four after the last cell; a cell after the end; spins on a full grid."""
        assert not self.is_right(grid)

    @pytest.mark.parametrize(
        "grid",
        [
            bonus("minor", "4", "1:2 0:2", "", "", ""),
            bonus("minor", "4", "1:2 -1:2", "", "", ""),
            bonus("minor", "4", "1:2 7:2", "", "", ""),
            bonus("mini", "4", "1:2 13:2", "", "", ""),
            bonus("mega", "20", "1:10 37:10", "", "", ""),
            bonus("minor", "4", "1:2 1:2", "", "", ""),
            bonus("minor", "4", "1:2", "1:2", "", "", ""),
            bonus("mega", "20", f"1:10 {10**30}:10", "", "", ""),
        ],
    )
    def test_is_invalid_with_unknown_or_repeated_cells(self, grid: Bonus) -> None:
        """Contract, detail 11: a cell below 1, above the last, or twice."""
        assert not self.is_right(grid)

    @pytest.mark.parametrize(
        ("level", "good", "bad"),
        [
            ("minor", "1 2", "0 3 5"),
            ("mini", "1 2 5", "3 4 10"),
            ("major", "1 2 5 10", "3 4 20"),
            ("grand", "1 2 3 5 10", "4 6"),
            ("mega", "1 2 3 4 5 10", "6 100"),
        ],
    )
    def test_has_the_multipliers_of_its_level(self, level: str, good: str, bad: str) -> None:
        """Added to a base sum of four or twenty, which every level allows."""
        base = "1:2 2:2" if level == "minor" else "1:5 2:5 3:5 4:5"
        sum_of_base = 4 if level == "minor" else 20

        def grid(value: str) -> Bonus:
            return bonus(level, str(sum_of_base + int(value)), f"{base} 6:{value}", "", "", "")

        assert [self.is_right(grid(value)) for value in good.split()] == [True] * len(good.split())
        assert [self.is_right(grid(value)) for value in bad.split()] == [False] * len(bad.split())

    @pytest.mark.parametrize(
        ("level", "kind", "good", "bad"),
        [
            ("minor", "boost", "2", "1 3"),
            ("minor", "star", "", "10"),
            ("mini", "boost", "2", "3"),
            ("mini", "star", "10 20", "50"),
            ("major", "boost", "2 3", "4"),
            ("major", "star", "10 20 50", "100"),
            ("grand", "boost", "2 3", "5"),
            ("grand", "star", "10 20 50 100", "200"),
            ("mega", "boost", "2 3", "1"),
            ("mega", "star", "10 20 50 100", "5"),
        ],
    )
    def test_has_the_specials_of_its_level(
        self, level: str, kind: str, good: str, bad: str
    ) -> None:
        """On a full first section of twos, which sums to twelve; twenty and more at mega."""
        cells = "1:2 2:2 3:2 4:2 5:2 6:2"
        others = "" if level == "minor" else "7:5 8:5"
        base = 12 + (0 if level == "minor" else 10)
        ends = () if level == "minor" else ("", "", "")

        def grid(value: str) -> Bonus:
            added = int(value) if kind == "star" else 12 * (int(value) - 1)
            specials = (("1", kind, value),)
            return bonus(level, str(base + added), f"{cells} {others}", *ends, specials=specials)

        assert [self.is_right(grid(value)) for value in good.split()] == [True] * len(good.split())
        assert [self.is_right(grid(value)) for value in bad.split()] == [False] * len(bad.split())

    @pytest.mark.parametrize("section", ["0", "2", "3", "99"])
    def test_has_specials_on_full_sections_only(self, section: str) -> None:
        """The first is full, the second lacks a cell, the others a mini grid does not have."""
        cells = f"{MINI} 7:1 8:1 9:1 10:1 11:1"
        starred = bonus("mini", "21", cells, "", "", "", specials=((section, "star", "10"),))
        right = bonus("mini", "21", cells, "", "", "", specials=(("1", "star", "10"),))

        assert self.is_right(right)
        assert not self.is_right(starred)

    def test_may_have_a_special_in_each_section(self) -> None:
        """Six ones doubled and six twos with a star of twenty: 12 + 12 + 20."""
        cells = f"{MINI} 7:2 8:2 9:2 10:2 11:2 12:2"
        specials = (("1", "boost", "2"), ("2", "star", "20"))

        assert self.is_right(bonus("mini", "44", cells, specials=specials))

    @pytest.mark.parametrize("total", ["7", "9", "0", "16"])
    def test_is_invalid_with_a_total_other_than_the_sum(self, total: str) -> None:
        """Four twos are eight."""
        grid = bonus("minor", total, "1:2 2:2 3:2 4:2", "", "", "")

        assert not self.is_right(grid)

    @pytest.mark.parametrize(
        ("level", "section_of_tens", "most"),
        [("mini", 2, 120), ("major", 3, 400), ("grand", 4, 700), ("mega", 6, 1000)],
    )
    def test_pays_no_more_than_the_top_prize_and_the_stake(
        self, level: str, section_of_tens: int, most: int
    ) -> None:
        """R: 119:1, 399:1, 699:1, 999:1; every section full, with the greatest boost."""
        value, boost = ("5", "2") if level == "mini" else ("10", "3")
        cells = " ".join(f"{cell}:{value}" for cell in range(1, 6 * section_of_tens + 1))
        specials = tuple((str(n), "boost", boost) for n in range(1, section_of_tens + 1))
        boosted = 6 * section_of_tens * int(value) * int(boost)

        assert self.is_right(bonus(level, str(min(boosted, most)), cells, specials=specials))
        assert boosted == most or not self.is_right(
            bonus(level, str(boosted), cells, specials=specials)
        )

    @pytest.mark.parametrize(
        ("level", "cells", "total"),
        [
            ("minor", "1:1", 1),
            ("mini", "1:2", 2),
            ("major", "1:5", 5),
            ("grand", "1:5 2:3 3:1", 9),
            ("mega", "1:10 2:5 3:4", 19),
        ],
    )
    def test_pays_no_less_than_the_minimum_prize_and_the_stake(
        self, level: str, cells: str, total: int
    ) -> None:
        """R: 1:1, 2:1, 5:1, 9:1, 19:1; one more is enough."""
        too_little = bonus(level, str(total), cells, "", "", "")
        enough = bonus(level, str(total + 1), f"{cells} 4:1", "", "", "")

        assert not self.is_right(too_little)
        assert self.is_right(enough)

    def test_holds_its_round_if_invalid(self) -> None:
        """Also without a bet on it."""
        broken = bonus("minor", "9", "1:5", "", "", "")

        assert played(SIX_POINTS, bonus=broken).anomalies == ("bonus-grid",)
