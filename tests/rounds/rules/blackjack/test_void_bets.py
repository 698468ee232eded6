"""Void bets and bets behind (contract, "Void bets"; [BJ] Puntata alle Spalle)."""

import pytest

from tests.rounds.rules.dealing import (
    CLOSED_AT,
    ENDED_AT,
    MEGA_FIRE_BLAZE,
    OPENED_AT,
    QUANTUM,
    anomalies,
    bet,
    dealt,
    grades,
    judged,
    left,
)

WINS = "1:9S D:TD 1:TC D:8C"  # nineteen against eighteen
SHARED = QUANTUM


class TestABetBehind:
    """[BJ] Puntata alle Spalle: it takes part in the owner's hand."""

    def test_is_paid_as_the_owner_is(self) -> None:
        """The same odds on its own stake."""
        behind = bet(id="b2", player="p-2", stake=333, behind=True)

        assert [grade.payout_cents for grade in grades(WINS, bet(), behind)] == [2000, 666]

    def test_wins_three_to_two_with_the_owners_blackjack(self) -> None:
        """Rounded on its own stake: 3.33 wins 5.00."""
        behind = bet(id="b2", player="p-2", stake=333, behind=True)

        _, grade = grades("1:AS D:TD 1:KC D:8C", bet(), behind)

        assert grade.payout_cents == 333 + 500

    def test_that_follows_raises_with_a_double(self) -> None:
        """Twenty-one on both stakes; not raising would be a mismatch."""
        text = "1:5S D:TD 1:6C D:8C 1:TH"
        owner = bet(play="D", raised_cents=1000)
        behind = bet(id="b2", player="p-2", stake=400, behind=True, raised_cents=400)

        assert [grade.payout_cents for grade in grades(text, owner, behind)] == [4000, 1600]
        assert anomalies(text, owner, behind._replace(raised_cents=0)) == ("raise-mismatch",)

    def test_that_does_not_follow_a_double_has_its_stake_on_the_doubled_hand(self) -> None:
        """Contract, ``follows``; raising would be a mismatch."""
        text = "1:5S D:TD 1:6C D:8C 1:TH"
        owner = bet(play="D", raised_cents=1000)
        behind = bet(id="b2", player="p-2", stake=400, behind=True, follows=False)

        assert [grade.payout_cents for grade in grades(text, owner, behind)] == [4000, 800]
        assert anomalies(text, owner, behind._replace(raised_cents=400)) == ("raise-mismatch",)

    @pytest.mark.parametrize(("first", "second", "payout"), [("TH", "2D", 800), ("2D", "TH", 0)])
    def test_that_does_not_follow_a_split_belongs_to_the_first_hand(
        self, first: str, second: str, payout: int
    ) -> None:
        """Nineteen wins, eleven loses to eighteen."""
        text = f"1:9S D:TD 1:9C D:8C 1a:{first} 1b:{second}"
        owner = bet(play="P,", raised_cents=1000)
        behind = bet(id="b2", player="p-2", stake=400, behind=True, follows=False)

        _, grade = grades(text, owner, behind)

        assert grade.payout_cents == payout
        assert len(grade.reasons) == 1

    def test_that_follows_a_split_belongs_to_both_hands(self) -> None:
        """One wins, one loses: a push on both stakes."""
        text = "1:9S D:TD 1:9C D:8C 1a:TH 1b:2D"
        owner = bet(play="P,", raised_cents=1000)
        behind = bet(id="b2", player="p-2", stake=400, behind=True, raised_cents=400)

        _, grade = grades(text, owner, behind)

        assert (grade.outcome, grade.payout_cents) == ("push", 800)

    @pytest.mark.parametrize("kind", ["perfect_pairs", "21+3"])
    def test_carries_side_bets(self, kind: str) -> None:
        """R: they may be placed behind too; the flag changes nothing (detail 32)."""
        behind = bet(id="b2", player="p-2", behind=True)
        sides = [bet(kind, id=f"s{n}", player="p-2", behind=bool(n)) for n in range(2)]

        graded = grades("1:8S D:8D 1:8S D:KC", bet(), behind, *sides)

        assert graded[2] == graded[3]
        assert graded[2].outcome == "win"

    def test_is_void_on_a_box_without_an_owner(self) -> None:
        """Its side bet is void too, and the box is not in use."""
        behind = bet(id="b2", player="p-2", box=2, behind=True)
        side = bet("21+3", player="p-2", box=2)

        _, void, void_side = grades(WINS, bet(), behind, side)

        assert (void.outcome, void.payout_cents) == ("void", 1000)
        assert void.reasons == ("void-without-owner",)
        assert void_side.reasons == ("void-with-main-bet",)

    def test_is_void_behind_a_void_owner(self) -> None:
        """Contract, detail 17: the owner's bet was late; raises go back too."""
        owner = bet(box=2, placed_at=ENDED_AT)
        behind = bet(id="b2", player="p-2", box=2, behind=True, raised_cents=1000)

        _, _, void = grades(WINS, bet(), owner, behind)

        assert (void.outcome, void.payout_cents) == ("void", 2000)

    def test_is_void_on_the_own_box(self) -> None:
        """[BJ] Puntata alle Spalle: not possible; the owner's side bets count."""
        own = bet(id="b2", behind=True)
        side = bet("21+3")

        graded = grades(WINS, bet(), own, side)

        assert graded[1].reasons == ("void-on-own-box",)
        assert [grade.outcome for grade in graded] == ["win", "void", "lose"]

    def test_is_void_if_late(self) -> None:
        """For that reason, with an owner or without."""
        late = bet(id="b2", player="p-2", behind=True, placed_at=ENDED_AT)
        lonely = bet(id="b3", player="p-2", box=2, behind=True, placed_at=ENDED_AT)

        graded = grades(WINS, bet(), late, lonely)

        assert {grade.reasons for grade in graded[1:]} == {("void-out-of-time",)}

    def test_counts_if_its_owner_is_listed_after_it(self) -> None:
        """The order of the bets does not matter."""
        behind = bet(id="b2", player="p-2", behind=True)

        assert [grade.outcome for grade in grades(WINS, behind, bet())] == ["win", "win"]


class TestAVoidMainBet:
    """Contract, details 15, 17, 18, 19."""

    @pytest.mark.parametrize("at", [OPENED_AT, CLOSED_AT])
    def test_is_not_one_placed_at_opening_or_closing(self, at: int) -> None:
        """Detail 15: both times are in time."""
        assert grades(WINS, bet(placed_at=at))[0].outcome == "win"

    @pytest.mark.parametrize("at", [OPENED_AT - 1, CLOSED_AT + 1])
    def test_is_one_placed_outside_betting_time(self, at: int) -> None:
        """Stake and raise go back; its play requires no card and is not judged."""
        late = bet(box=2, play="PDZ,H", raised_cents=777, placed_at=at)

        _, void = grades(WINS, bet(), late)

        assert (void.outcome, void.payout_cents) == ("void", 1777)
        assert void.reasons == ("void-out-of-time",)

    def test_voids_all_bets_of_its_player_on_the_box(self) -> None:
        """Detail 17: side bet and insurance; those on another box count."""
        text = "1:9S D:AD 1:TC D:8C"
        bets = (
            bet(),
            bet(id="b2", box=2, placed_at=ENDED_AT),
            bet("perfect_pairs", box=2),
            bet("insurance", box=2, stake=500),
            bet("perfect_pairs"),
        )

        outcomes = [grade.outcome for grade in grades(text, *bets)]

        assert outcomes == ["push", "void", "void", "void", "lose"]

    def test_is_no_missing_main_bet(self) -> None:
        """Without any main bet a side bet is an anomaly."""
        side = bet("perfect_pairs", box=2)

        assert anomalies(WINS, bet(), side) == ("main-bet-missing",)
        assert anomalies(WINS, bet(), side, bet(box=2, placed_at=ENDED_AT)) == ()

    def test_does_not_void_side_bets_of_a_counting_second_one(self) -> None:
        """Detail 9 rejects a second main bet only if both count."""
        bets = bet(id="late", placed_at=ENDED_AT), bet(), bet("perfect_pairs")

        outcomes = [grade.outcome for grade in grades(WINS, *bets)]

        assert outcomes == ["void", "win", "lose"]

    def test_of_a_player_who_left_before_closing_voids_all_the_players_bets(self) -> None:
        """Side bet and insurance too."""
        text = "1:9S D:AD 1:TC D:8C"
        bets = (
            bet(),
            bet(id="b2", player="p-2", box=2),
            bet("21+3", player="p-2", box=2),
            bet("insurance", player="p-2", box=2, stake=500),
        )

        graded = grades(text, *bets, disconnects=(left("p-2", at=CLOSED_AT - 1),))

        assert [grade.outcome for grade in graded] == ["push", "void", "void", "void"]
        assert {grade.reasons for grade in graded[1:]} == {("void-disconnected",)}

    def test_of_a_player_who_left_at_closing_counts(self) -> None:
        """Detail 15; [BJ] Politica sulle Disconnessioni: decided on the live cards."""
        (grade,) = grades(WINS, bet(), disconnects=(left(at=CLOSED_AT, seen=2, own="1:2C"),))

        assert grade.outcome == "win"

    def test_is_compared_with_the_reported_payout(self) -> None:
        """Detail 18: the only check of a void bet."""
        late = bet(box=2, placed_at=ENDED_AT, reported_cents=999)

        assert anomalies(WINS, bet(), late) == ("payout-differs",)

    def test_is_not_checked_against_limits(self) -> None:
        """Detail 18, at a table with limits (detail 14)."""
        limits = {"main": (100, 1000)}
        too_much, late = bet(stake=1001), bet(stake=1001, box=2, placed_at=ENDED_AT)

        held = judged(dealt(WINS, too_much), limits=limits)
        settled = judged(dealt(WINS, bet(), late, bet("21+3", stake=9999)), limits=limits)

        assert held.anomalies == ("stake-limits",)
        assert settled.anomalies == ()


class TestAMissingMainBet:
    """Readings: a side bet needs a main bet of the same player on that box, own or behind."""

    @pytest.mark.parametrize("kind", ["perfect_pairs", "21+3"])
    def test_is_reported_for_side_bets(self, kind: str) -> None:
        """Neither another player's main bet nor one on another box replaces it."""
        text = "1:9S 2:9C D:TD 1:TC 2:8S D:8C"
        mains = bet(), bet(id="b2", player="p-2", box=2)

        assert anomalies(text, *mains, bet(kind, player="p-2")) == ("main-bet-missing",)
        assert anomalies(text, *mains, bet(kind)) == ()

    @pytest.mark.parametrize("kind", ["21+3", "player_pair", "dealer_pair", "mega_fire_blaze"])
    def test_is_reported_for_all_side_bets_of_mega_fire_blaze(self, kind: str) -> None:
        """The bonus bet included."""
        text = "1:9S 2:9C D:TD 1:TC 2:8S D:8C"

        codes = anomalies(text, bet(), bet(kind, box=2), rules=MEGA_FIRE_BLAZE)

        assert codes == ("main-bet-missing",)
