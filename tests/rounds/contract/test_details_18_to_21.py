"""Contract, "Void bets": details 18 to 21, each by a case worked out by hand."""

import pytest

from tests.rounds.contract.by_hand import (
    AFTER_CLOSING,
    BEFORE_OPENING,
    BJ,
    INSURING,
    MFB,
    MFB_WINS,
    MINOR,
    QB,
    SIX_POINTS,
    WINS,
    ZAP,
    bet,
    deal,
    graded,
    grades_in,
    replay,
    result,
    verdict_of,
)


class TestDetail18AVoidBet:
    """Ignored by every check except that of ``reported``; it explains no card."""

    def test_explains_no_card_of_a_shared_box(self) -> None:
        """The late player's hit explains no card."""
        late = bet("b2", player="p-2", play="H", placed_at=AFTER_CLOSING)

        assert verdict_of(f"{WINS} 1:2C", bet("b1"), late, rules=QB) == "extra-card"
        assert graded(WINS, bet("b1"), late, rules=QB) == ["win 20.00", "void 10.00"]

    def test_may_have_an_illegal_play(self) -> None:
        """A split of unequal cards, a zap, a raise of one cent, after a dealer blackjack."""
        text = "1:9S D:AD 1:9C D:KC"
        late = bet("b2", box=2, play="SZPD,HHH", raised="0.01", placed_at=BEFORE_OPENING)

        assert graded(text, bet("b1"), late) == ["lose 0.00", "void 10.01"]

    @pytest.mark.parametrize(
        ("reported", "status"), [("13.33", "settled"), ("10.00", "payout-differs")]
    )
    def test_refunds_its_raise_and_is_compared_with_the_reported_payout(
        self, reported: str, status: str
    ) -> None:
        """10.00 and 3.33."""
        late = bet("b2", box=2, raised="3.33", placed_at=AFTER_CLOSING, play="D", reported=reported)

        assert verdict_of(WINS, bet("b1"), late) == status

    def test_may_be_staked_with_a_golden_chip(self) -> None:
        """The chip is refunded too."""
        late = bet("b2", box=2, funding="golden", placed_at=AFTER_CLOSING)

        assert graded(WINS, bet("b1"), late, rules=QB) == ["win 20.00", "void 10.00"]
        assert graded(MFB_WINS, late, rules=MFB) == ["void 10.00"]


class TestDetail19BoxesInUse:
    """Boxes with a counting main bet of their owner; at Mega Fire Blaze always both."""

    def test_exclude_boxes_with_only_a_bet_behind_or_a_side_bet(self) -> None:
        """The bet behind is void; cards dealt to the box are extra cards."""
        behind = bet("b2", player="p-2", box=2, behind=True)
        dealt_too = "1:9S 2:9C D:TD 1:TC 2:TH D:8C"

        assert graded(WINS, bet("b1"), behind) == ["win 20.00", "void 10.00"]
        assert verdict_of(dealt_too, bet("b1"), behind) == "extra-card"
        side_bet = bet("b2", "21+3", "1.00", box=2)
        assert verdict_of(WINS, bet("b1"), side_bet) == "main-bet-missing"
        assert verdict_of(dealt_too, bet("b1"), side_bet) == "extra-card main-bet-missing"

    @pytest.mark.parametrize("rules", [BJ, QB, ZAP])
    def test_may_be_none(self, rules: str) -> None:
        """Then only the dealer has two cards, and need not draw."""
        assert verdict_of("D:6D D:8C", rules=rules) == "settled"
        assert verdict_of("", rules=rules) == "missing-card"

    def test_are_both_at_mega_fire_blaze(self) -> None:
        """Also without a bet or with a void one; an undealt box lacks its cards."""
        late = bet("b1", placed_at=AFTER_CLOSING)

        assert verdict_of(MFB_WINS, rules=MFB) == "settled"
        assert graded(MFB_WINS, late, rules=MFB) == ["void 10.00"]
        assert verdict_of(WINS, bet("b1"), rules=MFB) == "missing-card"


class TestDetail20ABonusWithoutABet:
    """A bonus nobody bet on is legal; a void bet does not count as one."""

    def test_is_legal(self) -> None:
        """Six points, with the bonus played or not."""
        output = result(SIX_POINTS, rules=MFB, bonus=MINOR)

        assert output["status"] == "settled"
        assert output["bonus"] == {"points": 6, "level": "minor", "multiplier": "2"}
        assert verdict_of(SIX_POINTS, rules=MFB) == "settled"

    def test_is_not_required_by_a_void_bonus_bet(self) -> None:
        """A late bonus bet requires no bonus; with a counting one it is missing."""
        late = bet("b2", "mega_fire_blaze", "1.00", placed_at=AFTER_CLOSING)
        stands = bet("b3", "mega_fire_blaze", "1.00")

        assert graded(SIX_POINTS, bet("b1"), late, rules=MFB) == ["lose 0.00", "void 1.00"]
        assert verdict_of(SIX_POINTS, bet("b1"), late, stands, rules=MFB) == "bonus-missing"

    def test_is_not_paid_to_a_void_bonus_bet(self) -> None:
        """It is paid to the counting bet of the same round."""
        late = bet("b2", "mega_fire_blaze", "1.00", placed_at=AFTER_CLOSING)
        stands = bet("b3", "mega_fire_blaze", "1.00")

        output = graded(SIX_POINTS, bet("b1"), late, stands, rules=MFB, bonus=MINOR)

        assert output == ["lose 0.00", "void 1.00", "win 2.00"]


class TestDetail21Reported:
    """Compared if there is no other anomaly, never in a void round."""

    @pytest.mark.parametrize("text", ["20", "20.0", "20.00"])
    def test_is_compared_as_an_amount(self, text: str) -> None:
        """The number of decimals does not matter."""
        assert graded(WINS, bet("b1", reported=text)) == ["win 20.00"]

    def test_that_differs_still_lists_the_bets(self) -> None:
        """The only anomaly whose result lists the bets."""
        output = result(WINS, bet("b1"), bet("b2", "21+3", "1.00", reported="0.01"))

        assert (output["status"], output["anomalies"]) == ("held", ["payout-differs"])
        assert grades_in(output) == ["win 20.00", "lose 0.00"]

    def test_is_not_compared_with_another_anomaly(self) -> None:
        """An extra card, a gap in the shoe, a raise without a play that costs one."""
        wrong = bet("b1", reported="1.00")
        shoe_gap = [
            deal(WINS, bet("b1"), shoe={"id": "s", "drawn": 10}),
            deal(WINS, wrong, shoe={"id": "s", "drawn": 15}, round="r-2"),
        ]

        assert verdict_of(f"{WINS} 1:2C", wrong) == "extra-card"
        assert replay(*shoe_gap)[1]["anomalies"] == ["shoe-gap"]
        assert verdict_of(WINS, wrong | {"raised": "10.00"}) == "raise-mismatch"

    @pytest.mark.parametrize("rules", [BJ, QB, ZAP])
    def test_is_never_compared_in_a_void_round(self, rules: str) -> None:
        """Everything staked goes back, for any reported payout."""
        output = result(
            "", bet("b1", raised="1.00", reported="0.00"), rules=rules, incident="malfunction"
        )

        assert (output["status"], output["anomalies"]) == ("void", [])
        assert grades_in(output) == ["void 11.00"]

    def test_is_compared_for_every_bet_of_a_settled_round(self) -> None:
        """Of insurances too, also where the other reports are right."""
        text = "1:9S D:AD 1:TC D:KC"
        right = bet("b1", reported="0.00")
        insured = bet("b2", "insurance", "5.00", placed_at=INSURING)

        assert verdict_of(text, right, insured | {"reported": "15.00"}) == "settled"
        assert verdict_of(text, right, insured | {"reported": "10.00"}) == "payout-differs"
