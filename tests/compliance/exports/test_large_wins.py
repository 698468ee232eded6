"""The report of large wins against a count bet by bet."""

from collections import defaultdict
from typing import Any

import pytest

from compliance.exports.reports.large_wins import LARGE_WINS
from compliance.exports.scope import Scope
from payouts.gaming_days.models import DayClosing
from payouts.settlement.models import BetSettlement, Settlement
from rounds.models import Bet
from rounds.rules.ruling import Ruling
from tests.compliance.exports.day_closings import HOUR
from tests.compliance.exports.exported_days import FORMULA, columns_of
from tests.compliance.exports.report_rows import LARGE, THE_DAY, Row, play_golden_chips, read_report
from tests.payouts.gaming_days import day_scenarios
from tests.payouts.gaming_days.day_scenarios import AFTER, NEXT
from tests.payouts.settlement.resettlement_scenarios import resettle, stored, void

WINS = ("round", "settlement", "customer", "what", "kinds", "winnings_cents", "corrected")


@pytest.fixture
def played(day: None) -> None:
    """The day and six rounds with chips; a bet of r-1 is returned, r-4 is void."""
    play_golden_chips()
    resettle("r-1", after=1, ruling=Ruling(refunded=frozenset({2})))


class TestLargeWins:
    @pytest.mark.parametrize("threshold", [1, 500, LARGE, 2001, 10_000])
    @pytest.mark.parametrize("customer", ["", "p-1"])
    def test_are_what_bets_and_customers_won(
        self, played: None, threshold: int, customer: str
    ) -> None:
        """By settlement, from the threshold on."""
        of = THE_DAY._replace(customer=customer)

        wins = columns_of(read_report(LARGE_WINS, of, large_win_cents=threshold), *WINS)

        assert sorted(wins) == sorted(counted(threshold, customer))
        assert len(wins) == len(set(wins))

    def test_are_listed_with_later_corrections(self, played: None) -> None:
        """Settled again with one bet less, and cancelled; r-2 is held."""
        rows = [row for row in read_report(LARGE_WINS) if row["session"] == "M000000000000001"]

        assert columns_of(rows, "stage", *WINS) == [
            (1, "r-1", 1, "p-1", "bet", "player", 2000, 1),
            (1, "r-1", 1, "p-1", "round", "player small", 2500, 1),
            (1, "r-1", 2, "p-1", "bet", "player", 2000, 0),
            (1, "r-1", 2, "p-1", "round", "player", 2000, 0),
            (3, "r-3", 1, FORMULA, "bet", "player", 2000, 0),
            (3, "r-3", 1, FORMULA, "round", "player", 2000, 0),
            (4, "r-4", 1, "p-1", "bet", "player", 2000, 1),
            (4, "r-4", 1, "p-1", "round", "player small", 2500, 1),
        ]

    def test_have_stakes_chips_and_the_multiple_won(self, played: None) -> None:
        """Three nines of spades: 101.00 for 1.00, with a pair in chips and a hand of 5.00."""
        rows = read_report(LARGE_WINS, large_win_cents=10_000)

        returns_to_json = ("what", "bet", "number", "bets", "staked_cents", "staked_chips_cents")
        assert columns_of(rows, *returns_to_json) == [
            ("bet", "b4", 2, 1, 100, 0),
            ("round", None, None, 3, 600, 100),
        ]
        paid = ("threshold", "winnings_cents", "won_cents", "multiplier_thousandths")
        assert columns_of(rows, *paid) == [
            (10_000, 10_100, 10_000, 101_000),
            (10_000, 13_600, 13_000, 19_429),
        ]

    def test_exclude_returned_stakes(self, played: None) -> None:
        """A push and a void are no wins."""
        rows = read_report(LARGE_WINS, large_win_cents=1)

        assert "q-2" not in {row["round"] for row in rows}
        assert {row["settlement"] for row in rows if row["round"] == "r-4"} == {1}


class TestAcrossDays:
    def test_are_listed_on_the_day_of_their_settlement(self, closed: DayClosing) -> None:
        """A later void leaves the closed day unchanged."""
        day, after = Scope(day_scenarios.DAY, day_scenarios.DAY), Scope(NEXT, NEXT)
        before = read_report(LARGE_WINS, day)
        void("r-1", after=1, at=AFTER + HOUR)
        resettle("r-1", after=2, at=AFTER + HOUR)

        assert read_report(LARGE_WINS, day) == before
        returns_to_json = ("round", "what", "round_on", "booked_on", "settlement", "corrected")
        assert columns_of(read_report(LARGE_WINS, after), *returns_to_json) == [
            ("r-1", "bet", "2026-11-10", "2026-11-11", 3, 0),
            ("r-1", "round", "2026-11-10", "2026-11-11", 3, 0),
        ]
        both = read_report(LARGE_WINS, Scope(day_scenarios.DAY, NEXT))
        assert columns_of(both, "settlement", "corrected") == [(1, 1), (1, 1), (3, 0), (3, 0)]


def counted(threshold: int, customer: str) -> list[tuple[Any, ...]]:
    """Large wins, counted in Python."""
    bets = {(bet.round_id, bet.number): bet for bet in Bet.objects.select_related("customer")}
    won: dict[tuple[str, int, str], list[Row]] = defaultdict(list)
    for graded in BetSettlement.objects.filter(outcome="win").select_related("round"):
        bet = bets[graded.round_id, graded.bet_number]
        cash = graded.payout_cents - graded.chips_cents
        key = (graded.round.reference, graded.sequence, bet.customer.pseudonym)
        if customer in ("", key[2]):
            won[key].append({"kind": bet.kind, "cash": cash})
    winners = []
    for (reference, sequence, pseudonym), wins in won.items():
        later = Settlement.objects.filter(round=stored(reference), sequence__gt=sequence)
        about, corrected = (reference, sequence, pseudonym), int(later.exists())
        kinds = " ".join(sorted({win["kind"] for win in wins}))
        whole = sum(win["cash"] for win in wins)
        returns_to_json = [("bet", win["kind"], win["cash"]) for win in wins] + [
            ("round", kinds, whole)
        ]
        winners += [
            (*about, *returned, corrected)
            for returned in returns_to_json
            if returned[2] >= threshold
        ]
    return winners
