"""A casino with every kind of event reconciles without differences."""

from datetime import date
from types import SimpleNamespace
from typing import Any

import pytest
from django.db import InternalError, connection, transaction

from compliance.trail.models import AuditRecord
from payouts.ledger.models import Transfer
from payouts.reconciliation.reconcile import Scope, figures_of
from payouts.settlement.models import BetSettlement, Settlement
from rounds.models import Bet, Round
from rounds.rules.catalogue import rule_set
from rounds.rules.verdict import LOSE, Grade, Verdict
from tests.casino_in_play import NOW, Unchecked, ingest, open_table, settle
from tests.documents import baccarat_bet, baccarat_round, lines
from tests.payouts.reconciliation.five_games import deal, differences, play, reconciled, tamper
from tests.payouts.reconciliation.four_rounds import R1, R3, play_small
from tests.payouts.settlement.resettlement_scenarios import resettle, stored

NOTHING = {"rounds": 0, "bets": 0, "transfers": 0, "accounts": 0, "records": 0, "differences": 0}


class TestACasinoOfAllGames:
    @pytest.mark.slow
    def test_reconciles(self, fresh_casino: str) -> None:
        """Voids, resettlements, held rounds, faults of the feed, pay-overs and debts."""
        play()
        happened = set(Transfer.objects.values_list("purpose", flat=True))
        assert happened == set(Transfer.Purpose.values)
        assert Round.objects.values("rules").distinct().count() == 5
        assert Settlement.objects.filter(sequence=3).exists()

        figures = figures_of(reconciled())

        assert figures["differences"] == 0
        assert figures["rounds"] == Round.objects.count()
        assert figures["bets"] == Bet.objects.count() < BetSettlement.objects.count()
        assert figures["transfers"] == Transfer.objects.count()
        records = AuditRecord.objects.exclude(action="RECONCILED")
        assert figures["records"] == records.count()

    @pytest.mark.slow
    def test_reconciles_while_rounds_wait(self, fresh_casino: str) -> None:
        """Waiting rounds have no bookings."""
        play(40)
        deal(20, seed="later", start="2026-11-22T20:00:00Z")

        before, _ = figures_of(reconciled()), settle()
        after = figures_of(reconciled())

        assert (before["differences"], after["differences"]) == (0, 0)
        assert before["rounds"] == after["rounds"]
        assert before["transfers"] < after["transfers"]

    def test_records_the_run(self, fresh_casino: str) -> None:
        """With its figures and its actor."""
        play_small()

        run = reconciled()

        record = AuditRecord.objects.get(action="RECONCILED")
        assert (record.actor, record.subject) == ("auditor", f"reconciliation:{run.pk}")
        assert (record.details["rounds"], record.details["differences"]) == (4, 0)
        assert figures_of(reconciled())["differences"] == 0


class TestAMisjudgedRound:
    def test_differs_until_it_is_settled_again(
        self, fresh_casino: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """A broken judge lost every bet of r-1; the fixed one pays 25.00."""
        open_table()
        ingest(lines(baccarat_round("r-1")))
        with monkeypatch.context() as broken:
            broken.setattr("rounds.services.validate.rule_set", _rules_by_which_all_lose)
            settle()

        before = [(difference.kind, difference.about.get("bet")) for difference in differences()]
        resettle(after=1)
        after = differences()

        assert ("bet", 0) in before
        assert ("bet", 2) in before
        assert after == []


def _rules_by_which_all_lose(name: str) -> SimpleNamespace:
    def judge(*round_and_shoe: Any) -> Verdict:
        verdict = rule_set(name).judge(*round_and_shoe)
        lost = tuple(Grade(LOSE, 0, 0, ("lost",)) for _ in verdict.grades)
        return verdict._replace(grades=lost)

    return SimpleNamespace(digest=rule_set(name).digest, judge=judge)


class TestRoundsAtTheEndsOfTheCalendar:
    @pytest.mark.parametrize(
        "minute", ["0001-01-01T00:00:0", "1969-12-31T23:59:5", "9999-12-31T23:59:5"]
    )
    def test_reconcile_with_their_days(self, fresh_casino: str, minute: str) -> None:
        """Before 1970 and at the end of 9999."""
        open_table()
        times = {"opened_at": f"{minute}0Z", "closed_at": f"{minute}5Z", "ended_at": f"{minute}9Z"}
        bets = [baccarat_bet("b1", "player", "10.00", placed_at=f"{minute}3Z")]
        then = baccarat_round("r-then", **times, bets=bets)
        ingest(lines(baccarat_round("r-now"), then), arrival=Unchecked(NOW))
        settle()

        figures = figures_of(reconciled())

        assert (figures["rounds"], figures["bets"], figures["differences"]) == (2, 4, 0)


class TestAnEmptyCasino:
    def test_reconciles(self, fresh_casino: str) -> None:
        """There are no differences."""
        assert figures_of(reconciled()) == NOTHING


class TestAPartOfIt:
    def test_is_the_rounds_of_some_days(self, fresh_casino: str) -> None:
        """r-1 to r-4 of the 21st."""
        play_small()

        day, before = date(2026, 11, 21), date(2026, 11, 20)
        day_figures = figures_of(reconciled(Scope(first_day=day, last_day=day)))
        earlier = figures_of(reconciled(Scope(last_day=before)))

        assert (day_figures["rounds"], day_figures["accounts"], day_figures["differences"]) == (
            4,
            0,
            0,
        )
        assert earlier == NOTHING

    def test_is_one_round(self, fresh_casino: str) -> None:
        """Tampering with another round is not reported."""
        play_small()
        tamper(f"UPDATE rounds_round SET cards[1] = 'P 4H' WHERE id = {R3}")

        sound = figures_of(reconciled(Scope(round_id=stored("r-1").pk)))
        changed = figures_of(reconciled(Scope(round_id=stored("r-3").pk)))

        assert (sound["rounds"], sound["bets"], sound["differences"]) == (1, 3, 0)
        assert (changed["rounds"], changed["differences"]) == (1, 1)


class TestManyDifferences:
    def test_are_counted_and_limited(
        self, fresh_casino: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Three differences, one stored."""
        monkeypatch.setattr("payouts.reconciliation.checks.differences.MOST_KEPT", 1)
        play_small()
        tamper(
            f"UPDATE payouts_betsettlement SET payout_cents = 7"
            f" WHERE round_id = {R1} AND bet_number < 2"
        )

        run = reconciled(Scope(round_id=stored("r-1").pk))

        part = run.parts.get()
        assert (part.differences, part.found.count()) == (3, 1)


class TestACheck:
    def test_cannot_write(self, fresh_casino: str, monkeypatch: pytest.MonkeyPatch) -> None:
        """Checks run in a read-only transaction."""

        def write(*_arguments: object) -> None:
            with transaction.atomic(), connection.cursor() as cursor:
                cursor.execute("UPDATE payouts_account SET balance_cents = 0")

        monkeypatch.setattr("payouts.reconciliation.reconcile.check_house", write)
        play_small()

        with pytest.raises(InternalError, match="read-only transaction"):
            reconciled()
