"""Insurance: its offer, its price, its payout; and decisions against a dealer blackjack."""

import pytest

from tests.rounds.rules.dealing import (
    BLACKJACK,
    CLOSED_AT,
    ENDED_AT,
    MEGA_FIRE_BLAZE,
    QUANTUM,
    ZAPPIT,
    anomalies,
    bet,
    grades,
)

NO_BLACKJACK = "1:9S D:AD 1:9H D:8C"
DEALER_BLACKJACK = "1:9S D:AD 1:9H D:KC"


class TestInsurance:
    """Readings: 2:1, only with an Ace up, exactly half of the initial main stake."""

    def test_pays_two_to_one_when_the_dealer_has_a_blackjack(self) -> None:
        """5 on insurance are paid 15, the main bet of 10 loses."""
        main, insurance = grades(DEALER_BLACKJACK, bet(), bet("insurance", stake=500))

        assert (main.outcome, main.payout_cents) == ("lose", 0)
        assert (insurance.outcome, insurance.payout_cents) == ("win", 1500)
        assert insurance.reasons == ("insurance-won",)

    def test_is_lost_if_the_dealer_has_none(self) -> None:
        """Decided on the dealer's first two cards: nineteen."""
        main, insurance = grades(NO_BLACKJACK, bet(), bet("insurance", stake=500))

        assert main.outcome == "lose"
        assert (insurance.payout_cents, insurance.reasons) == (0, ("insurance-lost",))

    def test_is_lost_to_a_21_of_more_cards(self) -> None:
        """Ace, four and six."""
        text = "1:9S D:AD 1:9H D:4C D:6S"

        _, insurance = grades(text, bet(), bet("insurance", stake=500))

        assert insurance.payout_cents == 0

    def test_of_a_blackjack_pays_too(self) -> None:
        """[BJ] Assicurazione: a blackjack may be insured; the main bet pushes."""
        text = "1:AS D:AD 1:KH D:KC"

        main, insurance = grades(text, bet(), bet("insurance", stake=500))

        assert (main.payout_cents, insurance.payout_cents) == (1000, 1500)

    @pytest.mark.parametrize("upcard", ["KD", "TD", "9D"])
    def test_is_not_offered_without_an_ace_up(self, upcard: str) -> None:
        """Also when the hole card is an Ace."""
        text = f"1:9S D:{upcard} 1:9H D:AC"

        assert anomalies(text, bet(), bet("insurance", stake=500)) == ("insurance-not-offered",)

    @pytest.mark.parametrize(
        ("stake", "half"), [(1000, 500), (101, 50), (1235, 617), (3, 1), (9999, 4999)]
    )
    def test_is_half_the_stake_rounded_down(self, stake: int, half: int) -> None:
        """R: for an odd cent; a cent more is a wrong amount."""
        main = bet(stake=stake)

        assert anomalies(NO_BLACKJACK, main, bet("insurance", stake=half)) == ()
        assert anomalies(NO_BLACKJACK, main, bet("insurance", stake=half + 1)) == (
            "insurance-amount",
        )

    def test_cannot_be_bought_for_a_stake_of_one_cent(self) -> None:
        """Half of a cent is zero, and an insurance costs at least a cent."""
        codes = anomalies(NO_BLACKJACK, bet(stake=1), bet("insurance", stake=1))

        assert codes == ("insurance-amount",)

    def test_is_half_the_initial_stake_of_a_doubled_bet(self) -> None:
        """The raise does not count."""
        text = "1:5S D:AD 1:6H D:8C 1:9C"
        main = bet(play="D", raised_cents=1000)

        assert anomalies(text, main, bet("insurance", stake=500)) == ()
        assert anomalies(text, main, bet("insurance", stake=1000)) == ("insurance-amount",)

    def test_requires_a_main_bet_of_the_same_player_on_the_box(self) -> None:
        """Anomaly ``main-bet-missing``; the amount is not checked then."""
        other = bet("insurance", stake=500, player="p-2")
        elsewhere = bet("insurance", stake=500, box=2)

        assert anomalies(NO_BLACKJACK, bet(), other) == ("main-bet-missing",)
        assert anomalies(NO_BLACKJACK, bet(), elsewhere) == ("main-bet-missing",)

    def test_is_not_checked_without_an_upcard(self) -> None:
        """Contract, detail 22: only what needs the missing card is skipped."""
        assert anomalies("1:9S 1:9H", bet(), bet("insurance", stake=400)) == (
            "insurance-amount",
            "missing-card",
        )

    @pytest.mark.parametrize("at", [CLOSED_AT + 1, ENDED_AT])
    def test_is_in_time_after_closing_up_to_the_end(self, at: int) -> None:
        """Contract, detail 16."""
        _, insurance = grades(NO_BLACKJACK, bet(), bet("insurance", stake=500, placed_at=at))

        assert insurance.outcome == "lose"

    @pytest.mark.parametrize("at", [CLOSED_AT - 1, CLOSED_AT, ENDED_AT + 1])
    def test_is_void_at_another_time(self, at: int) -> None:
        """Contract, detail 16; its amount is not checked then (detail 18)."""
        _, insurance = grades(NO_BLACKJACK, bet(), bet("insurance", stake=7, placed_at=at))

        assert (insurance.outcome, insurance.payout_cents) == ("void", 7)
        assert insurance.reasons == ("void-out-of-time",)

    def test_of_a_bet_behind_is_half_of_that_bet(self) -> None:
        """[BJ] Puntata alle Spalle; ``behind`` on the insurance changes nothing (detail 32)."""
        bets = (
            bet(),
            bet(id="b2", player="p-2", stake=400, behind=True),
            bet("insurance", player="p-2", stake=200, behind=True),
        )

        graded = grades(DEALER_BLACKJACK, *bets)

        assert [grade.payout_cents for grade in graded] == [0, 0, 600]


class TestDecisionsAgainstADealerBlackjack:
    """Contract, details 23, 27 and 28."""

    @pytest.mark.parametrize("play", ["S", "H", "D", "P,", "SS"])
    @pytest.mark.parametrize(
        ("rules", "dealer"),
        [(BLACKJACK, "AD KC"), (ZAPPIT, "AD KC"), (ZAPPIT, "KC AD")],
    )
    def test_are_illegal_if_the_dealer_checked(self, rules: str, dealer: str, play: str) -> None:
        """[BJ] under an Ace, [ZAP] under Ace and ten: not even a stand."""
        upcard, hole = dealer.split()
        drawn = {"H": "1:2C", "D": "1:2C", "P,": "1a:2C 1b:3C"}.get(play, "")
        raised = 1000 if play in {"D", "P,"} else 0
        text = f"1:9S D:{upcard} 1:9H D:{hole} {drawn}"

        codes = anomalies(text, bet(play=play, raised_cents=raised), rules=rules)

        assert codes == ("illegal-play",)

    @pytest.mark.parametrize("rules", [BLACKJACK, QUANTUM, ZAPPIT])
    def test_are_not_required(self, rules: str) -> None:
        """The round ends there."""
        assert anomalies(DEALER_BLACKJACK, bet(), rules=rules) == ()

    def test_are_legal_under_a_ten_at_blackjack(self) -> None:
        """[BJ] Assicurazione: the dealer does not check, so hands are played."""
        assert anomalies("1:9S D:KC 1:2H D:AD 1:2C", bet(play="HS")) == ()

    @pytest.mark.parametrize("dealer", [("AD", "KC"), ("KC", "AD")])
    @pytest.mark.parametrize("rules", [MEGA_FIRE_BLAZE, QUANTUM])
    def test_are_legal_at_mega_fire_blaze_and_quantum(
        self, rules: str, dealer: tuple[str, str]
    ) -> None:
        """Readings: plays in the feed are settled."""
        upcard, hole = dealer
        other = "2:9C {} 2:9D" if rules == MEGA_FIRE_BLAZE else "{}"
        text = f"1:9S {other.format(f'D:{upcard} 1:2H')} D:{hole} 1:2C"

        assert anomalies(text, bet(play="HS"), rules=rules) == ()

    def test_are_still_judged(self) -> None:
        """Quantum: a hit after a stand."""
        text = "1:9S D:AD 1:2H D:KC 1:2C"

        assert anomalies(text, bet(play="SH"), rules=QUANTUM) == ("illegal-play",)
