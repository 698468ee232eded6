"""The explanation of insurance, side bets and differing payouts."""

import pytest

from rounds.rules.blackjack.explained import other_bets, placing
from rounds.rules.catalogue import rule_set
from rounds.rules.explained import money, reported
from rounds.rules.explained import placing as every_placing
from rounds.rules.explained.explanation import (
    BetName,
    Cards,
    Money,
    make_step,
)
from rounds.rules.odds import Odds
from rounds.rules.verdict import Grade
from tests.rounds.rules.blackjack.explained.explained_values import TEN
from tests.rounds.rules.dealing import MEGA_FIRE_BLAZE, bet, dealt
from tests.rounds.rules.traces import steps_of


class TestInsurance:
    def test_that_wins_is_explained_with_the_two_cards(self) -> None:
        """Half of 10.00 at 2:1: 10.00 and the 5.00 themselves."""
        steps = steps_of("1:TH D:AS 1:8D D:KS", bet("insurance", stake=500), bet())

        assert steps[:2] == [
            make_step(placing.INSURED, stake=Money(500), box=1),
            make_step(other_bets.HALF_OF_STAKE, stake=Money(500), main=TEN),
        ]
        assert steps[3:] == [
            make_step(other_bets.INSURANCE_IS_DUE, rule="insurance-won"),
            make_step(money.WINS, cash=1000, staked=Money(500), odds=Odds(2, 1), winnings=TEN),
            make_step(money.STAKE_BACK, cash=500, staked=Money(500)),
        ]

    def test_that_loses_costs_half_rounded_down(self) -> None:
        """R: half of 0.05 is 0.02."""
        steps = steps_of("1:TH D:AS 1:8D D:9S", bet("insurance", stake=2), bet(stake=5))

        assert steps[1] == make_step(other_bets.HALF_ROUNDED_DOWN, stake=Money(2), main=Money(5))
        assert steps[-2:] == [
            make_step(other_bets.INSURANCE_IS_NOT_DUE, rule="insurance-lost"),
            make_step(money.STAKE_LOST, staked=Money(2)),
        ]


class TestASideBet:
    def test_on_a_pair_names_the_cards_and_the_pair(self) -> None:
        """[BJ] Vincite, Coppie Perfette: 8♥ 8♦ are both red, 12:1."""
        steps = steps_of("1:8H D:9S 1:8D D:9C", bet("perfect_pairs", stake=100), bet())

        assert steps == [
            make_step(
                every_placing.STAKED_ON_BOX, stake=Money(100), bet=BetName("perfect_pairs"), box=1
            ),
            make_step(other_bets.OF_THE_BOX, box=1, cards=Cards(("8H", "8D"))),
            make_step(other_bets.COMBINATIONS["coloured-pair"], rule="coloured-pair"),
            make_step(
                money.WINS, cash=1200, staked=Money(100), odds=Odds(12, 1), winnings=Money(1200)
            ),
            make_step(money.STAKE_BACK, cash=100, staked=Money(100)),
        ]

    def test_on_three_cards_includes_the_upcard(self) -> None:
        """[BJ] 21+3: 8 7 with an Ace make nothing."""
        steps = steps_of("1:8D D:AH 1:7D D:9C", bet("21+3", stake=100), bet())

        assert steps[1:3] == [
            make_step(other_bets.WITH_THE_UPCARD, box=1, cards=Cards(("8D", "7D", "AH"))),
            make_step(other_bets.COMBINATIONS["no-combination"], rule="no-combination"),
        ]

    def test_is_decided_by_the_opening_cards_of_hands_that_drew(self) -> None:
        """8 7 and the upcard 6 are a straight; box and dealer draw a third card."""
        bets = bet("21+3", stake=100), bet(play="H")

        steps = steps_of("1:8D D:6H 1:7D D:TC 1:2C D:5S", *bets)

        assert steps[1:3] == [
            make_step(other_bets.WITH_THE_UPCARD, box=1, cards=Cards(("8D", "7D", "6H"))),
            make_step(other_bets.COMBINATIONS["straight"], rule="straight"),
        ]

    def test_on_a_pair_at_mega_fire_blaze_does_not_mention_its_bonus(self) -> None:
        """8♥ 8♦ of the box."""
        text = "1:8H 2:9S D:9H 1:8D 2:5C D:9C"

        steps = steps_of(text, bet("player_pair", stake=100), bet(), rules=MEGA_FIRE_BLAZE)

        assert steps[1:3] == [
            make_step(other_bets.OF_THE_BOX, box=1, cards=Cards(("8H", "8D"))),
            make_step(other_bets.COMBINATIONS["coloured-pair"], rule="coloured-pair"),
        ]

    def test_on_the_dealers_pair_names_the_dealers_cards(self) -> None:
        """[MFB], with a golden chip, which stays with the house."""
        golden = bet("dealer_pair", stake=100, golden=True)

        steps = steps_of("1:8D 2:9S D:9H 1:7D 2:5C D:9H", golden, bet(), rules=MEGA_FIRE_BLAZE)

        assert steps == [
            make_step(
                every_placing.STAKED_CHIP_ON_BOX,
                stake=Money(100),
                bet=BetName("dealer_pair"),
                box=1,
            ),
            make_step(other_bets.OF_THE_DEALER, box=1, cards=Cards(("9H", "9H"))),
            make_step(other_bets.COMBINATIONS["perfect-pair"], rule="perfect-pair"),
            make_step(
                money.WINS, cash=2500, staked=Money(100), odds=Odds(25, 1), winnings=Money(2500)
            ),
            make_step(money.CHIP_STAYS, rule="golden-chip", stake=Money(100)),
        ]

    def test_with_a_golden_chip_loses_the_chip(self) -> None:
        """A nine and an eight are no pair."""
        chip = bet("dealer_pair", stake=100, golden=True)

        steps = steps_of("1:TH 2:9S D:9D 1:9C 2:8H D:8C", chip, bet(), rules=MEGA_FIRE_BLAZE)

        assert steps[-1] == make_step(money.CHIP_LOST, stake=Money(100))


class TestADifferingReportedPayout:
    @pytest.mark.parametrize("cents", [1999, 0])
    def test_is_named_with_the_computed_payout(self, cents: int) -> None:
        """10.00 on 20 against 18 pays 20.00; the studio reported 19.99, or that nothing is won."""
        round_ = dealt("1:TH D:9S 1:TD D:9C", bet(reported_cents=cents))
        grade = Grade("win", 2000, 0, ("win",))

        (why,) = rule_set(round_.rules).explain(round_, [(round_.bets[0], grade)])

        assert why.adds_up
        assert why.steps[-1] == make_step(
            reported.REPORTED, reported=Money(cents), payout=Money(2000)
        )
