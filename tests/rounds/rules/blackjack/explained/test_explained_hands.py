"""The explanation of a main bet: its cards, its decisions, its payout."""

import pytest

from rounds.rules.blackjack.explained import dealer, hand, hand_money, main_bet, outcome, placing
from rounds.rules.cards import Total
from rounds.rules.explained import money
from rounds.rules.explained.explanation import (
    HALVES,
    THE_HAND,
    Cards,
    ExactMoney,
    Money,
    make_step,
)
from rounds.rules.facts import Bet
from tests.rounds.rules.blackjack.explained.explained_values import TEN, TWENTY
from tests.rounds.rules.dealing import BLACKJACK, MEGA_FIRE_BLAZE, QUANTUM, ZAPPIT, bet
from tests.rounds.rules.traces import ONE_TO_ONE, THREE_TO_TWO, sentences, steps_of

FIRST, SECOND = HALVES


def hard(points: int) -> Total:
    """A total in which no Ace counts eleven."""
    return Total(points, is_soft=False)


def soft(points: int) -> Total:
    """A total in which an Ace counts eleven."""
    return Total(points, is_soft=True)


def cards(*codes: str) -> Cards:
    """Cards as they came."""
    return Cards(codes)


def owned(play: str = "", raised_cents: int = 0) -> Bet:
    """The main bet of the player of box 1, behind whom p-1 bets."""
    return bet(player="p-2", id="owner", play=play, raised_cents=raised_cents)


class TestTheRoundOfTheContract:
    """Feed contract, "A round": eights split under an Ace; 21 wins, 18 pushes against 18."""

    def test_is_explained_from_the_first_card_to_the_last_cent(self) -> None:
        """10.00 + 10.00 staked: 20.00 for the first hand, 10.00 for the second."""
        steps = steps_of(
            "1:8H D:AS 1:8D D:7S 1a:3C 1a:KD 1b:TD", bet(play="PH,", raised_cents=1000)
        )

        assert steps == [
            make_step(placing.STAKED, stake=TEN, box=1),
            make_step(hand.OPENED, box=1, cards=cards("8H", "8D"), total=hard(16)),
            make_step(hand.SPLIT),
            make_step(hand.HALF, hand=FIRST, first=cards("8H"), card=cards("3C"), total=hard(11)),
            make_step(hand.HIT, card=cards("KD"), total=hard(21)),
            make_step(hand.STOOD, hand=FIRST, total=hard(21)),
            make_step(hand.HALF, hand=SECOND, first=cards("8D"), card=cards("TD"), total=hard(18)),
            make_step(hand.STOOD, hand=SECOND, total=hard(18)),
            make_step(dealer.DEALT, upcard=cards("AS"), hole=cards("7S"), total=soft(18)),
            make_step(dealer.LOOKED, upcard=cards("AS")),
            make_step(dealer.STOOD, total=soft(18)),
            make_step(main_bet.ON_EACH_HAND, stake=TEN),
            make_step(outcome.NEARER, rule="win", hand=FIRST, total=21, dealer=18, count=3),
            make_step(money.WINS, cash=1000, staked=TEN, odds=ONE_TO_ONE, winnings=TEN),
            make_step(money.STAKE_BACK, cash=1000, staked=TEN),
            make_step(outcome.LEVEL, rule="push", hand=SECOND, total=18, dealer=18, count=2),
            make_step(money.STAKE_RETURNED, cash=1000, staked=TEN),
            make_step(main_bet.TOGETHER, payout=Money(3000)),
        ]


def test_hands_are_named_by_their_numbers() -> None:
    """0 is the only one; texts and the API say which half of a split it is."""
    assert [hand.number for hand in (THE_HAND, *HALVES)] == [0, 1, 2]


class TestAHand:
    def test_that_doubles_wins_against_a_bust_dealer(self) -> None:
        """6 + 5 doubled to 21; the dealer's 10 + 6 draws a nine: 25. 20.00 wins 20.00."""
        steps = steps_of("1:6H D:TS 1:5D D:6S 1:TC D:9C", bet(play="D", raised_cents=1000))

        assert steps[1:] == [
            make_step(hand.OPENED, box=1, cards=cards("6H", "5D"), total=hard(11)),
            make_step(hand.DOUBLED, card=cards("TC"), total=hard(21)),
            make_step(hand.STOOD, hand=THE_HAND, total=hard(21)),
            make_step(dealer.DEALT, upcard=cards("TS"), hole=cards("6S"), total=hard(16)),
            make_step(dealer.DREW_AND_BUST, cards=cards("9C"), total=hard(25)),
            make_step(outcome.DEALER_BUST, rule="win", hand=THE_HAND, total=21, dealer=25, count=3),
            make_step(hand_money.DOUBLED_TO, staked=TWENTY),
            make_step(money.WINS, cash=2000, staked=TWENTY, odds=ONE_TO_ONE, winnings=TWENTY),
            make_step(money.STAKE_BACK, cash=2000, staked=TWENTY),
        ]

    def test_that_busts_loses_without_the_dealer(self) -> None:
        """10 + 6 + 9 is 25; the dealer's cards are not mentioned."""
        steps = steps_of("1:TH D:9S 1:6D D:8S 1:9C", bet(play="H"))

        assert steps[2:] == [
            make_step(hand.HIT, card=cards("9C"), total=hard(25)),
            make_step(outcome.ABOVE_21, rule="bust", hand=THE_HAND, total=25, dealer=17, count=3),
            make_step(money.STAKE_LOST, staked=TEN),
        ]

    def test_that_stands_below_the_dealer_loses(self) -> None:
        """Ace and six stand on 17 against ten and eight."""
        steps = steps_of("1:AH D:TS 1:6D D:8S", bet(play="S"))

        assert steps[1:3] == [
            make_step(hand.OPENED, box=1, cards=cards("AH", "6D"), total=soft(17)),
            make_step(hand.STOOD, hand=THE_HAND, total=soft(17)),
        ]
        assert steps[-2:] == [
            make_step(outcome.BEHIND, rule="lose", hand=THE_HAND, total=17, dealer=18, count=2),
            make_step(money.STAKE_LOST, staked=TEN),
        ]

    @pytest.mark.parametrize(
        ("rules", "upcard", "hole", "stands"),
        [(ZAPPIT, "9S", "TS", True), (BLACKJACK, "TS", "AS", True), (BLACKJACK, "AS", "TS", False)],
    )
    def test_without_a_decision_stands_unless_the_round_ended_before(
        self, rules: str, upcard: str, hole: str, stands: bool
    ) -> None:
        """Under an Ace the dealer's blackjack ends it; under a ten [BJ] does not look."""
        steps = steps_of(f"1:TH D:{upcard} 1:8D D:{hole}", bet(), rules=rules)

        assert (make_step(hand.STOOD, hand=THE_HAND, total=hard(18)) in steps) is stands

    def test_that_is_a_blackjack_pays_three_to_two_rounded_half_up(self) -> None:
        """0.05 at 3:2 is 7.5 cents: 0.08, half a cent in the customer's favour."""
        steps = steps_of("1:AH D:9S 1:KD D:8S", bet(stake=5))

        assert steps[1] == make_step(hand.OPENED_BLACKJACK, box=1, cards=cards("AH", "KD"))
        assert steps[2].text == dealer.DEALT
        assert steps[-4:] == [
            make_step(
                outcome.THE_BLACKJACK, rule="blackjack", hand=THE_HAND, total=21, dealer=17, count=2
            ),
            make_step(money.WINS, cash=8, staked=Money(5), odds=THREE_TO_TWO, winnings=Money(8)),
            make_step(money.HALF_CENT_UP, exact=ExactMoney(15, 2)),
            make_step(money.STAKE_BACK, cash=5, staked=Money(5)),
        ]

    def test_that_is_exchanged_is_explained_with_its_new_cards(self) -> None:
        """[ZAP] Regole: a hard 16 becomes Ace and king, which is 21 and no blackjack."""
        steps = steps_of("1:TH D:9S 1:6D D:8S 1z:AC 1z:KC", bet(play="Z"), rules=ZAPPIT)

        assert steps[1:4] == [
            make_step(hand.OPENED, box=1, cards=cards("TH", "6D"), total=hard(16)),
            make_step(hand.ZAPPED, cards=cards("AC", "KC"), total=soft(21)),
            make_step(hand.STOOD, hand=THE_HAND, total=soft(21)),
        ]
        assert steps[-2].values["odds"] == ONE_TO_ONE

    def test_of_ten_cards_wins(self) -> None:
        """[MFB] Charlie 10 Carte: 2 2 2 2 2 2 A A A A is 16 in ten cards, against 20."""
        text = "1:2H 2:9S D:TD 1:2D 2:8H D:TC 1:2C 1:2S 1:2H 1:2D 1:AH 1:AD 1:AC 1:AS"

        steps = steps_of(text, bet(play="HHHHHHHH"), rules=MEGA_FIRE_BLAZE)

        assert steps[-3] == make_step(
            outcome.THE_CHARLIE, rule="charlie", hand=THE_HAND, total=16, dealer=20, count=10
        )


class TestABetBehind:
    def test_follows_the_hand_of_the_owner(self) -> None:
        """It doubled with him: 20.00 win 20.00."""
        behind = bet(behind=True, raised_cents=1000)
        owner = owned(play="D", raised_cents=1000)

        steps = steps_of("1:6H D:TS 1:5D D:6S 1:TC D:9C", behind, owner)

        assert steps[0] == make_step(placing.STAKED_BEHIND, stake=TEN, box=1)
        assert main_bet.NOT_RAISED_ON_DOUBLE not in sentences(steps)
        assert steps[-1] == make_step(money.STAKE_BACK, cash=2000, staked=TWENTY)

    def test_that_does_not_raise_belongs_to_the_first_hand_of_a_split(self) -> None:
        """The second hand is the owner's alone and is not explained."""
        behind = bet(behind=True, follows=False)
        owner = owned(play="P,", raised_cents=1000)

        steps = steps_of("1:8H D:9S 1:8D D:8S 1a:TC 1b:3C", behind, owner)

        assert make_step(main_bet.NOT_RAISED_ON_SPLIT) in steps
        assert sentences(steps).count(hand.HALF) == 1
        assert steps[-1] == make_step(money.STAKE_BACK, cash=1000, staked=TEN)

    def test_that_does_not_raise_keeps_its_stake_on_a_doubled_hand(self) -> None:
        """10.00 stay 10.00 and win 10.00."""
        behind = bet(behind=True, follows=False)
        owner = owned(play="D", raised_cents=1000)

        steps = steps_of("1:6H D:TS 1:5D D:6S 1:TC D:9C", behind, owner)

        assert make_step(main_bet.NOT_RAISED_ON_DOUBLE) in steps
        assert steps[-1] == make_step(money.STAKE_BACK, cash=1000, staked=TEN)

    def test_that_does_not_raise_omits_it_if_the_owner_did_not_raise(self) -> None:
        """The owner neither doubles nor splits."""
        behind = bet(behind=True, follows=False)

        steps = steps_of("1:TH D:9S 1:9D D:8S", behind, owned())

        assert main_bet.NOT_RAISED_ON_DOUBLE not in sentences(steps)
        assert main_bet.NOT_RAISED_ON_SPLIT not in sentences(steps)


class TestAPushOnADealerBust:
    def test_is_explained_at_quantum_with_three_cards(self) -> None:
        """[QB] Push e mani sballate: 10 + 6 + 9."""
        steps = steps_of("1:9S D:TS 1:8C D:6S D:9D", bet(), rules=QUANTUM)

        assert steps[-2:] == [
            make_step(
                outcome.BUST_WITH_THREE,
                rule="push-on-bust",
                hand=THE_HAND,
                total=17,
                dealer=25,
                count=2,
            ),
            make_step(money.STAKE_RETURNED, cash=1000, staked=TEN),
        ]

    def test_is_explained_at_zappit_with_22(self) -> None:
        """[ZAP] introduction: 10 + 6 + 6."""
        steps = steps_of("1:9S D:TS 1:8C D:6S D:6D", bet(), rules=ZAPPIT)

        assert outcome.BUST_WITH_22 in sentences(steps)
