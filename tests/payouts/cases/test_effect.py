"""The effect of a decision: previewed, then executed."""

from datetime import timedelta

import pytest

from payouts.cases import round_selection
from payouts.cases.models import CaseWork
from payouts.cases.propose_case import effect_of_case
from payouts.cases.remedies import Remedy
from payouts.cases.round_selection import (
    TooManyRounds,
    UnknownRounds,
    rounds_in_window,
    rounds_named,
)
from payouts.ledger.models import Account
from rounds.models import Table
from tests.books import assert_books_are_right
from tests.casino_in_play import NOW, ingest, open_table, settle
from tests.documents import baccarat_bet, baccarat_round, held_baccarat_round, lines
from tests.payouts.cases.case_scenarios import (
    NO_EXTRA_CARD,
    approve,
    effect,
    execute,
    opened,
    propose,
)
from tests.payouts.reconciliation.five_games import hand_over
from tests.payouts.settlement.resettlement_scenarios import stored
from tests.rounds.contract.by_hand import QB, bet, deal

pytestmark = pytest.mark.django_db


@pytest.fixture
def feed() -> list[bytes]:
    """In each of two rounds p-1 staked 12.00 and won 25.00; p-2 lost 10.00."""
    open_table()
    feed = lines(baccarat_round("r-1"), baccarat_round("r-2"))
    ingest(feed)
    settle()
    return feed


class TestTheEffectOfAVoid:
    def test_is_reported_customer_by_customer_and_in_total(self, feed: list[bytes]) -> None:
        """p-1: 24.00 of stakes less 50.00 of winnings; p-2: 20.00."""
        seen = effect(opened("malfunction", "r-1", "r-2"), Remedy.VOID)

        assert [
            (
                customer.pseudonym,
                customer.bets,
                customer.credited_cents,
                customer.taken_cents,
                customer.net_cents,
            )
            for customer in seen.customers
        ] == [("p-1", 4, 2400, 5000, -2600), ("p-2", 2, 2000, 0, 2000)]
        assert seen.totals == {
            "rounds": 2,
            "unchanged": 0,
            "bets": 6,
            "customers": 2,
            "credited": 4400,
            "taken": 5000,
            "net": -600,
            "chips": 0,
            "owed": 0,
        }

    def test_has_balances_before_and_after(self, feed: list[bytes]) -> None:
        """p-1 50.00 and 24.00, p-2 nothing and 20.00."""
        seen = effect(opened("malfunction", "r-1", "r-2"), Remedy.VOID)

        balances = [
            (customer.balance_cents, customer.balance_after_cents) for customer in seen.customers
        ]
        assert balances == [(5000, 2400), (0, 2000)]

    def test_has_future_debts(self, feed: list[bytes]) -> None:
        """5.00 are left of the 26.00 to take back: 21.00 are owed, as the execution confirms."""
        hand_over(Account.objects.get(customer__pseudonym="p-1"), cents=4500, reference="w-1")
        case = opened("malfunction", "r-1", "r-2")

        seen = effect(case, Remedy.VOID)
        propose(case, Remedy.VOID)
        approve(case)
        execute(case)

        assert [customer.owed_cents for customer in seen.customers] == [2100, 0]
        assert sum(CaseWork.objects.values_list("owed_cents", flat=True)) == 2100
        owed = Account.objects.get(kind="receivable", customer__pseudonym="p-1")
        assert owed.balance_cents == -2100
        assert_books_are_right(feed)

    def test_has_settled_debts(self, feed: list[bytes]) -> None:
        """Settling by the real result cancels the debt of the void."""
        hand_over(Account.objects.get(customer__pseudonym="p-1"), cents=5000, reference="w-1")
        case = opened("malfunction", "r-1")
        propose(case, Remedy.VOID)
        approve(case)
        execute(case)

        again = opened("malfunction", "r-1")
        seen = effect(again, Remedy.REAL_RESULT)
        propose(again, Remedy.REAL_RESULT)
        approve(again)
        execute(again)

        assert [(customer.pseudonym, customer.owed_cents) for customer in seen.customers] == [
            ("p-2", 0),
            ("p-1", -1300),
        ]
        owed = Account.objects.get(kind="receivable", customer__pseudonym="p-1")
        assert owed.balance_cents == 0

    def test_counts_golden_chips_apart(self) -> None:
        """The chip of 10.00 returns as a chip."""
        open_table("t-1", QB)
        ingest(lines(deal("1:8S D:TD 1:TC D:9C", bet("b1", funding="golden"), rules=QB)))
        settle()

        [customer_effect] = effect(opened("malfunction", "r-1"), Remedy.VOID).customers

        assert (customer_effect.net_cents, customer_effect.chips_cents) == (0, 1000)

    def test_executes_credits_first(self) -> None:
        """The stakes of r-2 return before r-1 is taken back."""
        open_table()
        lost = baccarat_round("r-2", bets=[baccarat_bet("b1", "banker", "30.00")])
        ingest(lines(baccarat_round("r-1"), lost))
        settle()
        hand_over(Account.objects.get(customer__pseudonym="p-1"), cents=2500, reference="w-1")
        case = opened("malfunction", "r-1", "r-2")

        seen = effect(case, Remedy.VOID)
        propose(case, Remedy.VOID)
        approve(case)

        works = CaseWork.objects.order_by("number").values_list("round_id", flat=True)
        assert list(works) == [stored("r-2").id, stored("r-1").id]
        assert seen.totals["owed"] == 0


class TestTheEffectOfACorrection:
    def test_of_a_held_round_takes_nothing_back(self) -> None:
        """No money has moved yet."""
        open_table()
        ingest(lines(held_baccarat_round("r-1")))
        settle()
        case = opened("correction", "r-1")

        seen = effect_of_case(case, Remedy.CORRECT, NO_EXTRA_CARD)

        assert (seen.totals["credited"], seen.totals["taken"]) == (2500, 0)


class TestTheScope:
    def test_of_a_window_holds_every_round_that_was_open_in_it(self, feed: list[bytes]) -> None:
        """Both ends included; other tables and times excluded."""
        later = baccarat_round(
            "r-3",
            opened_at="2026-11-21T21:20:10Z",
            closed_at="2026-11-21T21:20:25Z",
            ended_at="2026-11-21T21:21:02Z",
            bets=[baccarat_bet("b1", "player", "1.00", placed_at="2026-11-21T21:20:15Z")],
        )
        ingest(lines(later))
        table, ended = Table.objects.get(), stored("r-1").ended_at
        both = [stored("r-1").id, stored("r-2").id]

        touching = rounds_in_window(table, first=ended, last=ended + timedelta(minutes=1))
        after = rounds_in_window(table, first=ended + timedelta(seconds=1), last=NOW)

        assert sorted(touching) == sorted(both)
        assert after == [stored("r-3").id]
        assert rounds_in_window(open_table("bac-2"), first=ended, last=NOW) == []

    def test_of_references_names_unknown_ones(self, feed: list[bytes]) -> None:
        """All of them at once."""
        assert rounds_named(["r-2", "r-2"]) == [stored("r-2").id]
        with pytest.raises(UnknownRounds) as refused:
            rounds_named(["r-1", "x", "y"])
        assert refused.value.references == ("x", "y")

    def test_is_limited(self, feed: list[bytes], monkeypatch: pytest.MonkeyPatch) -> None:
        """More rounds are refused."""
        monkeypatch.setattr(round_selection, "MOST_ROUNDS", 1)

        with pytest.raises(TooManyRounds):
            rounds_in_window(Table.objects.get(), first=NOW - timedelta(hours=9), last=NOW)
