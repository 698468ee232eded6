"""The explanation of main bets with golden chips and multiplier cards."""

from rounds.rules.blackjack.explained import hand_money, main_bet, outcome, placing
from rounds.rules.explained import money
from rounds.rules.explained.explanation import ExactMoney, Factor, Money, MultiplierCards, make_step
from rounds.rules.odds import Odds
from tests.rounds.rules.blackjack.explained.explained_values import TEN, TWENTY
from tests.rounds.rules.dealing import MEGA_FIRE_BLAZE, QUANTUM, bet
from tests.rounds.rules.traces import ONE_TO_ONE, THREE_TO_TWO, sentences, steps_of


class TestAGoldenChip:
    """Readings: a win pays without the chip, a push gives it back, raises are cash."""

    def test_that_wins_stays_with_the_house(self) -> None:
        """19 against 17: 10.00 won, the chip not paid out."""
        steps = steps_of("1:TH 2:9S D:9D 1:9C 2:8H D:8C", bet(golden=True), rules=MEGA_FIRE_BLAZE)

        assert steps[0] == make_step(placing.STAKED_CHIP, stake=TEN, box=1)
        assert steps[-2:] == [
            make_step(money.WINS, cash=1000, staked=TEN, odds=ONE_TO_ONE, winnings=TEN),
            make_step(money.CHIP_STAYS, rule="golden-chip", stake=TEN),
        ]

    def test_that_pushes_comes_back_as_a_chip(self) -> None:
        """17 against 17."""
        steps = steps_of("1:TH 2:9S D:9D 1:7C 2:8H D:8C", bet(golden=True), rules=MEGA_FIRE_BLAZE)

        assert steps[-1] == make_step(
            money.CHIP_RETURNED, rule="golden-chip", chips=1000, stake=TEN
        )

    def test_that_was_doubled_returns_the_cash_with_the_winnings(self) -> None:
        """21 against 17: 20.00 won on chip and cash, 10.00 of cash back."""
        golden = bet(golden=True, play="D", raised_cents=1000)

        steps = steps_of("1:6H 2:9S D:9D 1:5C 2:8H D:8C 1:TC", golden, rules=MEGA_FIRE_BLAZE)

        assert steps[-3:] == [
            make_step(money.WINS, cash=2000, staked=TWENTY, odds=ONE_TO_ONE, winnings=TWENTY),
            make_step(hand_money.CASH_BACK, cash=1000, raised=TEN),
            make_step(money.CHIP_STAYS, rule="golden-chip", stake=TEN),
        ]

    def test_that_loses_is_lost(self) -> None:
        """16 against 17."""
        steps = steps_of("1:TH 2:9S D:9D 1:6C 2:8H D:8C", bet(golden=True), rules=MEGA_FIRE_BLAZE)

        assert steps[-1] == make_step(money.CHIP_LOST, stake=TEN)

    def test_that_loses_doubled_is_lost_with_the_cash(self) -> None:
        """6 + 5 + 2 = 13 against 17."""
        golden = bet(golden=True, play="D", raised_cents=1000)

        steps = steps_of("1:6H 2:9S D:9D 1:5C 2:8H D:8C 1:2C", golden, rules=MEGA_FIRE_BLAZE)

        assert steps[-1] == make_step(hand_money.CHIP_AND_CASH_LOST, stake=TEN, raised=TEN)

    def test_that_is_split_belongs_to_the_first_hand(self) -> None:
        """Both hands lose: the chip, and the cash of the second."""
        golden = bet(golden=True, play="P,", raised_cents=1000)

        steps = steps_of("1:8H 2:9S D:9D 1:8C 2:8H D:TC 1a:2C 1b:2D", golden, rules=MEGA_FIRE_BLAZE)

        assert make_step(main_bet.CHIP_ON_FIRST_HAND, stake=TEN) in steps
        assert [step for step in steps if step.text in (money.CHIP_LOST, money.STAKE_LOST)] == [
            make_step(money.CHIP_LOST, stake=TEN),
            make_step(money.STAKE_LOST, staked=TEN),
        ]
        assert main_bet.TOGETHER not in sentences(steps)

    def test_that_pushes_on_a_split_comes_back_as_a_chip(self) -> None:
        """19 against 19; the cash of the second hand is lost, 10 against 19."""
        golden = bet(golden=True, play="P,", raised_cents=1000)

        steps = steps_of("1:8H 2:9S D:9D 1:8C 2:8H D:TC 1a:AC 1b:2D", golden, rules=MEGA_FIRE_BLAZE)

        assert steps[-2:] == [
            make_step(money.CHIP_RETURNED, rule="golden-chip", chips=1000, stake=TEN),
            make_step(main_bet.TOGETHER, payout=TEN),
        ]


class TestMultiplierCards:
    """[QB] Carte moltiplicatrici: each different card once, the stake does not come back."""

    HELD = (("9H", "5"), ("TC", "2.5"), ("QD", "10"))

    def test_are_named_with_their_sum(self) -> None:
        """9♥ and 10♣ against 18: 0.05 at 7.5 times is 37.5 cents, 0.38."""
        steps = steps_of("1:9H D:TS 1:TC D:8S", bet(stake=5), rules=QUANTUM, multipliers=self.HELD)

        held = MultiplierCards((("9H", Odds(5, 1)), ("TC", Odds(5, 2))))
        factor = Factor(Odds(15, 2))
        assert steps[-3:] == [
            make_step(hand_money.HELD_MULTIPLIERS, cards=held, factor=factor),
            make_step(
                hand_money.WINS_MULTIPLIED,
                cash=38,
                staked=Money(5),
                odds=ONE_TO_ONE,
                factor=factor,
                winnings=Money(38),
            ),
            make_step(money.HALF_CENT_UP, exact=ExactMoney(75, 2)),
        ]

    def test_win_even_if_the_dealer_busts_with_three_cards(self) -> None:
        """[QB] Push e mani sballate; 10 + 6 + 9 is 25."""
        steps = steps_of("1:9H D:TS 1:8C D:6S D:9D", bet(), rules=QUANTUM, multipliers=self.HELD)

        assert outcome.MULTIPLIED_ALL_THE_SAME in sentences(steps)

    def test_win_in_the_ordinary_words_if_the_dealer_busts_with_four_cards(self) -> None:
        """10 + 2 + 3 + 9 is 24, which is no tie for anybody."""
        text = "1:9H D:TS 1:8C D:2S D:3D D:9D"

        steps = steps_of(text, bet(), rules=QUANTUM, multipliers=self.HELD)

        assert outcome.DEALER_BUST in sentences(steps)

    def test_multiply_the_odds_of_a_blackjack(self) -> None:
        """10.00 at 1.5 and 2.5 times is 37.50."""
        steps = steps_of("1:AH D:9S 1:TC D:8S", bet(), rules=QUANTUM, multipliers=self.HELD)

        assert steps[-1] == make_step(
            hand_money.WINS_MULTIPLIED,
            cash=3750,
            staked=TEN,
            odds=THREE_TO_TWO,
            factor=Factor(Odds(5, 2)),
            winnings=Money(3750),
        )
