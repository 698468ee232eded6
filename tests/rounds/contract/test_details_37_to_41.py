"""Contract, "Golden chips": details 37 to 41, each by a case worked out by hand."""

import pytest

from tests.rounds.contract.by_hand import (
    CLOSED_AT,
    INSURING,
    MFB,
    QB,
    bet,
    bonus,
    graded,
    rejected_field,
)

TC_TIMES_THREE = {"TC": "3", "QS": "5", "QH": "10"}


class TestDetails37And38GoldenChips:
    """Outcomes are as for cash; later raises are cash."""

    @pytest.mark.parametrize(
        ("text", "grade"),
        [
            ("1:9S D:TD 1:TC D:8C", "win 10.00"),
            ("1:AS D:TD 1:TC D:8C", "win 15.00"),
            ("1:9S D:TD 1:9C D:8C", "push 10.00"),
            ("1:9S D:TD 1:8C D:8D", "lose 0.00"),
            ("1:AS D:AD 1:TC D:KC", "push 10.00"),
            ("1:9S D:TD 1:9C D:3C D:TC", "push 10.00"),  # the dealer's bust of three cards
            ("1:9S D:6D 1:9C D:3C D:4C D:TC", "win 10.00"),  # of four
        ],
    )
    def test_pay_winnings_without_the_chip_and_push_as_chips(self, text: str, grade: str) -> None:
        """A win of 10.00 on a chip of 10.00 is a win, not a push."""
        assert graded(text, bet("b1", funding="golden"), rules=QB) == [grade]

    @pytest.mark.parametrize(
        ("rules", "dealer", "third", "grade"),
        [
            (QB, "D:TD {} D:8C", "TH", "win 30.00"),  # 20 won, 10 of cash back
            (QB, "D:TD {} D:8C", "7H", "push 20.00"),
            (QB, "D:TD {} D:8C", "6H", "lose 0.00"),
            (QB, "D:TD {} D:AC", "6H", "lose 10.00"),  # the raise goes back
            (MFB, "D:TD {} D:AC", "6H", "lose 10.00"),
            (MFB, "D:AD {} D:TC", "6H", "lose 0.00"),
        ],
    )
    def test_are_doubled_in_cash(self, rules: str, dealer: str, third: str, grade: str) -> None:
        """Five and six doubled against eighteen and against a blackjack."""
        other = ("2:9C", "2:9D") if rules == MFB else ("", "")
        upcard, _, hole = dealer.split()
        text = " ".join(f"1:5S {other[0]} {upcard} 1:6C {other[1]} {hole} 1:{third}".split())
        first = bet("b1", play="D", raised="10.00", funding="golden")

        assert graded(text, first, rules=rules) == [grade]

    @pytest.mark.parametrize(
        ("halves", "grade"),
        [
            ("1a:TH 1b:TD", "win 30.00"),  # 10 won on the chip, 20 for cash
            ("1a:TH 1b:2D", "push 10.00"),
            ("1a:2H 1b:TD", "push 20.00"),
            ("1a:9H 1b:9D", "push 20.00"),
            ("1a:TH 1b:9D", "win 20.00"),
            ("1a:9H 1b:TD", "win 30.00"),
        ],
    )
    def test_belong_to_the_first_hand_of_a_split(self, halves: str, grade: str) -> None:
        """Nines against eighteen."""
        first = bet("b1", play="P,", raised="10.00", funding="golden")

        assert graded(f"1:9S D:TC 1:9C D:8C {halves}", first, rules=QB) == [grade]

    def test_are_rounded_as_cash(self) -> None:
        """Blackjack on 7.77 wins 11.655."""
        text = "1:AS D:TD 1:TC D:8C"
        bets = bet("b1", stake="7.77", funding="golden"), bet("b2", stake="7.77", player="p-2")

        assert graded(text, *bets, rules=QB) == ["win 11.66", "win 19.43"]

    def test_on_side_bets_win_their_odds(self) -> None:
        """A perfect pair 25:1, three nines of spades 100:1; the cash bet also gets its stake."""
        text = "1:9S D:9S 1:9S D:8C"
        bets = (
            bet("b1", funding="golden"),
            bet("b2", "player_pair", "1.00", funding="golden"),
            bet("b3", "21+3", "1.00", funding="golden"),
            bet("b4", "21+3", "1.00"),
        )

        assert graded(text, *bets, rules=QB) == [
            *("win 10.00", "win 25.00", "win 100.00", "win 101.00"),
        ]


class TestDetail39TheBonus:
    """A golden win pays stake x (multiplier - 1)."""

    @pytest.mark.parametrize(("funding", "grade"), [("golden", "win 3.00"), ("cash", "win 6.00")])
    def test_pays_a_chip_one_stake_less(self, funding: str, grade: str) -> None:
        """3.00 at a multiplier of 2 is a win of 3.00, though no more than the chip."""
        text = "1:8S 2:8C D:TD 1:6C 2:6D D:8C"
        blaze = bet("b2", "mega_fire_blaze", "3.00", funding=funding)
        played = bonus("minor", "2", "1:2", "", "", "")

        assert graded(text, bet("b1"), blaze, rules=MFB, bonus=played)[1] == grade

    def test_takes_the_chip_under_five_points(self) -> None:
        """Two hands of nineteen and eighteen earn no points."""
        text = "1:9S 2:9C D:TD 1:TC 2:9D D:8C"
        blaze = bet("b2", "mega_fire_blaze", "3.00", funding="golden")

        assert graded(text, bet("b1"), blaze, rules=MFB) == ["win 20.00", "lose 0.00"]


class TestDetail40Insurance:
    """Rejected on a golden main bet, for any funds and at any time."""

    @pytest.mark.parametrize("rules", [MFB, QB])
    @pytest.mark.parametrize("at", [INSURING, CLOSED_AT])
    def test_of_a_chip_is_rejected(self, rules: str, at: str) -> None:
        """In time or late; so is insurance staked with a chip."""
        insured = bet("b2", "insurance", "5.00", placed_at=at)

        assert rejected_field("", bet("b1", funding="golden"), insured, rules=rules) == "bets[1]"
        assert rejected_field("", bet("b1"), insured | {"funding": "golden"}, rules=rules) == (
            "bets[1].funding"
        )

    def test_of_another_bet_than_the_chip_is_accepted(self) -> None:
        """Of another player on the box; of the same player on another box."""
        text = "1:9S 2:9C D:AD 1:TC 2:TH D:KC"
        bets = (
            bet("b1", funding="golden"),
            bet("b2", player="p-2"),
            bet("b3", "insurance", "5.00", player="p-2"),
            bet("b4", box=2),
            bet("b5", "insurance", "5.00", box=2),
        )

        assert graded(text, *bets, rules=QB) == [
            *("lose 0.00", "lose 0.00", "win 15.00", "lose 0.00", "win 15.00"),
        ]


class TestDetail41MultipliedChips:
    """Stake x odds x multiplier, as cash, whose stake does not come back either."""

    @pytest.mark.parametrize("funding", ["golden", "cash"])
    @pytest.mark.parametrize(
        ("text", "stake", "grade"),
        [
            ("1:9S D:TD 1:TC D:8C", "10.00", "win 30.00"),
            ("1:9S D:TD 1:TC D:8C", "0.01", "win 0.03"),
            ("1:AS D:TD 1:TC D:8C", "3.33", "win 14.99"),  # 4.5 x 3.33 = 14.985
            ("1:8S D:TD 1:TC D:8C", "10.00", "push 10.00"),
            ("1:9S D:TD 1:TC D:3C D:TH", "10.00", "win 30.00"),  # the three-card bust pays
        ],
    )
    def test_pay_as_cash(self, funding: str, text: str, stake: str, grade: str) -> None:
        """The ten of clubs times three."""
        first = bet("b1", stake=stake, funding=funding)

        assert graded(text, first, rules=QB, multipliers=TC_TIMES_THREE) == [grade]

    @pytest.mark.parametrize(("funding", "grade"), [("golden", "win 40.00"), ("cash", "win 50.00")])
    def test_pay_each_hand_of_a_split_separately(self, funding: str, grade: str) -> None:
        """Nines split; the hand with the ten of clubs wins 30, the other 10 or 20."""
        first = bet("b1", play="P,", raised="10.00", funding=funding)
        text = "1:9S D:TD 1:9C D:8C 1a:TH 1b:TC"

        assert graded(text, first, rules=QB, multipliers=TC_TIMES_THREE) == [grade]
