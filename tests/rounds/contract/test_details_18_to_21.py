"""Contract, "Void bets": details 18 to 21, each by a case worked out by hand."""

import pytest

from tests.rounds.contract.by_hand import (
    BJ,
    DAY,
    INSURING,
    MFB,
    QB,
    ZAP,
    bet,
    bonus,
    deal,
    found,
    graded,
    grades_in,
    replay,
    result,
)

WINS = "1:9S D:TD 1:TC D:8C"
"""Nineteen against eighteen."""
MFB_WINS = "1:9S 2:9C D:TD 1:TC 2:9D D:8C"
SIX_POINTS = "1:8S 2:8C D:TD 1:6C 2:6D D:8C"
"""Both boxes fourteen: a minor bonus; the dealer has eighteen."""
MINOR = bonus("minor", "2", "1:2", "", "", "")

BEFORE_OPENING = f"{DAY}21:10:09.999Z"
AFTER_CLOSING = f"{DAY}21:10:25.001Z"


class TestDetail18AVoidBet:
    """Ignored by every check but ``reported``; it explains no card."""

    def test_explains_no_card_of_a_shared_box(self) -> None:
        """The card that only the late player hit."""
        late = bet("b2", player="p-2", play="H", placed_at=AFTER_CLOSING)

        assert found(f"{WINS} 1:2C", bet("b1"), late, rules=QB) == "extra-card"
        assert graded(WINS, bet("b1"), late, rules=QB) == ["win 20.00", "void 10.00"]

    def test_may_have_been_played_against_all_rules(self) -> None:
        """A split of nothing, a zap, a raise of a cent, against a dealer who looked."""
        text = "1:9S D:AD 1:9C D:KC"
        late = bet("b2", box=2, play="SZPD,HHH", raised="0.01", placed_at=BEFORE_OPENING)

        assert graded(text, bet("b1"), late) == ["lose 0.00", "void 10.01"]

    @pytest.mark.parametrize(
        ("reported", "status"), [("13.33", "settled"), ("10.00", "payout-differs")]
    )
    def test_goes_back_with_its_raise_and_is_compared(self, reported: str, status: str) -> None:
        """10.00 and 3.33."""
        late = bet("b2", box=2, raised="3.33", placed_at=AFTER_CLOSING, play="D", reported=reported)

        assert found(WINS, bet("b1"), late) == status

    def test_may_be_golden(self) -> None:
        """The chip goes back too."""
        late = bet("b2", box=2, funding="golden", placed_at=AFTER_CLOSING)

        assert graded(WINS, bet("b1"), late, rules=QB) == ["win 20.00", "void 10.00"]
        assert graded(MFB_WINS, late, rules=MFB) == ["void 10.00"]


class TestDetail19BoxesInUse:
    """By a main bet that counts and is its owner's; at Mega Fire Blaze both, always."""

    def test_are_not_made_by_a_bet_behind_or_a_side_bet(self) -> None:
        """Void where nobody owns the box; cards dealt there are too many."""
        behind = bet("b2", player="p-2", box=2, behind=True)
        dealt_too = "1:9S 2:9C D:TD 1:TC 2:TH D:8C"

        assert graded(WINS, bet("b1"), behind) == ["win 20.00", "void 10.00"]
        assert found(dealt_too, bet("b1"), behind) == "extra-card"
        side_bet = bet("b2", "21+3", "1.00", box=2)
        assert found(WINS, bet("b1"), side_bet) == "main-bet-missing"
        assert found(dealt_too, bet("b1"), side_bet) == "extra-card main-bet-missing"

    @pytest.mark.parametrize("rules", [BJ, QB, ZAP])
    def test_may_be_none(self, rules: str) -> None:
        """Then the dealer alone has two cards, and need not draw."""
        assert found("D:6D D:8C", rules=rules) == "settled"
        assert found("", rules=rules) == "missing-card"

    def test_are_both_at_mega_fire_blaze(self) -> None:
        """Without a bet, with a void one; a box that was not dealt lacks its cards."""
        late = bet("b1", placed_at=AFTER_CLOSING)

        assert found(MFB_WINS, rules=MFB) == "settled"
        assert graded(MFB_WINS, late, rules=MFB) == ["void 10.00"]
        assert found(WINS, bet("b1"), rules=MFB) == "missing-card"


class TestDetail20ABonusWithoutABet:
    """Legal; and a void bet is not on the table."""

    def test_is_legal(self) -> None:
        """Six points, played for nobody, or not played."""
        output = result(SIX_POINTS, rules=MFB, bonus=MINOR)

        assert output["status"] == "settled"
        assert output["bonus"] == {"points": 6, "level": "minor", "multiplier": "2"}
        assert found(SIX_POINTS, rules=MFB) == "settled"

    def test_is_not_missed_by_a_void_one(self) -> None:
        """Late itself; its player gone; beside one that counts it is missed."""
        late = bet("b2", "mega_fire_blaze", "1.00", placed_at=AFTER_CLOSING)
        stands = bet("b3", "mega_fire_blaze", "1.00")

        assert graded(SIX_POINTS, bet("b1"), late, rules=MFB) == ["lose 0.00", "void 1.00"]
        assert found(SIX_POINTS, bet("b1"), late, stands, rules=MFB) == "bonus-missing"

    def test_is_not_paid_to_a_void_one(self) -> None:
        """The bonus was played for others."""
        late = bet("b2", "mega_fire_blaze", "1.00", placed_at=AFTER_CLOSING)
        stands = bet("b3", "mega_fire_blaze", "1.00")

        output = graded(SIX_POINTS, bet("b1"), late, stands, rules=MFB, bonus=MINOR)

        assert output == ["lose 0.00", "void 1.00", "win 2.00"]


class TestDetail21Reported:
    """Compared when there is no other anomaly, never in a void round."""

    @pytest.mark.parametrize("text", ["20", "20.0", "20.00"])
    def test_is_an_amount_and_no_text(self, text: str) -> None:
        """However many decimals it has."""
        assert graded(WINS, bet("b1", reported=text)) == ["win 20.00"]

    def test_that_differs_still_lists_the_bets(self) -> None:
        """The one anomaly that does."""
        output = result(WINS, bet("b1"), bet("b2", "21+3", "1.00", reported="0.01"))

        assert (output["status"], output["anomalies"]) == ("held", ["payout-differs"])
        assert grades_in(output) == ["win 20.00", "lose 0.00"]

    def test_is_not_compared_beside_another_anomaly(self) -> None:
        """A card too many; a gap in the shoe; a raise that nothing cost."""
        wrong = bet("b1", reported="1.00")
        shoe_gap = [
            deal(WINS, bet("b1"), shoe={"id": "s", "drawn": 10}),
            deal(WINS, wrong, shoe={"id": "s", "drawn": 15}, round="r-2"),
        ]

        assert found(f"{WINS} 1:2C", wrong) == "extra-card"
        assert replay(*shoe_gap)[1]["anomalies"] == ["shoe-gap"]
        assert found(WINS, wrong | {"raised": "10.00"}) == "raise-mismatch"

    @pytest.mark.parametrize("rules", [BJ, QB, ZAP])
    def test_is_never_compared_in_a_void_round(self, rules: str) -> None:
        """Everything staked goes back, whatever was said."""
        output = result(
            "", bet("b1", raised="1.00", reported="0.00"), rules=rules, incident="malfunction"
        )

        assert (output["status"], output["anomalies"]) == ("void", [])
        assert grades_in(output) == ["void 11.00"]

    def test_is_compared_for_every_bet_of_a_settled_round(self) -> None:
        """Of insurances too, at the end of a list of right ones."""
        text = "1:9S D:AD 1:TC D:KC"
        right = bet("b1", reported="0.00")
        insured = bet("b2", "insurance", "5.00", placed_at=INSURING)

        assert found(text, right, insured | {"reported": "15.00"}) == "settled"
        assert found(text, right, insured | {"reported": "10.00"}) == "payout-differs"
