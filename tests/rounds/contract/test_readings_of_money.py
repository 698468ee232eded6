"""The payouts of the readings, worked out by hand through replay: odds, rounding, recipients.

Readings, "Blackjack family", and those of each sheet. What is legal is tested with the details.
"""

import pytest

from tests.rounds.contract.by_hand import (
    BAC,
    BJ,
    FAMILY,
    MFB,
    QB,
    ZAP,
    Document,
    bet,
    bonus,
    coup,
    graded,
)

OTHER = {MFB: ("2:9C", "2:9D")}
"""Box 2 of Mega Fire Blaze is dealt even if nobody bets on it: eighteen."""


def hand(rules: str, first: str, second: str, dealer: str, rest: str = "") -> str:
    """A hand on box 1; the dealer's cards are upcard, hole card, and what he draws at the end."""
    up, hole, *drawn = dealer.split()
    others = OTHER.get(rules, ("", ""))
    opening = [f"1:{first}", others[0], f"D:{up}", f"1:{second}", others[1], f"D:{hole}"]
    return " ".join(
        [card for card in opening if card] + rest.split() + [f"D:{card}" for card in drawn]
    )


@pytest.mark.parametrize("rules", FAMILY)
class TestWinnings:
    """Rounded to the cent, halves up, once a hand or side bet."""

    @pytest.mark.parametrize(
        ("stake", "paid"),
        [("0.01", "0.03"), ("0.02", "0.05"), ("0.03", "0.08"), ("3.33", "8.33"), ("7.77", "19.43")],
    )
    def test_of_a_blackjack_are_three_to_two(self, rules: str, stake: str, paid: str) -> None:
        """1.5, 3, 4.5, 499.5 and 1165.5 cents won."""
        text = hand(rules, "AS", "KC", "TD 8C")

        assert graded(text, bet("b1", stake=stake), rules=rules) == [f"win {paid}"]

    def test_of_a_split_ace_and_ten_are_even_money(self, rules: str) -> None:
        """21 against twenty, twice; against a dealer's 21 of three cards they push."""
        main = bet("b1", play="P,", raised="10.00")
        halves = "1a:KC 1b:TH"

        assert graded(hand(rules, "AS", "AC", "TD QC", halves), main, rules=rules) == ["win 40.00"]
        assert graded(hand(rules, "AS", "AC", "TD 5C 6C", halves), main, rules=rules) == [
            "push 20.00",
        ]

    def test_of_a_blackjack_are_paid_against_any_other_21(self, rules: str) -> None:
        """The dealer's 21 has three cards; a dealer blackjack pushes."""
        main = bet("b1")
        other = bet("b2", player="p-1", box=2)
        text = hand(rules, "AS", "KC", "TD 5C 6C")
        if rules != MFB:
            text = text.replace("1:AS", "1:AS 2:9C").replace("1:KC", "1:KC 2:9D")

        assert graded(text, main, other, rules=rules) == ["win 25.00", "lose 0.00"]
        assert graded(hand(rules, "AS", "KC", "AD KH"), main, rules=rules) == ["push 10.00"]

    @pytest.mark.parametrize(
        ("stake", "half", "paid"), [("0.03", "0.01", "0.03"), ("10.01", "5.00", "15.00")]
    )
    def test_of_an_insurance_are_two_to_one(
        self, rules: str, stake: str, half: str, paid: str
    ) -> None:
        """Half of the stake, rounded down."""
        bets = bet("b1", stake=stake), bet("b2", "insurance", half)

        output = graded(hand(rules, "9S", "9H", "AD KC"), *bets, rules=rules)

        assert output == ["lose 0.00", f"win {paid}"]

    def test_are_zero_for_a_bust_hand_even_if_the_dealer_busts(self, rules: str) -> None:
        """23 against a bust of four cards; eighteen on box 2 wins."""
        bets = bet("b1", play="H"), bet("b2", box=2)
        text = hand(rules, "9S", "6C", "6D 5C 2D TH", "1:8H")
        if rules != MFB:
            text = text.replace("1:9S", "1:9S 2:9C").replace("1:6C", "1:6C 2:9D")

        assert graded(text, *bets, rules=rules) == ["lose 0.00", "win 20.00"]


class TestABustOfTheDealer:
    """[QB] of exactly three cards, [ZAP] of exactly 22: standing hands push."""

    @pytest.mark.parametrize(
        ("rules", "dealer", "grade"),
        [
            (QB, "TD 3C TH", "push 10.00"),
            (QB, "TD 2C 3C TH", "win 20.00"),
            (QB, "TD 6C 6H", "push 10.00"),
            (ZAP, "TD 6C 6H", "push 10.00"),
            (ZAP, "TD 6C 7H", "win 20.00"),
            (ZAP, "TD 2C 3C 7H", "push 10.00"),
            (BJ, "TD 6C 6H", "win 20.00"),
            (MFB, "TD 6C 6H", "win 20.00"),
        ],
    )
    def test_pays_by_the_sheet_of_its_table(self, rules: str, dealer: str, grade: str) -> None:
        """Against eighteen."""
        assert graded(hand(rules, "9S", "9H", dealer), bet("b1"), rules=rules) == [grade]


class TestMultiplierCards:
    """[QB] Carte moltiplicatrici: the sum of the different ones in the hand."""

    CARDS = {"9H": "5", "6S": "5", "TC": "2.5"}

    @pytest.mark.parametrize(
        ("text", "item", "grade"),
        [
            # Two nines of hearts count once: eighteen against seventeen.
            ("1:9H D:TD 1:9H D:7C", bet("b1"), "win 50.00"),
            # Nine of hearts and six of spades: 5 + 5, with a five more 20 against eighteen.
            ("1:9H D:TD 1:6S D:8C 1:5C", bet("b1", play="H"), "win 100.00"),
            # The sheet's own example is 24 with its two nines: bust.
            ("1:9H D:TD 1:6S D:8C 1:9H", bet("b1", play="H"), "lose 0.00"),
            # Doubled eleven: 20.00 times 2.5.
            ("1:5S D:TD 1:6C D:8C 1:TC", bet("b1", play="D", raised="10.00"), "win 50.00"),
            # Nines of hearts split, both with a ten: five times each, no stake back.
            (
                "1:9H D:TD 1:9H D:8C 1a:TH 1b:TD",
                bet("b1", play="P,", raised="10.00"),
                "win 100.00",
            ),
            # One wins five times, the other, eleven, loses: 50 of 20 staked.
            ("1:9H D:TD 1:9H D:8C 1a:TH 1b:2D", bet("b1", play="P,", raised="10.00"), "win 50.00"),
            # 2.5 x 0.01 is 2.5 cents for each hand: three and three, not five.
            (
                "1:8H D:TD 1:8S D:7C 1a:TC 1b:TC",
                bet("b1", stake="0.01", play="P,", raised="0.01"),
                "win 0.06",
            ),
            # Blackjack: 1.5 x 2.5 x 0.02 is 7.5 cents.
            ("1:AS D:TD 1:TC D:8C", bet("b1", stake="0.02"), "win 0.08"),
            # Eighteen each: a push takes no multiplier.
            ("1:9H D:TD 1:9S D:8C", bet("b1"), "push 10.00"),
        ],
    )
    def test_multiply_by_the_sum_of_different_cards(
        self, text: str, item: Document, grade: str
    ) -> None:
        """Stake x odds x multiplier; the stake is not returned."""
        assert graded(text, item, rules=QB, multipliers=self.CARDS) == [grade]


class TestBaccarat:
    """[BAC] Regole del baccarat, Puntate aggiuntive."""

    ALL = (
        *("player", "banker", "tie", "player_pair", "banker_pair", "either_pair"),
        *("perfect_pair", "big", "small"),
    )

    @pytest.mark.parametrize(
        ("text", "paid"),
        [
            # Nine against seven, four cards, no pair.
            ("P:4S B:7H P:5D B:TC", "20.00 0.00 0.00 0.00 0.00 0.00 0.00 0.00 25.00"),
            # Seven against nine.
            ("P:7H B:4S P:TC B:5D", "0.00 19.50 0.00 0.00 0.00 0.00 0.00 0.00 25.00"),
            # Eight each of two perfect pairs: a tie, and the perfect pair pays once.
            ("P:4S B:4H P:4S B:4H", "10.00 10.00 90.00 120.00 120.00 60.00 260.00 0.00 25.00"),
            # King and queen are no pair; nothing and six: Player draws a six, Banker another.
            (
                "P:KS B:KH P:QS B:6H P:6C B:6D",
                "20.00 0.00 0.00 0.00 0.00 0.00 0.00 15.40 0.00",
            ),
            # Two eights of one colour are a pair, not a perfect one; six to five in five cards.
            (
                "P:8S B:2H P:8C B:3H B:TH",
                "20.00 0.00 0.00 120.00 0.00 60.00 0.00 15.40 0.00",
            ),
        ],
    )
    def test_pays_all_nine_bets(self, text: str, paid: str) -> None:
        """10.00 on each; the payouts in the order of the sheet."""
        bets = [coup(kind, kind) for kind in self.ALL]

        output = [grade.split()[1] for grade in graded(text, *bets, rules=BAC)]

        assert output == paid.split()

    @pytest.mark.parametrize(
        ("kind", "text", "stake", "paid"),
        [
            ("banker", "P:7H B:4S P:TC B:5D", "0.01", "0.02"),  # 0.95
            ("banker", "P:7H B:4S P:TC B:5D", "0.10", "0.20"),  # 9.5
            ("banker", "P:7H B:4S P:TC B:5D", "0.30", "0.59"),  # 28.5
            ("banker", "P:7H B:4S P:TC B:5D", "0.09", "0.18"),  # 8.55
            ("small", "P:7H B:4S P:TC B:5D", "0.01", "0.03"),  # 1.5
            ("big", "P:8S B:2H P:8C B:3H B:TH", "0.25", "0.39"),  # 13.5
            ("big", "P:8S B:2H P:8C B:3H B:TH", "0.01", "0.02"),  # 0.54
        ],
    )
    def test_rounds_halves_up(self, kind: str, text: str, stake: str, paid: str) -> None:
        """0.95:1, 1.5:1 and 0.54:1."""
        assert graded(text, coup("b1", kind, stake), rules=BAC) == [f"win {paid}"]


class TestTheBonus:
    """[MFB] Premi della partita: stake x total, capped at the top prize and the stake."""

    TWELVE_FIVES = " ".join(f"{cell}:5" for cell in range(1, 13))

    @pytest.mark.parametrize(
        ("dealer", "played", "paid"),
        [
            # Both boxes fourteen: 6. A minor's cells 1 and 2 times two.
            (
                "TD 8C",
                bonus("minor", "24", "1:2 2:2 3:2 4:2 5:2 6:2", s1={"boost": "2"}),
                "24.00",
            ),
            # And four cards, one Ace: 9, still a minor.
            ("TD 2C AC 5S", bonus("minor", "2", "1:1 6:1", "", "", ""), "2.00"),
            # Two Aces: 6 + 8, a mini of twelve fives doubled is 120, the most it pays.
            (
                "AD AC 6D",
                bonus("mini", "120", TWELVE_FIVES, s1={"boost": "2"}, s2={"boost": "2"}),
                "120.00",
            ),
            # One section doubled, a star on the other: 60 + 30 + 20.
            (
                "AD AC 6D",
                bonus("mini", "110", TWELVE_FIVES, s1={"boost": "2"}, s2={"star": "20"}),
                "110.00",
            ),
        ],
    )
    def test_pays_the_multiplier_of_the_grid(
        self, dealer: str, played: Document, paid: str
    ) -> None:
        """1.00 staked; the stake is included."""
        up, hole, *drawn = dealer.split()
        rest = " ".join(f"D:{card}" for card in drawn)
        text = f"1:8S 2:8C D:{up} 1:6C 2:6D D:{hole} {rest}".strip()
        bets = bet("b1"), bet("b2", "mega_fire_blaze", "1.00")

        assert graded(text, *bets, rules=MFB, bonus=played)[1] == f"win {paid}"
