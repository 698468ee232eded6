"""Fire Blaze points and the bonus. [MFB] Regolamento di Fire Blaze, Mega Fire Blaze Bonus."""

import pytest

from rounds.rules.blackjack.games.mega_fire_blaze import FIRE_BLAZE
from rounds.rules.blackjack.totals import values_of
from rounds.rules.facts import Bonus
from rounds.rules.verdict import BonusResult, Verdict
from tests.rounds.rules.dealing import (
    AFTER_CLOSING,
    ENDED_AT,
    MEGA_FIRE_BLAZE,
    bet,
    bonus,
    dealt,
    judged,
    left,
)

NO_POINTS = "1:9S 2:9C D:TD 1:TC 2:9D D:8C"
SIX_POINTS = "1:8S 2:8C D:TD 1:6C 2:6D D:8C"  # both boxes fourteen, the dealer nothing
EIGHT_POINTS = "1:9S 2:9C D:AD 1:TC 2:9D D:AH D:9S"  # two Aces of the dealer
MAIN = bet()
BLAZE = bet("mega_fire_blaze")
MINOR = bonus("minor", "8", "1:2 2:2", "3:2", "4:2", "", "", "")


def played(text: str, *bets: object, **fields: object) -> Verdict:
    """The verdict on a round with a main bet of p-1 and these others."""
    return judged(dealt(text, MAIN, *bets, rules=MEGA_FIRE_BLAZE, **fields))  # type: ignore[arg-type]  # bets


def points(first: str, second: str, dealer: str) -> int:
    """The points of a round of these opening cards and this dealer's hand."""
    boxes = [values_of(first.split()), values_of(second.split())]
    return FIRE_BLAZE.points_of(boxes=boxes, dealer=values_of(dealer.split()))


class TestPoints:
    """[MFB] Progressi di Fire Blaze; R: rows add up."""

    @pytest.mark.parametrize(
        ("first", "second", "dealer", "expected"),
        [
            ("TS 9S", "TC 9C", "TD 8D", 0),
            ("TS 4S", "TC 9C", "TD 8D", 2),
            ("TC 9C", "8S 6S", "TD 8D", 2),
            ("TS 4S", "8S 6S", "TD 8D", 6),
            ("AS 3S", "TC 9C", "TD 8D", 2),  # R: a soft fourteen counts
            ("TS 9S", "TC 9C", "TD 4D 6D", 0),  # R: the dealer's fourteen does not
            ("TS 9S", "TC 9C", "AD 8D", 2),
            ("TS 9S", "TC 9C", "8D AD", 2),
            ("TS 9S", "TC 9C", "AD AH 6D", 8),
            ("TS 9S", "TC 9C", "AD AH 2D AS 3D", 16),  # further Aces nothing
            ("TS 9S", "TC 9C", "2D 3D 4D TD", 1),
            ("TS 9S", "TC 9C", "2D 3D 4D 5D 6D", 8),
            ("TS 9S", "TC 9C", "2D 2H 2S 3D 3H 5D", 20),
            ("TS 9S", "TC 9C", "2D 2H 2S 2C 2D 3D 5D", 20),  # a sixth or more
            ("TS 9S", "TC 9C", "AD AH 2D 2H AS", 16),  # the sheet's example: 2 + 6 + 1 + 7
            ("TS 4S", "8S 6S", "AD AH 2D 2H AS AC 8D", 34),
        ],
    )
    def test_add_up(self, first: str, second: str, dealer: str, expected: int) -> None:
        """Boxes 2 and 4; Aces 2 and 6; cards 1, 7 and 12."""
        assert points(first, second, dealer) == expected

    @pytest.mark.parametrize(
        ("earned", "level"),
        [(0, None), (4, None), (5, "minor"), (9, "minor"), (10, "mini"), (14, "mini"),
         (15, "major"), (19, "major"), (20, "grand"), (24, "grand"), (25, "mega"), (34, "mega")],
    )  # fmt: skip
    def test_reach_a_level(self, earned: int, level: str | None) -> None:
        """[MFB] Livello del bonus: 5, 10, 15, 20, 25."""
        assert FIRE_BLAZE.level_of(earned) == level

    def test_are_reported_for_every_settled_round(self) -> None:
        """Contract, detail 44: level null under five points, multiplier null without a bonus."""
        assert played(NO_POINTS).bonus == BonusResult(0, None, None)
        assert played(SIX_POINTS).bonus == BonusResult(6, "minor", None)
        assert played(SIX_POINTS, bonus=MINOR).bonus == BonusResult(6, "minor", "8")

    def test_are_counted_on_the_live_cards(self) -> None:
        """Readings: an Ace that the dealer drew off line counts for nobody."""
        text = "1:9S 2:9C D:TD 1:TC 2:9D D:8C"
        gone = left(seen=5, own="D:AC")

        assert played(text, disconnects=(gone,)).bonus == BonusResult(0, None, None)


class TestTheBonusBet:
    """[MFB] Premi della partita del Mega Fire Blaze Bonus."""

    def test_pays_its_stake_times_the_total(self) -> None:
        """Stake included: 10.00 x 8."""
        verdict = played(SIX_POINTS, BLAZE, bonus=MINOR)

        assert verdict.grades[1].payout_cents == 8000
        assert verdict.grades[1].reasons == ("bonus-won",)

    def test_loses_under_five_points(self) -> None:
        """No bonus was earned."""
        verdict = played(NO_POINTS, BLAZE)

        assert (verdict.status, verdict.grades[1].reasons) == ("settled", ("bonus-not-reached",))
        assert verdict.grades[1].payout_cents == 0

    def test_is_paid_to_a_player_who_left(self) -> None:
        """Readings: side bets and bonus on the live cards."""
        gone = left(at=AFTER_CLOSING, seen=5, own="D:7C")

        verdict = played(SIX_POINTS, BLAZE, bonus=MINOR, disconnects=(gone,))

        assert verdict.grades[1].payout_cents == 8000


class TestABonusThatDoesNotFit:
    """Anomalies ``bonus-missing`` and ``bonus-unearned``."""

    def test_is_missing_where_points_and_a_bet_are_there(self) -> None:
        """Six points and a bet."""
        assert played(SIX_POINTS, BLAZE).anomalies == ("bonus-missing",)

    def test_is_not_missed_by_who_did_not_bet(self) -> None:
        """No bet on the table; a void one is not on it (detail 20)."""
        void = BLAZE._replace(placed_at=ENDED_AT)

        assert played(SIX_POINTS).anomalies == ()
        assert played(SIX_POINTS, void).anomalies == ()

    def test_is_not_missed_by_another_side_bet(self) -> None:
        """A pair of box 1 and three cards are bet, the bonus is not."""
        pair, three = bet("player_pair", stake=100), bet("21+3", stake=100)

        assert played(SIX_POINTS, pair, three).anomalies == ()

    def test_may_be_played_without_a_bet(self) -> None:
        """Detail 20: a bonus with its points but no bet is legal."""
        assert played(SIX_POINTS, bonus=MINOR).status == "settled"

    def test_is_unearned_without_the_points(self) -> None:
        """Nothing, and no bet either."""
        assert played(NO_POINTS, BLAZE, bonus=MINOR).anomalies == ("bonus-unearned",)
        assert played(NO_POINTS, bonus=MINOR).anomalies == ("bonus-unearned",)

    def test_is_unearned_at_another_level_and_judged_by_that_level(self) -> None:
        """Detail 45: a sound mini grid, and one that no mini bonus has."""
        sound = bonus("mini", "9", "1:5 7:2 8:2", "", "", "")
        broken = bonus("mini", "9", "1:5 7:4", "", "", "")

        assert played(SIX_POINTS, bonus=sound).anomalies == ("bonus-unearned",)
        assert played(SIX_POINTS, bonus=broken).anomalies == ("bonus-grid", "bonus-unearned")

    def test_is_not_judged_by_points_where_a_card_is_missing(self) -> None:
        """Detail 22: points are skipped; the grid needs no card."""
        broken = bonus("minor", "9", "1:5", "", "", "")
        lacking = "1:9S 2:9C D:TD 1:TC D:8C"

        assert played(lacking, BLAZE, bonus=MINOR).anomalies == ("missing-card",)
        assert played(lacking, bonus=broken).anomalies == ("bonus-grid", "missing-card")


MINI = "1:1 2:1 3:1 4:1 5:1 6:1"


class TestTheGrid:
    """Anomaly ``bonus-grid``; [MFB] Mega Fire Blaze Bonus and its tables."""

    @staticmethod
    def is_right(grid: Bonus) -> bool:
        """Whether its own level can give it."""
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
    def test_may_be_so(self, grid: Bonus) -> None:
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
    def test_has_as_many_spins_as_the_counter_gives(self, grid: Bonus) -> None:
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
    def test_has_each_of_its_cells_once(self, grid: Bonus) -> None:
        """Contract, detail 11: a cell below 1 is ``bonus-grid``; so is one above, or twice."""
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
        """Each beside twenty from cells that every level above minor can have."""
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
    def test_announces_the_sum(self, total: str) -> None:
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
        """R: 119:1, 399:1, 699:1, 999:1; every section full, boosted most or starred most."""
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
    def test_pays_no_less_than_the_least_prize_and_the_stake(
        self, level: str, cells: str, total: int
    ) -> None:
        """R: 1:1, 2:1, 5:1, 9:1, 19:1; one more is enough."""
        too_little = bonus(level, str(total), cells, "", "", "")
        enough = bonus(level, str(total + 1), f"{cells} 4:1", "", "", "")

        assert not self.is_right(too_little)
        assert self.is_right(enough)

    def test_holds_its_round(self) -> None:
        """Also where nobody bets on it."""
        broken = bonus("minor", "9", "1:5", "", "", "")

        assert played(SIX_POINTS, bonus=broken).anomalies == ("bonus-grid",)
