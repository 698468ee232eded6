"""Contract, "Off line, malfunction, bonus": details 43 to 45, by cases worked out by hand."""

import pytest

from tests.rounds.contract.by_hand import (
    BAC,
    BJ,
    DAY,
    IN_TIME,
    INSURING,
    MFB,
    MFB_WINS,
    MINOR,
    QB,
    SIX_POINTS,
    ZAP,
    bet,
    bonus,
    coup,
    deal,
    graded,
    grades_in,
    left,
    replay,
    result,
    verdict_of,
)


class TestDetail43AMalfunction:
    """Takes precedence over all anomalies; complete Mega Fire Blaze rounds are judged."""

    @pytest.mark.parametrize("rules", [BJ, QB, BAC, ZAP])
    def test_voids_all_bets_of_the_round(self, rules: str) -> None:
        """Impossible cards and plays, late bets, wrong reports."""
        kind = "tie" if rules == BAC else "main"
        item = coup("b1", kind) if rules == BAC else bet("b1", play="ZPD,H", raised="7.00")
        late = item | {"id": "b2", "player": "p-2", "placed_at": f"{DAY}21:10:59Z"}
        late["reported"] = "0.00"

        output = result("7z:2C P:9H", item, late, rules=rules, incident="malfunction")

        back = "void 10.00" if rules == BAC else "void 17.00"
        assert (output["status"], output["anomalies"]) == ("void", [])
        assert grades_in(output) == [back, back]
        assert "bonus" not in output

    def test_does_not_accept_an_invalid_document(self) -> None:
        """Two bets with one id; an unknown incident."""
        output = result("", bet("b1"), bet("b1"), incident="malfunction")

        assert output["status"] == "rejected"
        assert result("", bet("b1"), incident="fire")["status"] == "rejected"

    @pytest.mark.parametrize(
        ("text", "play"),
        [
            ("1:8S 2:8C D:TD 1:6C 2:6D", ""),  # no hole card
            (SIX_POINTS, "H"),  # no card for the hit
            ("1:8S 2:8C D:TD 1:6C 2:6D D:2C", ""),  # no draw of the dealer
            ("1:8S D:TD 1:6C D:8C", ""),  # nothing for box 2
        ],
    )
    def test_voids_mega_fire_blaze_when_a_card_is_missing(self, text: str, play: str) -> None:
        """With any other error: an extra card, an impossible bonus, wrong money."""
        bets = bet("b1", play=play, raised="1.00", reported="5.00"), bet("b2", "21+3", "1.00")
        fields = {"incident": "malfunction", "bonus": bonus("mega", "3", "1:2")}

        output = result(f"{text} 7:2C", *bets, rules=MFB, **fields)

        assert (output["status"], output["anomalies"]) == ("void", [])
        assert grades_in(output) == ["void 11.00", "void 1.00"]
        assert "bonus" not in output

    def test_pays_mega_fire_blaze_if_all_cards_are_present(self) -> None:
        """The bonus bet is void if a bonus was earned and not played, lost if none was earned."""
        bets = bet("b1"), bet("b2", "mega_fire_blaze", "3.00", reported="3.00")

        earned = result(SIX_POINTS, *bets, rules=MFB, incident="malfunction")
        bets[1]["reported"] = "0.00"
        not_earned = result(MFB_WINS, *bets, rules=MFB, incident="malfunction")

        assert (earned["status"], grades_in(earned)) == ("settled", ["lose 0.00", "void 3.00"])
        assert earned["bonus"] == {"points": 6, "level": "minor", "multiplier": None}
        assert (not_earned["status"], grades_in(not_earned)) == (
            *("settled", ["win 20.00", "lose 0.00"]),
        )

    @pytest.mark.parametrize(("funding", "grade"), [("cash", "win 6.00"), ("golden", "win 3.00")])
    def test_pays_a_bonus_that_was_played(self, funding: str, grade: str) -> None:
        """3.00 at a multiplier of 2, in cash and as a chip."""
        bets = bet("b1"), bet("b2", "mega_fire_blaze", "3.00", funding=funding)

        output = graded(SIX_POINTS, *bets, rules=MFB, incident="malfunction", bonus=MINOR)

        assert output == ["lose 0.00", grade]

    def test_refunds_a_golden_bonus_bet(self) -> None:
        """As a chip of the same value."""
        bets = bet("b1"), bet("b2", "mega_fire_blaze", "3.00", funding="golden")

        assert graded(SIX_POINTS, *bets, rules=MFB, incident="malfunction") == [
            *("lose 0.00", "void 3.00"),
        ]

    def test_does_not_excuse_other_anomalies(self) -> None:
        """An extra card, an unearned or wrong bonus, a wrong raise, a wrong report."""
        fields = {"rules": MFB, "incident": "malfunction"}
        wrong_grid = bonus("minor", "3", "1:2", "", "", "")

        assert verdict_of(f"{SIX_POINTS} 1:2C", bet("b1"), **fields) == "extra-card"
        assert verdict_of(MFB_WINS, bet("b1"), bonus=MINOR, **fields) == "bonus-unearned"
        assert verdict_of(SIX_POINTS, bet("b1"), bonus=wrong_grid, **fields) == "bonus-grid"
        assert verdict_of(MFB_WINS, bet("b1", raised="1.00"), **fields) == "raise-mismatch"
        assert verdict_of(MFB_WINS, bet("b1", reported="0.00"), **fields) == "payout-differs"

    def test_judges_off_line_hands_for_completeness(self) -> None:
        """A complete off-line hand is paid; an incomplete one voids the round."""
        main = bet("b1", play="H")
        fields = {"rules": MFB, "incident": "malfunction"}
        text = "1:5S 2:9C D:TD 1:6H 2:9D D:8C"

        whole = result(text, main, disconnects=[left(seen=6, own="1:TC")], **fields)
        lacking = result(text, main, disconnects=[left(seen=5, own="1:TC")], **fields)

        assert (whole["status"], grades_in(whole)) == ("settled", ["win 20.00"])
        assert (lacking["status"], grades_in(lacking)) == ("void", ["void 10.00"])


class TestDetail44TheBonusOfAResult:
    """Part of every settled Mega Fire Blaze result and of no other."""

    def test_is_present_with_and_without_points(self) -> None:
        """The level is null under five points, the multiplier null without a bonus."""
        nothing = result(MFB_WINS, rules=MFB)
        earned = result(SIX_POINTS, rules=MFB)
        played = result(SIX_POINTS, rules=MFB, bonus=MINOR)

        assert nothing["bonus"] == {"points": 0, "level": None, "multiplier": None}
        assert earned["bonus"] == {"points": 6, "level": "minor", "multiplier": None}
        assert played["bonus"] == {"points": 6, "level": "minor", "multiplier": "2"}

    def test_is_absent_otherwise(self) -> None:
        """Held, with a differing report, void, rejected, another game."""
        output = [
            result(f"{MFB_WINS} 1:2C", rules=MFB),
            result(MFB_WINS, bet("b1", reported="0.00"), rules=MFB),
            result("", rules=MFB, incident="malfunction"),
            result("", rules=MFB, session=None),
            result(MFB_WINS, bet("b1"), bet("b2", player="p-2", box=2), rules=QB),
        ]

        assert [line["status"] for line in output] == [
            "held",
            "held",
            "void",
            "rejected",
            "settled",
        ]
        assert not any("bonus" in line for line in output)

    @pytest.mark.parametrize(
        ("dealer", "points"),
        [
            ("D:TD D:8C", 6),
            ("D:TD D:2C D:AC D:5S", 6 + 2 + 1),
            ("D:AD D:AC D:2C D:2D D:AS", 6 + 8 + 1 + 7),  # a third Ace nothing
            ("D:AD D:AC D:2C D:2D D:9S D:AH D:5C", 6 + 8 + 1 + 7 + 12),  # a seventh card nothing
        ],
    )
    def test_counts_the_points_of_every_row(self, dealer: str, points: int) -> None:
        """Both boxes fourteen, then Aces and cards of the dealer; the sums of the sheet."""
        up, *others = dealer.split()
        text = f"1:8S 2:8C {up} 1:6C 2:6D {' '.join(others)}"

        output = result(text, bet("b1"), rules=MFB)

        assert output["bonus"]["points"] == points


class TestDetail45ABonusOfAnotherLevel:
    """Its grid is judged by the level that it declares."""

    SOUND_MINI = bonus("mini", "9", "1:5 7:2 12:2", "", "", "")

    def test_is_unearned_though_its_grid_is_valid(self) -> None:
        """Six points earn a minor: a five and cell 12 are valid for a mini only."""
        assert verdict_of(SIX_POINTS, rules=MFB, bonus=self.SOUND_MINI) == "bonus-unearned"

    def test_is_unearned_and_invalid_with_an_impossible_grid(self) -> None:
        """A total under the mini's minimum of 3; a cell of three, which no mini has."""
        under = bonus("mini", "2", "1:2", "", "", "")
        three = bonus("mini", "5", "1:3 2:2", "", "", "")

        for grid in (under, three):
            assert verdict_of(SIX_POINTS, rules=MFB, bonus=grid) == "bonus-grid bonus-unearned"

    def test_is_only_invalid_if_the_grid_declares_the_earned_level(self) -> None:
        """The mini's grid declared as a minor."""
        as_minor = self.SOUND_MINI | {"level": "minor"}

        assert verdict_of(SIX_POINTS, rules=MFB, bonus=as_minor) == "bonus-grid"

    def test_is_unearned_at_any_level_without_points(self) -> None:
        """No bonus was earned."""
        assert verdict_of(MFB_WINS, rules=MFB, bonus=MINOR) == "bonus-unearned"
        assert verdict_of(MFB_WINS, rules=MFB, bonus=self.SOUND_MINI) == "bonus-unearned"

    def test_is_reported_with_other_anomalies(self) -> None:
        """Sorted, with a wrong insurance and a disconnect."""
        insured = bet("b2", "insurance", "4.00", placed_at=INSURING)
        disconnect = left(IN_TIME, who="p-9")

        output = replay(
            deal(
                SIX_POINTS,
                bet("b1"),
                insured,
                rules=MFB,
                bonus=self.SOUND_MINI,
                disconnects=[disconnect],
            )
        )

        assert output[0]["anomalies"] == [
            *("bonus-unearned", "insurance-amount", "insurance-not-offered"),
        ]
