"""Payouts of hands by the special rules of one game."""

import pytest

from tests.rounds.rules.blackjack.paid_hands import BY_TEN, paid
from tests.rounds.rules.dealing import BLACKJACK, MEGA_FIRE_BLAZE, QUANTUM, ZAPPIT, bet


class TestTenCardsAtMegaFireBlaze:
    """[MFB] Charlie 10 Carte."""

    TEN = "1:AS {} 1:AH {} 1:AD 1:AC 1:2S 1:2H 1:2D 1:2C 1:3S 1:3H"
    PLAYED = bet(play="HHHHHHHH")

    def test_win_even_money_against_any_total(self) -> None:
        """Eighteen against the dealer's 21 of three cards."""
        text = self.TEN.format("D:TD", "D:5C") + " D:6C"

        assert paid(text, self.PLAYED, rules=MEGA_FIRE_BLAZE) == ("win", 2000, ("charlie",))

    def test_lose_to_a_blackjack(self) -> None:
        """The one exception."""
        text = self.TEN.format(*BY_TEN)

        assert paid(text, self.PLAYED, rules=MEGA_FIRE_BLAZE)[:2] == ("lose", 0)

    def test_lose_when_they_are_bust(self) -> None:
        """Ten cards of 23 are no Charlie."""
        text = "1:2S D:TD 1:2H D:8C 1:2D 1:2C 1:AS 1:AH 1:2S 1:3S 1:3H 1:5C"

        assert paid(text, self.PLAYED, rules=MEGA_FIRE_BLAZE) == ("lose", 0, ("bust",))

    def test_win_in_one_hand_of_a_split(self) -> None:
        """Contract, detail 26: the split card and nine more; the other hand loses."""
        text = "1:2S D:TD 1:2H D:9C 1a:AS 1a:AH 1a:AD 1a:AC 1a:2S 1a:2H 1a:3D 1a:3C 1a:2D 1b:8C"
        played = bet(play="PHHHHHHHH,", raised_cents=1000)

        assert paid(text, played, rules=MEGA_FIRE_BLAZE) == ("push", 2000, ("charlie", "lose"))

    def test_are_an_ordinary_hand_elsewhere(self) -> None:
        """Eighteen against twenty loses at blackjack."""
        text = self.TEN.format("D:TD", "D:TC")

        assert paid(text, self.PLAYED) == ("lose", 0, ("lose",))


class TestThirteenCardsAtZappit:
    """[ZAP] Regole: they stand and are paid as any hand."""

    def test_win_or_lose_by_their_total(self) -> None:
        """Fourteen against eighteen."""
        aces = " ".join(f"1:A{suit}" for suit in "DCSHDCS")
        text = f"1:AS D:TD 1:AH D:8C {aces} 1:AH 1:2S 1:AD 1:AC"

        assert paid(text, bet(play="H" * 11), rules=ZAPPIT) == ("lose", 0, ("lose",))


class TestABustOfTheDealer:
    """[QB] Push e mani sballate; [ZAP] Istruzioni di gioco."""

    THREE = "D:TD {} D:3C D:TC"  # 23 of three cards
    TWENTY_TWO = "D:TD {} D:3C D:9C"  # 22 of three cards
    FOUR = "D:6D {} D:5C D:2C D:9C"  # 22 of four cards

    @staticmethod
    def against(dealer: str, first: str, second: str, play: str = "", rest: str = "") -> str:
        """A box's cards among the dealer's."""
        upcard, _, others = dealer.partition(" {} ")
        hole, *drawn = others.split()
        return " ".join([f"1:{first}", upcard, f"1:{second}", hole, *rest.split(), *drawn])

    @pytest.mark.parametrize(
        ("rules", "pushing", "paying"), [(QUANTUM, THREE, FOUR), (ZAPPIT, TWENTY_TWO, THREE)]
    )
    def test_pushes_a_hand_that_stands(self, rules: str, pushing: str, paying: str) -> None:
        """With exactly three cards at Quantum, with exactly 22 at Zappit; otherwise it pays."""
        assert paid(self.against(pushing, "9S", "8S"), bet(), rules=rules) == (
            *("push", 1000),
            ("push-on-bust",),
        )
        assert paid(self.against(paying, "9S", "8S"), bet(), rules=rules)[:2] == ("win", 2000)

    @pytest.mark.parametrize(("rules", "dealer"), [(QUANTUM, THREE), (ZAPPIT, TWENTY_TWO)])
    def test_pays_a_blackjack(self, rules: str, dealer: str) -> None:
        """The exception of both sheets."""
        text = self.against(dealer, "AS", "KS")

        assert paid(text, bet(), rules=rules) == ("win", 2500, ("blackjack",))

    @pytest.mark.parametrize(("rules", "dealer"), [(QUANTUM, THREE), (ZAPPIT, TWENTY_TWO)])
    def test_returns_a_doubled_hand_with_its_raise(self, rules: str, dealer: str) -> None:
        """The main bet is returned: all of it."""
        text = self.against(dealer, "5S", "6S", rest="1:9H")

        assert paid(text, bet(play="D", raised_cents=1000), rules=rules)[:2] == ("push", 2000)

    @pytest.mark.parametrize(("rules", "dealer"), [(QUANTUM, THREE), (ZAPPIT, TWENTY_TWO)])
    def test_does_not_save_a_bust_hand(self, rules: str, dealer: str) -> None:
        """The hand has to stand."""
        text = self.against(dealer, "9S", "5S", rest="1:9H")

        assert paid(text, bet(play="H"), rules=rules) == ("lose", 0, ("bust",))

    @pytest.mark.parametrize(("rules", "dealer"), [(QUANTUM, THREE), (ZAPPIT, TWENTY_TWO)])
    def test_pushes_a_split_21(self, rules: str, dealer: str) -> None:
        """Ten and Ace after a split are no blackjack."""
        text = self.against(dealer, "AS", "AC", rest="1a:KH 1b:TH")

        assert paid(text, bet(play="P,", raised_cents=1000), rules=rules)[:2] == ("push", 2000)

    @pytest.mark.parametrize("dealer", [THREE, TWENTY_TWO])
    def test_pays_at_the_other_tables(self, dealer: str) -> None:
        """[BJ] Risultato, [MFB]: no exception is printed."""
        for rules in (BLACKJACK, MEGA_FIRE_BLAZE):
            assert paid(self.against(dealer, "9S", "8S"), bet(), rules=rules)[:2] == ("win", 2000)


class TestAZappedHand:
    """[ZAP] Regole."""

    def test_of_ten_and_ace_pays_even_money(self) -> None:
        """21, but no blackjack."""
        text = "1:9S D:TD 1:7S D:8C 1z:AH 1z:KH"

        assert paid(text, bet(play="Z"), rules=ZAPPIT) == ("win", 2000, ("win",))

    def test_of_ten_and_ace_pushes_on_22(self) -> None:
        """As any standing hand that is no blackjack."""
        text = "1:9S D:TD 1:7S D:3C 1z:AH 1z:KH D:9C"

        assert paid(text, bet(play="Z"), rules=ZAPPIT)[:2] == ("push", 1000)

    def test_is_decided_on_its_new_cards(self) -> None:
        """Sixteen becomes twenty; a double covers the new cards."""
        text = "1:9S D:TD 1:7S D:8C 1z:5H 1z:6H 1z:9H"

        assert paid(text, bet(play="ZD", raised_cents=1000), rules=ZAPPIT)[:2] == ("win", 4000)
