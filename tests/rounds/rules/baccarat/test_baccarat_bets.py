"""What the bets on a coup pay. [BAC] Regole del baccarat, Puntate aggiuntive."""

import pytest

from rounds.rules.baccarat.bets import commission_of
from rounds.rules.catalogue import rule_set
from rounds.rules.odds import Odds
from tests.rounds.rules.dealing import (
    BACCARAT,
    CLOSED_AT,
    ENDED_AT,
    OPENED_AT,
    dealt,
    grades,
    judged,
    left,
    side,
)

PLAYER_WINS = "P:4S B:7H P:5D B:TC"  # nine against seven, four cards
BANKER_WINS = "P:2S B:9H P:5D B:JC"  # seven against nine
TIE = "P:2S B:7H P:5D B:TC"  # seven each
FIVE_CARDS = "P:TS B:7H P:5D B:TC P:8S"  # three against seven
SIX_CARDS = "P:TS B:4H P:5D B:TC P:6S B:2D"  # one against six


def pays(text: str, kind: str, stake: int = 1000) -> tuple[str, int]:
    """Outcome and payout of one bet."""
    (grade,) = grades(text, side(kind, stake=stake), rules=BACCARAT)
    return grade.outcome, grade.payout_cents


class TestAMainBet:
    """[BAC] Regole del baccarat."""

    def test_on_player_pays_even_money(self) -> None:
        """10 on Player are paid 20, as in the sheet's example."""
        assert pays(PLAYER_WINS, "player") == ("win", 2000)
        assert pays(BANKER_WINS, "player") == ("lose", 0)

    @pytest.mark.parametrize(
        ("stake", "payout"), [(1000, 1950), (10, 20), (15, 29), (101, 197), (1, 2), (9, 18)]
    )
    def test_on_banker_pays_less_a_commission_rounded_half_up(
        self, stake: int, payout: int
    ) -> None:
        """0.95:1: of 10 cents 9.5 are won, of 15 14.25, of 101 95.95, of 1 0.95, of 9 8.55."""
        assert pays(BANKER_WINS, "banker", stake) == ("win", payout)

    def test_has_a_commission_by_its_odds_in_words(self) -> None:
        """Of 97 for 100 it is 3 for 100, of 2 for 5 it is 3 for 5; even money and more has none."""
        assert commission_of(Odds(97, 100)) == Odds(3, 100)
        assert commission_of(Odds(2, 5)) == Odds(3, 5)
        assert commission_of(Odds(1, 1)) is None
        assert commission_of(Odds(3, 2)) is None

    def test_on_banker_loses_when_player_wins(self) -> None:
        """The stake is lost."""
        assert pays(PLAYER_WINS, "banker") == ("lose", 0)

    def test_on_a_tie_pays_nine_for_one(self) -> None:
        """R: eight times the stake and the stake."""
        assert pays(TIE, "tie") == ("win", 9000)
        assert pays(PLAYER_WINS, "tie") == ("lose", 0)

    @pytest.mark.parametrize("kind", ["player", "banker"])
    def test_on_a_hand_comes_back_on_a_tie(self, kind: str) -> None:
        """Shown as a push."""
        assert pays(TIE, kind) == ("push", 1000)


class TestASideBet:
    """[BAC] Puntate aggiuntive; none of them needs another bet."""

    @pytest.mark.parametrize(
        ("kind", "text", "payout"),
        [
            ("player_pair", "P:4S B:7H P:4D B:TC", 12000),
            ("player_pair", "P:KS B:7H P:QS B:TC P:8S", 0),  # by rank, not by worth
            ("player_pair", "P:2S B:4H P:7S B:4C", 0),  # the pair is Banker's
            ("banker_pair", "P:2S B:4H P:7S B:4C", 12000),
            ("banker_pair", "P:4S B:7H P:4D B:TC", 0),
            ("either_pair", "P:2S B:4H P:7S B:4C", 6000),
            ("either_pair", "P:4S B:7H P:4D B:TC", 6000),
            ("either_pair", "P:4S B:4H P:4D B:4C", 6000),  # once for both
            ("either_pair", PLAYER_WINS, 0),
            ("perfect_pair", "P:4S B:7H P:4S B:TC", 26000),
            ("perfect_pair", "P:2S B:4H P:7S B:4H", 26000),
            ("perfect_pair", "P:4S B:4H P:4S B:4H", 26000),  # R: once, even when both pair
            ("perfect_pair", "P:4S B:4H P:4D B:4C", 0),
            ("big", FIVE_CARDS, 1540),
            ("big", SIX_CARDS, 1540),
            ("big", PLAYER_WINS, 0),
            ("small", PLAYER_WINS, 2500),
            ("small", FIVE_CARDS, 0),
            ("small", SIX_CARDS, 0),
        ],
    )
    def test_pays_the_printed_odds(self, kind: str, text: str, payout: int) -> None:
        """10.00 at 11:1, 5:1, 25:1, 0.54:1 and 1.5:1."""
        assert pays(text, kind)[1] == payout

    def test_depends_on_the_first_two_cards_only(self) -> None:
        """Player's third card is a second four."""
        assert pays("P:4S B:7H P:TS B:TC P:4D", "player_pair") == ("lose", 0)

    @pytest.mark.parametrize(("stake", "payout"), [(1, 3), (3, 8), (15, 38)])
    def test_rounds_winnings_half_up(self, stake: int, payout: int) -> None:
        """Small on an odd cent: 1.5, 4.5 and 22.5 cents are won."""
        assert pays(PLAYER_WINS, "small", stake) == ("win", payout)

    def test_may_be_repeated(self) -> None:
        """Contract, detail 9: bets of one kind and player are graded one by one."""
        bets = [side("small", id=f"b{n}", stake=100 * n) for n in (1, 2, 3)]

        graded = grades(PLAYER_WINS, *bets, rules=BACCARAT)

        assert [grade.payout_cents for grade in graded] == [250, 500, 750]


class TestAVoidBet:
    """Contract, "Void bets"."""

    @pytest.mark.parametrize("at", [OPENED_AT, CLOSED_AT])
    def test_is_not_one_placed_at_opening_or_closing(self, at: int) -> None:
        """Detail 15: both times are in time."""
        (grade,) = grades(PLAYER_WINS, side("player", placed_at=at), rules=BACCARAT)

        assert grade.outcome == "win"

    @pytest.mark.parametrize("at", [OPENED_AT - 1, CLOSED_AT + 1, ENDED_AT])
    def test_is_one_placed_outside_betting_time(self, at: int) -> None:
        """Its stake goes back, though it would have won."""
        (grade,) = grades(PLAYER_WINS, side("player", placed_at=at), rules=BACCARAT)

        assert (grade.outcome, grade.payout_cents) == ("void", 1000)
        assert grade.reasons == ("void-out-of-time",)

    def test_is_one_of_a_player_who_left_before_closing(self) -> None:
        """A disconnect at closing is after closing, and the bet counts."""
        disconnect, just_in_time = left(at=CLOSED_AT - 1), left("p-2", at=CLOSED_AT)
        bets = side("player"), side("player", id="b2", player="p-2")

        graded = grades(PLAYER_WINS, *bets, rules=BACCARAT, disconnects=(disconnect, just_in_time))

        assert [grade.outcome for grade in graded] == ["void", "win"]
        assert graded[0].reasons == ("void-disconnected",)

    def test_is_every_bet_of_a_round_with_a_malfunction(self) -> None:
        """R: the sheet has no error clause; with any other error everything goes back."""
        bets = side("player"), side("tie", stake=77, reported_cents=1)

        verdict = judged(dealt("P:2S", *bets, rules=BACCARAT, malfunction=True))

        assert (verdict.status, verdict.anomalies) == ("void", ())
        assert [grade.payout_cents for grade in verdict.grades] == [1000, 77]

    def test_is_compared_with_the_reported_payout(self) -> None:
        """Contract, detail 18: the only check of a void bet."""
        late = side("player", placed_at=ENDED_AT, reported_cents=2000)

        verdict = judged(dealt(PLAYER_WINS, late, rules=BACCARAT))

        assert verdict.anomalies == ("payout-differs",)


class TestARound:
    """What is settled and what is held."""

    def test_without_bets_is_settled(self) -> None:
        """The table deals without bets too."""
        assert judged(dealt(TIE, rules=BACCARAT)).status == "settled"

    def test_ignores_off_line_cards(self) -> None:
        """Contract: at baccarat everything is decided on the live cards."""
        (grade,) = grades(
            PLAYER_WINS, side("player"), rules=BACCARAT, disconnects=(left(seen=2, own="P:KS"),)
        )

        assert grade.outcome == "win"

    def test_with_a_stake_outside_the_table_limits_is_held(self) -> None:
        """Contract, detail 14; a void bet is not checked (detail 18)."""
        limits = {"player": (100, 999)}
        too_much = dealt(PLAYER_WINS, side("player"), rules=BACCARAT)
        void = dealt(PLAYER_WINS, side("player", placed_at=ENDED_AT), rules=BACCARAT)

        verdicts = [judged(placed, limits=limits) for placed in (too_much, void)]

        assert [verdict.anomalies for verdict in verdicts] == [("stake-limits",), ()]

    def test_has_kinds_in_the_order_of_the_sheet(self) -> None:
        """Contract, "A bet"."""
        assert rule_set(BACCARAT).bet_kinds == (
            *("player", "banker", "tie"),
            *("player_pair", "banker_pair", "either_pair", "perfect_pair", "big", "small"),
        )
