"""Multiplier cards at Quantum. [QB] Carte moltiplicatrici, and readings."""

import pytest

from rounds.rules.verdict import Grade
from tests.rounds.rules.dealing import QUANTUM, anomalies, bet, grades, left

THREE = (("9S", "2.5"), ("TC", "3"), ("5H", "10"))
PLAIN = "1:8S D:TD 1:8C D:8C"


def graded(text: str, play: str = "", *, raised: int = 0, stake: int = 1000) -> Grade:
    """The grade of a bet with these multiplier cards on the table."""
    main = bet(play=play, raised_cents=raised, stake=stake)
    return grades(text, main, rules=QUANTUM, multipliers=THREE)[0]


class TestAWinningHand:
    """Stake x odds x multiplier, and the stake does not come back."""

    def test_with_one_multiplier_card_is_paid_its_multiple(self) -> None:
        """Nineteen with the ten of clubs, times three: 30.00."""
        assert graded("1:9H D:TD 1:TC D:8C") == Grade("win", 3000, 0, ("multiplied-win",))

    def test_with_two_is_paid_their_sum(self) -> None:
        """2.5 and 3."""
        assert graded("1:9S D:TD 1:TC D:8C").payout_cents == 5500

    def test_counts_copies_of_a_card_once(self) -> None:
        """The sheet's example with two of one card: two nines of spades count once."""
        assert graded("1:9S D:TD 1:9S D:7C").payout_cents == 2500

    def test_of_blackjack_is_paid_one_and_a_half_times_the_multiple(self) -> None:
        """1.5 x 3 x 10.00."""
        grade = graded("1:AS D:TD 1:TC D:8C")

        assert grade == Grade("win", 4500, 0, ("multiplied-blackjack",))

    @pytest.mark.parametrize(("stake", "payout"), [(1, 5), (3, 14), (5, 23), (777, 3497)])
    def test_is_rounded_half_up_once(self, stake: int, payout: int) -> None:
        """Blackjack with x3 is 4.5 times: 4.5, 13.5, 22.5, 3496.5 cents."""
        assert graded("1:AS D:TD 1:TC D:8C", stake=stake).payout_cents == payout

    def test_that_was_doubled_multiplies_the_doubled_stake(self) -> None:
        """20.00 x 3."""
        grade = graded("1:5S D:TD 1:5C D:8C 1:TC", "D", raised=1000)

        assert (grade.outcome, grade.payout_cents) == ("win", 6000)

    def test_of_a_split_counts_its_own_cards(self) -> None:
        """Both hands hold the ten of clubs; the first starts from the nine of spades."""
        text = "1:9S D:TD 1:9H D:8C 1a:TC 1b:TC"

        grade = graded(text, "P,", raised=1000)

        assert grade.payout_cents == 5500 + 3000
        assert grade.reasons == ("multiplied-win", "multiplied-win")

    def test_that_hit_counts_the_cards_it_drew_and_no_others(self) -> None:
        """A player of a shared box who stands does not own the next card."""
        text = "1:8H D:TD 1:TH D:7C 1:2S"
        cards = (("2S", "10"), ("QS", "3"), ("QH", "3"))
        stood, hit = bet(), bet(id="b2", player="p-2", play="H")

        graded_bets = grades(text, stood, hit, rules=QUANTUM, multipliers=cards)

        assert [grade.payout_cents for grade in graded_bets] == [2000, 10000]

    def test_wins_even_if_the_dealer_busts_with_three_cards(self) -> None:
        """[QB] Push e mani sballate: the exception to the push."""
        grade = graded("1:8S D:TD 1:TC D:3C D:9H")

        assert grade == Grade("win", 3000, 0, ("multiplied-win",))


class TestAnyOtherBet:
    """Pushes, losses, insurance and side bets have no multiplier."""

    def test_that_pushes_gets_its_stake(self) -> None:
        """Eighteen each, with the ten of clubs."""
        assert graded("1:8S D:TD 1:TC D:8H").payout_cents == 1000

    def test_that_loses_gets_nothing(self) -> None:
        """Seventeen, and a bust hand, with the ten of clubs."""
        assert graded("1:7S D:TD 1:TC D:8H").payout_cents == 0
        assert graded("1:7S D:TD 1:TC D:8H 1:8C", "H").reasons == ("bust",)

    def test_is_not_multiplied(self) -> None:
        """A perfect pair of nines of spades pays 25:1; insurance 2:1."""
        text = "1:9S D:AD 1:9S D:KC"
        bets = bet(), bet("player_pair"), bet("insurance", stake=500)

        graded_bets = grades(text, *bets, rules=QUANTUM, multipliers=THREE)

        assert [grade.payout_cents for grade in graded_bets] == [0, 26000, 1500]

    def test_does_not_profit_from_the_dealers_cards(self) -> None:
        """The dealer's ten of clubs multiplies nothing."""
        assert graded("1:9H D:TC 1:TH D:8C").payout_cents == 2000


class TestTheCards:
    """Anomaly ``multiplier-cards``; contract, detail 12."""

    @pytest.mark.parametrize(
        "cards",
        [
            None,
            (),
            (("QS", "5"),),
            (("QS", "5"), ("QH", "5")),
            (("QS", "5"), ("QH", "5"), ("QD", "5"), ("QC", "5")),
            tuple((f"Q{suit}", "5") for suit in "SHDC") * 2,
            (("QS", "5"), ("QH", "5"), ("QD", "4")),
            (("QS", "5"), ("QH", "5"), ("QD", "2.50")),
            (("QS", "5"), ("QH", "5"), ("QD", "x3")),
            (("QS", "5"), ("QH", "5"), ("QD", "")),
        ],
    )
    def test_of_a_wrong_number_or_value_hold_the_round(
        self, cards: tuple[tuple[str, str], ...] | None
    ) -> None:
        """Three or five, of 2.5, 3, 5 and 10, compared as text."""
        codes = anomalies(PLAIN, bet(), rules=QUANTUM, multipliers=cards)

        assert codes == ("multiplier-cards",)

    @pytest.mark.parametrize("count", [3, 5])
    def test_are_three_or_five(self, count: int) -> None:
        """Of each of the four values."""
        values = ["2.5", "3", "5", "10", "10"][:count]
        cards = tuple(zip(["QS", "QH", "QD", "QC", "KS"][:count], values, strict=True))

        assert anomalies(PLAIN, bet(), rules=QUANTUM, multipliers=cards) == ()

    def test_are_reported_with_other_anomalies(self) -> None:
        """Contract, detail 22."""
        codes = anomalies(f"{PLAIN} 1:2C", bet(), rules=QUANTUM, multipliers=())

        assert codes == ("extra-card", "multiplier-cards")

    def test_count_in_hands_finished_off_line(self) -> None:
        """The hand has the five of hearts off line: times ten."""
        text = "1:8H D:TD 1:6H D:8C"
        disconnect = left(seen=4, own="1:5H")

        (grade,) = grades(
            text, bet(play="H"), rules=QUANTUM, multipliers=THREE, disconnects=(disconnect,)
        )

        assert grade.payout_cents == 10000
