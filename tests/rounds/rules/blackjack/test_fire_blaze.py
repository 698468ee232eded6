"""Fire Blaze points and the bonus. [MFB] Regolamento di Fire Blaze."""

import pytest

from rounds.rules.blackjack.games.mega_fire_blaze import FIRE_BLAZE
from rounds.rules.blackjack.totals import values_of
from rounds.rules.verdict import BonusResult
from tests.rounds.rules.blackjack.fire_blaze_rounds import SIX_POINTS, played
from tests.rounds.rules.dealing import (
    AFTER_CLOSING,
    ENDED_AT,
    bet,
    bonus,
    left,
)

NO_POINTS = "1:9S 2:9C D:TD 1:TC 2:9D D:8C"
BLAZE = bet("mega_fire_blaze")
MINOR = bonus("minor", "8", "1:2 2:2", "3:2", "4:2", "", "", "")


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
        """Readings: an Ace that the dealer draws off line earns no points."""
        text = "1:9S 2:9C D:TD 1:TC 2:9D D:8C"
        disconnect = left(seen=5, own="D:AC")

        assert played(text, disconnects=(disconnect,)).bonus == BonusResult(0, None, None)


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
        disconnect = left(at=AFTER_CLOSING, seen=5, own="D:7C")

        verdict = played(SIX_POINTS, BLAZE, bonus=MINOR, disconnects=(disconnect,))

        assert verdict.grades[1].payout_cents == 8000


class TestAWrongBonus:
    """Anomalies ``bonus-missing`` and ``bonus-unearned``."""

    def test_is_missing_with_points_and_a_bet(self) -> None:
        """Six points and a bet."""
        assert played(SIX_POINTS, BLAZE).anomalies == ("bonus-missing",)

    def test_is_not_missing_without_a_counting_bet(self) -> None:
        """Neither without a bonus bet nor with a void one (detail 20)."""
        void = BLAZE._replace(placed_at=ENDED_AT)

        assert played(SIX_POINTS).anomalies == ()
        assert played(SIX_POINTS, void).anomalies == ()

    def test_is_not_missing_with_other_side_bets(self) -> None:
        """A pair and 21+3 are bet, the bonus is not."""
        pair, three = bet("player_pair", stake=100), bet("21+3", stake=100)

        assert played(SIX_POINTS, pair, three).anomalies == ()

    def test_may_be_played_without_a_bet(self) -> None:
        """Detail 20: a bonus with its points but no bet is legal."""
        assert played(SIX_POINTS, bonus=MINOR).status == "settled"

    def test_is_unearned_without_the_points(self) -> None:
        """With a bet and without one."""
        assert played(NO_POINTS, BLAZE, bonus=MINOR).anomalies == ("bonus-unearned",)
        assert played(NO_POINTS, bonus=MINOR).anomalies == ("bonus-unearned",)

    def test_is_unearned_at_another_level_and_judged_by_that_level(self) -> None:
        """Detail 45: a valid mini grid, and an impossible one."""
        sound = bonus("mini", "9", "1:5 7:2 8:2", "", "", "")
        broken = bonus("mini", "9", "1:5 7:4", "", "", "")

        assert played(SIX_POINTS, bonus=sound).anomalies == ("bonus-unearned",)
        assert played(SIX_POINTS, bonus=broken).anomalies == ("bonus-grid", "bonus-unearned")

    def test_is_not_judged_by_points_if_a_card_is_missing(self) -> None:
        """Detail 22: points are skipped; the grid needs no card."""
        broken = bonus("minor", "9", "1:5", "", "", "")
        lacking = "1:9S 2:9C D:TD 1:TC D:8C"

        assert played(lacking, BLAZE, bonus=MINOR).anomalies == ("missing-card",)
        assert played(lacking, bonus=broken).anomalies == ("bonus-grid", "missing-card")
