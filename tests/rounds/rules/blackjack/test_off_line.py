"""Hands finished off line (contract, "A player who lost the connection" and detail 42).

[MFB] Assicurazione and [QB] Nota sulle disconnessioni. In the live round of these tests box 1
belongs to p-1, who disconnects, and box 2 to p-2, who stays.
"""

import pytest

from rounds.rules.facts import Bet, Disconnect
from tests.rounds.rules.dealing import (
    BLACKJACK,
    CLOSED_AT,
    MEGA_FIRE_BLAZE,
    QUANTUM,
    ZAPPIT,
    anomalies,
    bet,
    dealt,
    grades,
    judged,
    left,
)

LIVE = "1:5S 2:9C D:TD 1:6S 2:9D D:8C"  # eleven, eighteen, eighteen
STAYS = bet(id="b2", player="p-2", box=2)


def paid(text: str, main: Bet, disconnect: Disconnect, *others: Bet, rules: str = QUANTUM) -> int:
    """The payout of the disconnected player's main bet."""
    graded = grades(text, main, STAYS, *others, rules=rules, disconnects=(disconnect,))
    return graded[0].payout_cents


def anomalies_of(
    text: str, main: Bet, disconnect: Disconnect, *others: Bet, rules: str = QUANTUM
) -> tuple[str, ...]:
    """The anomalies of the round."""
    return anomalies(text, main, STAYS, *others, rules=rules, disconnects=(disconnect,))


@pytest.mark.parametrize("rules", [MEGA_FIRE_BLAZE, QUANTUM])
class TestAHandFinishedOffLine:
    """Decided on the cards the player had seen and the player's own cards."""

    def test_takes_its_cards_from_the_players_own(self, rules: str) -> None:
        """Doubled to 21 off line against eighteen: 20 are paid 40."""
        main = bet(play="D", raised_cents=1000)

        assert paid(LIVE, main, left(seen=6, own="1:TC"), rules=rules) == 4000

    def test_is_compared_with_the_off_line_dealer(self, rules: str) -> None:
        """Live the dealer makes seventeen with four cards, off line busts with five."""
        text = "1:9S 2:9C D:TD 1:9H 2:9D D:2C D:2H D:3C"

        assert paid(text, bet(), left(seen=6, own="D:2S D:AC D:8H"), rules=rules) == 2000

    def test_includes_the_dealers_cards_that_were_seen(self, rules: str) -> None:
        """Seen: ten, two, two. Off line: a seven more makes 21."""
        text = "1:9S 2:9C D:TD 1:9H 2:9D D:2C D:2H D:3C"

        assert paid(text, bet(), left(seen=7, own="D:7S"), rules=rules) == 0

    def test_may_have_another_hole_card(self, rules: str) -> None:
        """Five live cards were seen; off line the dealer has seventeen, live eighteen."""
        text = "1:9S 2:9C D:TD 1:8H 2:9D D:8C"

        assert paid(text, bet(), left(seen=5, own="D:7S"), rules=rules) == 1000

    def test_may_be_dealt_entirely_off_line(self, rules: str) -> None:
        """No live card was seen: nineteen against seventeen; live it would lose."""
        text = "1:2S 2:9C D:TD 1:8H 2:9D D:8C"
        disconnect = left(at=CLOSED_AT, seen=0, own="1:9S D:TH 1:TC D:7H")

        assert paid(text, bet(), disconnect, rules=rules) == 2000

    def test_splits_and_doubles_off_line(self, rules: str) -> None:
        """Two hands of nineteen and a doubled 21."""
        text = "1:8S 2:9C D:TD 1:8H 2:9D D:8C"
        main = bet(play="P,D", raised_cents=2000)

        assert paid(text, main, left(seen=6, own="1a:AC 1b:3C 1b:TC"), rules=rules) == 6000

    def test_requires_no_live_card(self, rules: str) -> None:
        """The live box keeps its two cards without a missing card."""
        assert anomalies_of(LIVE, bet(play="H"), left(seen=6, own="1:8C"), rules=rules) == ()

    def test_explains_no_card_that_another_box_lacks(self, rules: str) -> None:
        """The own hit on box 1 was seen live; box 2 has one card and lacks one."""
        text = "1:5S 2:9C D:TD 1:6S D:8C 1:2C"
        disconnect = left(seen=6, own="1:6C")

        assert anomalies_of(text, bet(play="HH"), disconnect, rules=rules) == ("missing-card",)

    def test_explains_the_live_cards_that_were_seen(self, rules: str) -> None:
        """One hit live, one off line; without the play nothing explains the live one."""
        text = f"{LIVE} 1:2C"
        own = left(seen=7, own="1:6C")

        assert anomalies_of(text, bet(play="HH"), own, rules=rules) == ()
        assert anomalies_of(text, bet(play="S"), left(seen=7, own="D:2H"), rules=rules) == (
            "extra-card",
        )

    def test_explains_no_live_card_that_was_not_seen(self, rules: str) -> None:
        """A card dealt live after the player disconnected."""
        text = f"{LIVE} 1:2C"

        assert anomalies_of(text, bet(play="H"), left(seen=6, own="1:6C"), rules=rules) == (
            "extra-card",
        )

    def test_does_not_make_the_live_dealer_draw(self, rules: str) -> None:
        """Contract, detail 25: the only live hand is bust."""
        text = "1:5S 2:9C D:TD 1:6S 2:7D D:2C 2:8S"
        disconnect = left(seen=6, own="1:9C D:5C")
        bust = STAYS._replace(play="H")

        codes = anomalies(text, bet(play="H"), bust, rules=rules, disconnects=(disconnect,))

        assert codes == ()

    def test_decides_insurance_off_line(self, rules: str) -> None:
        """Five live cards were seen; off line the hole card is a king."""
        text = "1:9S 2:9C D:AD 1:8H 2:9D D:8C"
        insurance = bet("insurance", stake=500)
        disconnect = left(seen=5, own="D:KS")

        graded = grades(text, bet(), STAYS, insurance, rules=rules, disconnects=(disconnect,))

        assert [grade.payout_cents for grade in graded] == [0, 0, 1500]

    def test_is_offered_insurance_by_its_own_upcard(self, rules: str) -> None:
        """Two live cards were seen, no upcard; off line it is an Ace, live a ten."""
        insurance = bet("insurance", stake=500)
        ace, nine = (left(seen=2, own=f"D:{up}D 1:6S D:8C 1:8H") for up in "A9")

        assert anomalies_of(LIVE, bet(play="H"), ace, insurance, rules=rules) == ()
        assert anomalies_of(LIVE, bet(play="H"), nine, insurance, rules=rules) == (
            "insurance-not-offered",
        )

    def test_leaves_side_bets_on_the_live_cards(self, rules: str) -> None:
        """Live the box has a pair of eights, off line it has none."""
        text = "1:8S 2:9C D:TD 1:8H 2:9D D:8C"
        pair = bet("player_pair", stake=100)
        disconnect = left(seen=3, own="1:KC D:7S")

        graded = grades(text, bet(), STAYS, pair, rules=rules, disconnects=(disconnect,))

        assert [grade.payout_cents for grade in graded] == [2000, 1000, 700]

    def test_leaves_other_players_of_the_box_on_the_live_cards(self, rules: str) -> None:
        """Both doubled eleven: off line to 21, live to thirteen."""
        text = f"{LIVE} 1:2C"
        main = bet(play="D", raised_cents=1000)
        other = bet(id="b3", player="p-3", play="D", raised_cents=1000)

        graded = grades(
            text, main, STAYS, other, rules=rules, disconnects=(left(seen=6, own="1:TC"),)
        )

        assert [grade.payout_cents for grade in graded] == [4000, 1000, 0]

    def test_accepts_own_cards_for_boxes_of_others_only(self, rules: str) -> None:
        """Detail 42: own cards dealt to box 2 need no reason, extra ones of the dealer do."""
        text = f"{LIVE} 1:2C 1:3C"
        other = bet(id="b3", player="p-3", play="HHS")
        disconnect = left(seen=8, own="2:4C D:2H")
        stands = left(seen=3, own="1:6H 2:9D D:8D")

        assert anomalies_of(text, bet(play="S"), disconnect, other, rules=rules) == ("extra-card",)
        assert anomalies_of(text, bet(play="S"), stands, other, rules=rules) == ()

    def test_does_not_apply_to_a_player_without_a_main_bet(self, rules: str) -> None:
        """Such a player has no hand to finish."""
        disconnect = left("p-9", seen=6, own="1:TC")

        assert anomalies_of(LIVE, bet(play="S"), disconnect, rules=rules) == ()


@pytest.mark.parametrize("rules", [MEGA_FIRE_BLAZE, QUANTUM])
class TestAnOffLineSequence:
    """Detail 42: the same rules and codes, the dealer included."""

    def test_may_lack_a_card(self, rules: str) -> None:
        """Of the play, of the deal, of the dealer's draw."""
        cut = "1:5S 2:9C D:TD 1:6S 2:9D D:8C"
        sixteen = "1:9S 2:9C D:TD 1:9H 2:9D D:6C D:AC"

        assert anomalies_of(cut, bet(play="HH"), left(seen=6, own="1:2C"), rules=rules) == (
            "missing-card",
        )
        assert anomalies_of(cut, bet(play="S"), left(seen=1, own="D:2C"), rules=rules) == (
            "missing-card",
        )
        assert anomalies_of(sixteen, bet(play="H"), left(seen=6, own="1:2C"), rules=rules) == (
            "missing-card",
        )

    @pytest.mark.parametrize("place", ["1", "1a", "D", "5", "P"])
    def test_may_have_an_extra_card(self, rules: str, place: str) -> None:
        """On the box, without a split, on a standing dealer, on an unused box, at no place."""
        disconnect = left(seen=6, own=f"1:2C {place}:3C")

        assert anomalies_of(LIVE, bet(play="H"), disconnect, rules=rules) == ("extra-card",)

    def test_may_have_two_extra_cards(self, rules: str) -> None:
        """That of an unused box does not make up for that of the dealer."""
        disconnect = left(seen=6, own="1:2C 5:3C D:4C")

        assert anomalies_of(LIVE, bet(play="H"), disconnect, rules=rules) == ("extra-card",)

    def test_may_have_an_illegal_decision(self, rules: str) -> None:
        """A hit after a stand."""
        disconnect = left(seen=6, own="1:2C")

        assert anomalies_of(LIVE, bet(play="SH"), disconnect, rules=rules) == ("illegal-play",)

    def test_may_have_a_wrong_raise(self, rules: str) -> None:
        """A double costs a stake off line too."""
        disconnect = left(seen=6, own="1:2C")

        assert anomalies_of(LIVE, bet(play="D"), disconnect, rules=rules) == ("raise-mismatch",)

    def test_may_break_the_order_of_the_deal(self, rules: str) -> None:
        """A hit before the hole card."""
        disconnect = left(seen=5, own="1:2C D:8S")

        assert anomalies_of(LIVE, bet(play="H"), disconnect, rules=rules) == ("extra-card",)

    def test_is_not_checked_for_copies(self, rules: str) -> None:
        """Detail 35: nine twos of spades, seven of them off line."""
        text = "1:2S 2:9C D:TD 1:2S 2:9D D:8C"
        disconnect = left(seen=6, own=" ".join(["1:2S"] * 7))

        assert anomalies_of(text, bet(play="H" * 7), disconnect, rules=rules) == ()


class TestADisconnectedPlayer:
    """Cases in which the hand is not finished off line."""

    @pytest.mark.parametrize("rules", [BLACKJACK, ZAPPIT])
    def test_is_decided_on_the_live_cards_at_other_tables(self, rules: str) -> None:
        """[BJ] Politica sulle Disconnessioni: bets count in the player's absence."""
        disconnect = left(seen=4, own="1:2C 5:9H")

        (grade,) = grades("1:9S D:TD 1:TC D:8C", bet(), rules=rules, disconnects=(disconnect,))

        assert grade.payout_cents == 2000

    def test_is_decided_on_the_live_cards_without_own_cards(self) -> None:
        """Contract: without ``cards``, everything is decided live."""
        text = f"{LIVE} 1:TC"

        assert paid(text, bet(play="H"), left(seen=6)) == 2000

    def test_before_closing_has_no_hand_to_finish(self) -> None:
        """The bets are void and the box is unused, so its live cards are extra cards."""
        disconnect = left(at=CLOSED_AT - 1, seen=6, own="1:TC")

        assert anomalies_of("2:9C D:TD 2:9D D:8C", bet(play="H"), disconnect) == ()
        assert anomalies_of(LIVE, bet(play="H"), disconnect) == ("extra-card",)

    def test_finishes_all_own_boxes(self) -> None:
        """Two boxes of one player in one sequence: 21 and nineteen against eighteen."""
        text = "1:5S 3:9C D:TD 1:6S 3:TH D:8C"
        bets = bet(play="H"), bet(id="b3", box=3)

        graded = grades(text, *bets, rules=QUANTUM, disconnects=(left(seen=6, own="1:TC"),))

        assert [grade.payout_cents for grade in graded] == [2000, 2000]

    def test_voids_the_round_after_a_malfunction_if_an_own_card_is_missing(self) -> None:
        """[MFB]: the round is void when a card is missing, off line too."""
        disconnect = left(seen=6, own="1:2C")
        bets = bet(play="HH", raised_cents=0), STAYS
        round_ = dealt(
            LIVE, *bets, rules=MEGA_FIRE_BLAZE, disconnects=(disconnect,), malfunction=True
        )

        verdict = judged(round_)

        assert verdict.status == "void"
