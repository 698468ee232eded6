"""Golden chips (readings, "Blackjack family", and contract, details 37 to 41)."""

import pytest

from rounds.rules.facts import Bet
from rounds.rules.verdict import Grade
from tests.rounds.rules.dealing import (
    ENDED_AT,
    MEGA_FIRE_BLAZE,
    QUANTUM,
    bet,
    bonus,
    grades,
)

CHIP = ("golden-chip",)


def graded(text: str, main: Bet) -> Grade:
    """The grade of a bet at Quantum."""
    return grades(text, main, rules=QUANTUM)[0]


class TestAGoldenChip:
    """The house's money: its winnings are the player's, the chip is not."""

    def test_that_wins_pays_the_winnings_without_the_stake(self) -> None:
        """Nineteen against eighteen; the outcome is that of cash (detail 37)."""
        grade = graded("1:9S D:TD 1:TC D:8C", bet(golden=True))

        assert grade == Grade("win", 1000, 0, ("win", *CHIP))

    def test_that_is_a_blackjack_pays_three_to_two_without_the_stake(self) -> None:
        """7.77 win 11.655."""
        grade = graded("1:AS D:TD 1:KC D:8C", bet(stake=777, golden=True))

        assert grade == Grade("win", 1166, 0, ("blackjack", *CHIP))

    def test_that_pushes_goes_back_as_a_chip(self) -> None:
        """Eighteen each."""
        grade = graded("1:9S D:TD 1:9C D:8C", bet(golden=True))

        assert grade == Grade("push", 1000, 1000, ("push", *CHIP))

    def test_that_loses_pays_nothing(self) -> None:
        """Seventeen against eighteen."""
        grade = graded("1:9S D:TD 1:8S D:8C", bet(golden=True))

        assert grade == Grade("lose", 0, 0, ("lose",))

    @pytest.mark.parametrize(
        ("third", "expected"),
        [
            ("TH", Grade("win", 3000, 0, ("win", *CHIP))),
            ("7H", Grade("push", 2000, 1000, ("push", *CHIP))),
            ("6H", Grade("lose", 0, 0, ("lose",))),
        ],
    )
    def test_is_doubled_in_cash(self, third: str, expected: Grade) -> None:
        """Detail 38: a win pays two stakes won and the cash one back; a push both."""
        played = bet(play="D", raised_cents=1000, golden=True)

        assert graded(f"1:5S D:TD 1:6C D:8C 1:{third}", played) == expected

    @pytest.mark.parametrize(
        ("first", "second", "expected"),
        [
            ("TH", "TC", Grade("win", 3000, 0, ("win", "win", *CHIP))),
            ("TH", "2C", Grade("push", 1000, 0, ("win", "lose", *CHIP))),
            ("2H", "TC", Grade("push", 2000, 0, ("lose", "win"))),
            ("9H", "9C", Grade("push", 2000, 1000, ("push", "push", *CHIP))),
            ("2H", "9C", Grade("lose", 1000, 0, ("lose", "push"))),
        ],
    )
    def test_that_is_split_belongs_to_the_first_hand(
        self, first: str, second: str, expected: Grade
    ) -> None:
        """The second hand is cash; the outcome is that of the same bet in cash."""
        played = bet(play="P,", raised_cents=1000, golden=True)

        assert graded(f"1:9S D:TD 1:9D D:8C 1a:{first} 1b:{second}", played) == expected

    def test_that_wins_with_a_multiplier_pays_as_cash_does(self) -> None:
        """Detail 41: stake x odds x multiplier; no stake comes back in cash either."""
        cards = (("TC", "5"), ("QS", "3"), ("QH", "3"))
        text = "1:9S D:TD 1:TC D:8C"
        both = bet(golden=True), bet(id="b2", player="p-2")

        golden, cash = grades(text, *both, rules=QUANTUM, multipliers=cards)

        assert (golden.payout_cents, cash.payout_cents) == (5000, 5000)
        assert golden.chips_cents == 0

    def test_loses_to_a_blackjack_but_gets_the_double_back(self) -> None:
        """The raise of the double is cash and goes back as cash."""
        played = bet(play="D", raised_cents=1000, golden=True)

        grade = graded("1:5S D:KC 1:6S D:AS 1:9H", played)

        assert grade == Grade("lose", 1000, 0, ("double-returned",))

    @pytest.mark.parametrize(("second", "payout"), [("8S", 25000), ("9S", 0)])
    def test_on_a_side_bet_pays_its_winnings_alone(self, second: str, payout: int) -> None:
        """25:1 on 10.00."""
        text = f"1:8S D:TD 1:{second} D:8C"

        _, side = grades(text, bet(), bet("player_pair", golden=True), rules=QUANTUM)

        assert (side.payout_cents, side.chips_cents) == (payout, 0)

    def test_that_is_void_goes_back_as_a_chip_and_its_raise_as_cash(self) -> None:
        """Contract, detail 18."""
        late = bet(golden=True, raised_cents=500, placed_at=ENDED_AT)

        _, grade = grades("2:9S D:TD 2:9C D:8C", bet(box=2), late, rules=QUANTUM)

        assert grade == Grade("void", 1500, 1000, ("void-out-of-time",))

    def test_on_the_bonus_pays_one_stake_less(self) -> None:
        """Detail 39: stake x (multiplier - 1); the dealer's two Aces earn a minor bonus."""
        text = "1:9S 2:9C D:AD 1:TC 2:9D D:AH D:9S"
        played = bonus("minor", "8", "1:2 2:2 3:2 4:2", "", "", "")
        bets = bet(), bet("mega_fire_blaze", golden=True)

        _, grade = grades(text, *bets, rules=MEGA_FIRE_BLAZE, bonus=played)

        assert grade == Grade("win", 7000, 0, ("bonus-won", *CHIP))
