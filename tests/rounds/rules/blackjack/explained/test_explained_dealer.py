"""The explanation of the dealer: the cards, the check for blackjack, the draw."""

import pytest

from rounds.rules.blackjack.explained import dealer, hand_money, outcome
from rounds.rules.cards import Total
from rounds.rules.explained import money
from rounds.rules.explained.explanation import THE_HAND, Cards, make_step
from tests.rounds.rules.blackjack.explained.explained_values import TEN
from tests.rounds.rules.dealing import BLACKJACK, MEGA_FIRE_BLAZE, QUANTUM, ZAPPIT, bet
from tests.rounds.rules.traces import sentences, steps_of


class TestTheDealer:
    def test_draws_to_seventeen(self) -> None:
        """2 + 5 + 4 + 8 = 19."""
        steps = steps_of("1:TH D:2S 1:8D D:5S D:4C D:8C", bet())

        assert steps[3:5] == [
            make_step(
                dealer.DEALT,
                upcard=Cards(("2S",)),
                hole=Cards(("5S",)),
                total=Total(7, is_soft=False),
            ),
            make_step(dealer.DREW, cards=Cards(("4C", "8C")), total=Total(19, is_soft=False)),
        ]

    def test_that_draws_to_21_is_not_bust(self) -> None:
        """2 + 9 + 10."""
        steps = steps_of("1:TH D:2S 1:8D D:9S D:TC", bet())

        assert steps[4] == make_step(
            dealer.DREW, cards=Cards(("TC",)), total=Total(21, is_soft=False)
        )

    def test_draws_on_a_soft_seventeen_at_quantum(self) -> None:
        """[QB] Regole di gioco: Ace and six, then a three."""
        steps = steps_of("1:TH D:6S 1:8D D:AS D:3C", bet(), rules=QUANTUM)

        assert make_step(dealer.SOFT_SEVENTEEN) in steps

    def test_stands_on_a_soft_seventeen_elsewhere(self) -> None:
        """[BJ] Risultato."""
        steps = steps_of("1:TH D:6S 1:8D D:AS", bet())

        assert make_step(dealer.STOOD, total=Total(17, is_soft=True)) in steps
        assert dealer.SOFT_SEVENTEEN not in sentences(steps)

    def test_need_not_draw_if_no_hand_depends_on_it(self) -> None:
        """A blackjack against 10 + 6 is decided (readings: drawing is optional)."""
        steps = steps_of("1:AH D:TS 1:KD D:6S", bet())

        assert make_step(dealer.NEED_NOT_DRAW) in steps

    @pytest.mark.parametrize(
        ("rules", "text", "sentence"),
        [
            (BLACKJACK, "1:TH D:TS 1:8D D:9S", None),
            (BLACKJACK, "1:TH D:AS 1:8D D:9S", dealer.LOOKED),
            (ZAPPIT, "1:TH D:TS 1:8D D:9S", dealer.LOOKED),
            (ZAPPIT, "1:TH D:TS 1:8D D:AS", dealer.LOOKED_AND_ENDED),
            (BLACKJACK, "1:TH D:AS 1:8D D:KS", dealer.LOOKED_AND_ENDED),
            (BLACKJACK, "1:TH D:TS 1:8D D:AS", dealer.SEEN_LATE),
            (BLACKJACK, "1:TH D:9S 1:8D D:TS", None),
            (ZAPPIT, "1:TH D:9S 1:8D D:TS", None),
        ],
    )
    def test_checks_for_blackjack_by_the_sheet(
        self, rules: str, text: str, sentence: str | None
    ) -> None:
        """[BJ] Assicurazione: under an Ace; R at [ZAP]: under a ten too."""
        looks = {dealer.LOOKED, dealer.LOOKED_AND_ENDED, dealer.SEEN_LATE}

        steps = steps_of(text, bet(), rules=rules)

        assert looks & set(sentences(steps)) == ({sentence} if sentence else set())


class TestABlackjackOfTheDealer:
    def test_beats_every_other_hand(self) -> None:
        """Twenty, which takes no decision."""
        steps = steps_of("1:TH D:AS 1:TD D:KS", bet())

        assert steps[2:] == [
            make_step(dealer.DEALT_BLACKJACK, upcard=Cards(("AS",)), hole=Cards(("KS",))),
            make_step(dealer.LOOKED_AND_ENDED, upcard=Cards(("AS",))),
            make_step(
                outcome.BEATEN_BY_BLACKJACK,
                rule="lose-to-blackjack",
                hand=THE_HAND,
                total=20,
                dealer=21,
                count=2,
            ),
            make_step(money.STAKE_LOST, staked=TEN),
        ]

    def test_ties_with_a_blackjack(self) -> None:
        """The stake comes back."""
        steps = steps_of("1:AH D:AS 1:TD D:KS", bet())

        assert steps[-2].text == outcome.BOTH_BLACKJACK
        assert steps[-1] == make_step(money.STAKE_RETURNED, cash=1000, staked=TEN)

    def test_returns_the_raise_of_a_double_at_mega_fire_blaze_with_a_ten_up(self) -> None:
        """[MFB] Raddoppia: 10.00 of 20.00."""
        doubled = bet(play="D", raised_cents=1000)

        steps = steps_of("1:6H 2:9S D:TD 1:5C 2:8H D:AC 1:9C", doubled, rules=MEGA_FIRE_BLAZE)

        assert [step.text for step in steps[-3:]] == [
            outcome.DOUBLE_SAVED,
            hand_money.DOUBLED_TO,
            hand_money.DOUBLE_BACK,
        ]
        assert steps[-1] == make_step(hand_money.DOUBLE_BACK, cash=1000, raised=TEN, stake=TEN)

    def test_takes_a_golden_chip_but_not_the_cash_of_its_double(self) -> None:
        """The cash comes back."""
        doubled = bet(play="D", raised_cents=1000, golden=True)

        steps = steps_of("1:6H 2:9S D:TD 1:5C 2:8H D:AC 1:9C", doubled, rules=MEGA_FIRE_BLAZE)

        assert steps[-1] == make_step(
            hand_money.DOUBLE_BACK_CHIP_LOST, cash=1000, raised=TEN, stake=TEN
        )

    def test_after_plays_does_not_claim_that_the_round_ended(self) -> None:
        """[QB], detail 28: the dealer checked, and the hand was played."""
        doubled = bet(play="D", raised_cents=1000)

        steps = steps_of("1:6H D:TD 1:5C D:AC 1:9C", doubled, rules=QUANTUM)

        assert dealer.LOOKED_AND_ENDED not in sentences(steps)
        assert steps[-1].text == hand_money.DOUBLE_BACK
