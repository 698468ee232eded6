"""The smallest stake, table and deal, where an outcome depends on one unit.

Mutation testing found each of these cases missing (docs/contributor/mutation.md).
"""

from dataclasses import replace

from rounds.rules.blackjack.bets import classify_bets
from rounds.rules.blackjack.games.live_blackjack import GAME as LIVE_BLACKJACK
from rounds.rules.blackjack.games.mega_fire_blaze import GAME as FIRE_BLAZE_TABLE
from rounds.rules.blackjack.hands import play_out
from rounds.rules.blackjack.pay import grade_bet
from rounds.rules.odds import Odds
from tests.rounds.rules.dealing import bet, dealt, grades


class TestACent:
    """Contract, details 22 and 37: the outcome compares the payout with the total stake."""

    def test_lost_on_a_side_bet_is_lost(self) -> None:
        """Nine and ten are no pair: a payout of zero is no push."""
        main, pair = grades("1:9S D:TD 1:TC D:8C", bet(), bet("perfect_pairs", stake=1))

        assert main.payout_cents == 2000
        assert (pair.outcome, pair.payout_cents) == ("lose", 0)

    def test_that_wins_a_cent_is_a_win(self) -> None:
        """1:1 on one cent pays two."""
        grade = grade_bet("won", Odds(1, 1), 1, False)

        assert (grade.outcome, grade.payout_cents) == ("win", 2)


class TestATable:
    """[MFB]: every box is dealt, also one without a bet."""

    def test_of_three_boxes_deals_three(self) -> None:
        """A variant with one box more: its last box is the third."""
        game = replace(FIRE_BLAZE_TABLE, boxes=3)

        assert classify_bets(game, dealt("", bet())).boxes == {1, 2, 3}


class TestAHandWithoutItsSecondCard:
    """Contract, detail 22: after a missing card the rest of its hand is not judged."""

    def test_is_not_judged(self) -> None:
        """A nine alone, and half of a split without its second card."""
        alone = play_out(LIVE_BLACKJACK, {"1": ["9S"]}, box=1, text="")
        half = play_out(LIVE_BLACKJACK, {"1": ["9S", "9C"], "1a": ["TH"]}, box=1, text="P,")

        assert (alone.hands, alone.awaits_dealer) == ((), False)
        assert [hand.points for hand in half.hands] == [19]
