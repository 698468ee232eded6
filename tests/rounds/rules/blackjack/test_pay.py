"""Payouts of hands at all four blackjack tables."""

import pytest

from tests.rounds.rules.blackjack.paid_hands import BY_TEN, paid
from tests.rounds.rules.dealing import BLACKJACK, MEGA_FIRE_BLAZE, QUANTUM, ZAPPIT, bet, grades

FAMILY = (BLACKJACK, MEGA_FIRE_BLAZE, QUANTUM, ZAPPIT)

BY_ACE = ("D:AS", "D:KC")


@pytest.mark.parametrize("rules", FAMILY)
class TestAHand:
    """Rules of all four tables."""

    def test_nearer_to_21_wins_even_money(self, rules: str) -> None:
        """Nineteen against eighteen: 10 are paid 20."""
        assert paid("1:9S D:TD 1:TC D:8C", bet(), rules=rules) == ("win", 2000, ("win",))

    def test_of_the_same_total_pushes(self, rules: str) -> None:
        """Eighteen each: the stake comes back."""
        assert paid("1:9S D:TD 1:9C D:8C", bet(), rules=rules) == ("push", 1000, ("push",))

    def test_farther_from_21_loses(self, rules: str) -> None:
        """Seventeen against eighteen."""
        assert paid("1:9S D:TD 1:8S D:8C", bet(), rules=rules) == ("lose", 0, ("lose",))

    def test_wins_when_the_dealer_goes_bust(self, rules: str) -> None:
        """Twelve is enough against 6, 5, 2, ten: four cards, 23."""
        text = "1:9S D:6D 1:3S D:5C D:2C D:TC"

        assert paid(text, bet(), rules=rules) == ("win", 2000, ("win",))

    def test_that_is_bust_loses_even_if_the_dealer_busts(self, rules: str) -> None:
        """Twelve hit with a ten; the dealer draws to 23."""
        text = "1:9S D:6D 1:3S D:5C 1:TH D:2C D:TC"

        assert paid(text, bet(play="H"), rules=rules) == ("lose", 0, ("bust",))

    @pytest.mark.parametrize(("stake", "payout"), [(1000, 2500), (1, 3), (3, 8), (777, 1943)])
    def test_of_blackjack_wins_three_to_two_rounded_half_up(
        self, rules: str, stake: int, payout: int
    ) -> None:
        """1 wins 1.5, 3 win 4.5, 777 win 1165.5."""
        text = "1:AS D:TD 1:KS D:8C"

        assert paid(text, bet(stake=stake), rules=rules) == ("win", payout, ("blackjack",))

    def test_of_blackjack_beats_any_other_21(self, rules: str) -> None:
        """The dealer has 21 of four cards."""
        text = "1:AS D:TD 1:KS D:2C D:3C D:6C"

        assert paid(text, bet(), rules=rules) == ("win", 2500, ("blackjack",))

    @pytest.mark.parametrize(("upcard", "hole"), [BY_ACE, BY_TEN])
    def test_of_blackjack_pushes_against_the_dealers(
        self, rules: str, upcard: str, hole: str
    ) -> None:
        """With an Ace or a ten up."""
        text = f"1:AD {upcard} 1:KS {hole}"

        assert paid(text, bet(), rules=rules) == ("push", 1000, ("push-of-blackjacks",))

    @pytest.mark.parametrize(("upcard", "hole"), [BY_ACE, BY_TEN])
    def test_that_is_no_blackjack_loses_to_the_dealers(
        self, rules: str, upcard: str, hole: str
    ) -> None:
        """Even twenty."""
        text = f"1:TD {upcard} 1:KS {hole}"

        assert paid(text, bet(), rules=rules) == ("lose", 0, ("lose-to-blackjack",))

    def test_that_was_doubled_pays_on_both_stakes(self, rules: str) -> None:
        """21 against eighteen pays 40 for 20; seventeen loses both; eighteen returns both."""
        doubled = bet(play="D", raised_cents=1000)
        text = "1:5S D:TD 1:6S D:8C"

        assert paid(f"{text} 1:TH", doubled, rules=rules) == ("win", 4000, ("win",))
        assert paid(f"{text} 1:6H", doubled, rules=rules) == ("lose", 0, ("lose",))
        assert paid(f"{text} 1:7H", doubled, rules=rules) == ("push", 2000, ("push",))

    def test_of_a_split_is_paid_separately_under_one_outcome(self, rules: str) -> None:
        """One outcome for all the money (contract); a reason for each hand."""
        split = bet(play="P,", raised_cents=1000)
        text = "1:9S D:TD 1:9C D:8C"

        assert paid(f"{text} 1a:TH 1b:9D", split, rules=rules) == ("win", 3000, ("win", "push"))
        assert paid(f"{text} 1a:TH 1b:2D", split, rules=rules) == ("push", 2000, ("win", "lose"))
        assert paid(f"{text} 1a:9H 1b:2D", split, rules=rules) == ("lose", 1000, ("push", "lose"))

    def test_of_ten_and_ace_after_a_split_is_no_blackjack(self, rules: str) -> None:
        """It pays even money."""
        split = bet(play="P,", raised_cents=1000)
        text = "1:AS D:TD 1:AC D:8C 1a:KH 1b:TH"

        assert paid(text, split, rules=rules) == ("win", 4000, ("win", "win"))

    def test_of_a_king_and_a_ten_may_be_split(self, rules: str) -> None:
        """They have the same value; each hand is paid separately."""
        split = bet(play="P,", raised_cents=1000)
        text = "1:KS D:TD 1:TC D:8C 1a:9H 1b:7D"

        assert paid(text, split, rules=rules) == ("push", 2000, ("win", "lose"))


class TestPlaysAgainstADealerBlackjack:
    """Contract, details 23, 27, 28, 29; the readings of each game."""

    DOUBLED = ("1:5S {} 1:6S {} 1:9H", bet(play="D", raised_cents=1000))
    SPLIT = ("1:8S {} 1:8C {} 1a:9H 1b:2D", bet(play="P,", raised_cents=1000))
    BUST_DOUBLE = ("1:9S {} 1:5S {} 1:9H", bet(play="D", raised_cents=1000))
    SPLIT_AND_DOUBLED = (
        "1:8S {} 1:8C {} 1a:3H 1a:9H 1b:2D 1b:KH",
        bet(play="PD,H", raised_cents=2000),
    )

    def test_under_a_ten_at_blackjack_lose_everything(self) -> None:
        """[BJ] Assicurazione: the dealer does not check; doubles and splits are lost too."""
        for text, played in (self.DOUBLED, self.SPLIT):
            assert paid(text.format(*BY_TEN), played)[:2] == ("lose", 0)

    def test_under_an_ace_at_mega_fire_blaze_lose_everything(self) -> None:
        """[MFB] Raddoppia: both bets are lost; kept for feeds where plays were made (R)."""
        for text, played in (self.DOUBLED, self.SPLIT):
            assert paid(text.format(*BY_ACE), played, rules=MEGA_FIRE_BLAZE)[:2] == ("lose", 0)

    @pytest.mark.parametrize(
        ("rules", "dealer"), [(MEGA_FIRE_BLAZE, BY_TEN), (QUANTUM, BY_TEN), (QUANTUM, BY_ACE)]
    )
    def test_get_back_the_raise_of_a_double(self, rules: str, dealer: tuple[str, str]) -> None:
        """[MFB] Raddoppia, [QB] Raddoppia: that of a split is lost."""
        text, doubled = self.DOUBLED
        assert paid(text.format(*dealer), doubled, rules=rules) == (
            *("lose", 1000),
            ("double-returned",),
        )
        text, split = self.SPLIT
        assert paid(text.format(*dealer), split, rules=rules)[:2] == ("lose", 0)

    @pytest.mark.parametrize("rules", [MEGA_FIRE_BLAZE, QUANTUM])
    def test_get_it_back_for_a_bust_hand_too(self, rules: str) -> None:
        """Contract, detail 29."""
        text, doubled = self.BUST_DOUBLE

        assert paid(text.format(*BY_TEN), doubled, rules=rules)[:2] == ("lose", 1000)

    @pytest.mark.parametrize("rules", [MEGA_FIRE_BLAZE, QUANTUM])
    def test_get_it_back_hand_by_hand_after_a_split(self, rules: str) -> None:
        """Three stakes on the table, the first hand doubled: one comes back."""
        text, played = self.SPLIT_AND_DOUBLED

        outcome, payout, reasons = paid(text.format(*BY_TEN), played, rules=rules)

        assert (outcome, payout) == ("lose", 1000)
        assert reasons == ("double-returned", "lose-to-blackjack")

    def test_name_a_bust_as_the_reason(self) -> None:
        """A hit hand of 23 also loses to the blackjack."""
        text = "1:9S D:KC 1:5S D:AS 1:9H"

        assert paid(text, bet(play="H")) == ("lose", 0, ("bust",))


class TestAlikeBets:
    """Equal plays are graded once."""

    def test_on_a_shared_box_are_paid_by_their_stakes(self) -> None:
        """Three players of one play and stake, a fourth of another stake."""
        text = "1:9S D:TD 1:TC D:8C"
        bets = [bet(id=f"b{n}", player=f"p-{n}", stake=1000 if n < 3 else 7) for n in range(4)]

        paid_out = [grade.payout_cents for grade in grades(text, *bets, rules=QUANTUM)]

        assert paid_out == [2000, 2000, 2000, 14]
