"""Reconciliation by several workers, killed workers, and concurrent settlement."""

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.utils import timezone

from casino.embedded.server_paths import CLONE
from compliance.trail.actor import Actor
from payouts.reconciliation.checks.audit_records import check_audit_records
from payouts.reconciliation.models import ReconcileDifference, ReconcilePart, ReconcileRun
from payouts.reconciliation.reconcile import (
    EVERYTHING,
    begin_nightly,
    begin_reconciliation,
    figures_of,
    finish_reconciliation,
    work_on_part,
)
from payouts.settlement.models import Settlement
from payouts.tasks import reconcile_nightly_task, reconcile_task
from rounds.models import QueuedRound, Round
from tests.casino_in_play import NOW, settle
from tests.payouts.reconciliation.five_games import AUDITOR, deal, differences, play, tamper
from tests.payouts.reconciliation.four_rounds import R1, play_small
from tests.payouts.settlement.resettlement_scenarios import resettle, void
from tests.processes import Worker, wait_until

_WORK_ALONE = """
import sys, django; django.setup()
from django.utils import timezone
from payouts.reconciliation.reconcile import work_on_part
print("ready", flush=True); sys.stdin.readline()
while work_on_part(int(sys.argv[1]), now=timezone.now): print("done", flush=True)
"""
_RING = """
import django; django.setup()
from payouts.tasks import reconcile_nightly_task
reconcile_nightly_task.delay()
"""
_STAND_STILL = """
import sys, time, django; django.setup()
import payouts.reconciliation.reconcile as service
from django.utils import timezone
def stand_still(*_): print("in hand", flush=True); time.sleep(600)
service.check_house = stand_still
service.work_on_part(int(sys.argv[1]), now=timezone.now)
"""


@pytest.fixture
def _small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Many small parts."""
    monkeypatch.setattr("payouts.reconciliation.reconcile._RECORDS", 100)
    for name, most in (("_BETS", 200), ("_ACCOUNTS", 10)):
        monkeypatch.setattr(f"payouts.reconciliation.checks.all_checks.{name}", most)


def begin() -> ReconcileRun:
    """A run that no process works on."""
    return begin_reconciliation(scope=EVERYTHING, at=NOW, actor=AUDITOR)


def process(code: str, run: ReconcileRun) -> "subprocess.Popen[str]":
    """A process on the database of the test."""
    command = [sys.executable, "-c", code, str(run.pk)]
    return subprocess.Popen(
        command, cwd=CLONE, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )


@pytest.mark.usefixtures("_small_parts")
class TestSeveralProcesses:
    @pytest.mark.slow
    def test_share_the_parts_of_a_run(self, fresh_casino: str) -> None:
        """Two processes do every part once and find the same differences."""
        play()
        tamper(
            "UPDATE payouts_betsettlement SET payout_cents = payout_cents + 1 WHERE sequence = 3"
        )
        alone = differences()
        run = begin()
        parts = run.parts.count()

        hands = [process(_WORK_ALONE, run) for _ in range(2)]
        for hand in hands:
            assert hand.stdout is not None
            assert hand.stdout.readline() == "ready\n"
        for hand in hands:
            assert hand.stdin is not None
            hand.stdin.write("go\n")
            hand.stdin.flush()
        done = [hand.communicate(timeout=120)[0].count("done") for hand in hands]

        assert sum(done) == parts > 20
        assert min(done) > 0
        assert finish_reconciliation(run.pk, now=timezone.now)
        together = ReconcileDifference.objects.filter(part__run=run).order_by("part_id", "id")
        assert [difference.about for difference in together] == [
            difference.about for difference in alone
        ]
        assert alone

    @pytest.mark.slow
    def test_are_woken_workers(self, worker: Worker) -> None:
        """A run begun by hand is finished by them."""
        play(60)

        subprocess.run([sys.executable, "-c", _RING], cwd=CLONE, check=True)
        wait_until(
            lambda: ReconcileRun.objects.filter(finished_at__isnull=False).exists(),
            what="the workers have reconciled everything",
        )

        run = ReconcileRun.objects.get()
        assert figures_of(run)["rounds"] == Round.objects.count()
        assert figures_of(run)["differences"] == 0


class TestAKilledWorker:
    @pytest.mark.slow
    def test_leaves_its_part_to_others(self, fresh_casino: str) -> None:
        """The part is locked until the process is killed, then repeated."""
        play_small()
        run = begin()
        hand = process(_STAND_STILL, run)
        assert hand.stdout is not None
        assert hand.stdout.readline() == "in hand\n"

        while work_on_part(run.pk, now=timezone.now):
            pass
        [held] = run.parts.filter(done_at=None)
        assert held.kind == ReconcilePart.Kind.SHARED
        assert not finish_reconciliation(run.pk, now=timezone.now)
        hand.kill()
        hand.communicate()
        wait_until(lambda: work_on_part(run.pk, now=timezone.now), what="the part is free again")

        assert finish_reconciliation(run.pk, now=timezone.now)
        assert figures_of(run)["accounts"] == 6
        assert figures_of(run)["differences"] == 0


@pytest.mark.usefixtures("_small_parts")
class TestConcurrentSettlement:
    @pytest.mark.slow
    def test_is_no_difference(self, fresh_casino: str) -> None:
        """Rounds arrive, are settled and voided while runs check them."""
        play(40)

        with ThreadPoolExecutor(1) as others:
            going_on = others.submit(_go_on)
            reported = []
            while not going_on.done():
                reported += differences()
            going_on.result()
        reported += differences()

        assert ReconcileRun.objects.count() > 1
        assert reported == []
        assert Settlement.objects.filter(sequence=3).count() > 20

    def test_in_the_middle_of_a_part_is_not_seen(
        self, fresh_casino: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """A part reads one snapshot; r-4 still waits in it."""

        def settle_and_check(*arguments: Any) -> None:
            with ThreadPoolExecutor(1) as other:
                other.submit(_settle_apart).result()
            check_audit_records(*arguments)

        monkeypatch.setattr(
            "payouts.reconciliation.checks.rounds.check_audit_records", settle_and_check
        )
        play_small()

        reported = differences()

        assert not QueuedRound.objects.exists()
        assert reported == []


class TestTheTasks:
    def test_of_the_night_begin_one_run_for_several_beats(self, fresh_casino: str) -> None:
        """One per night."""
        play_small()
        night, actor = timedelta(hours=12), Actor("nightly")

        begun = [begin_nightly(at=NOW, actor=actor, every=night) for _ in range(2)]
        tomorrow = begin_nightly(at=NOW + timedelta(days=1), actor=actor, every=night)

        assert [run is not None for run in (*begun, tomorrow)] == [True, False, True]

    def test_of_the_night_wake_workers_for_a_new_run_only(
        self, fresh_casino: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Not again by a second beat."""
        woken: list[str] = []

        def notify(task: str) -> bool:
            woken.append(task)
            return True

        monkeypatch.setattr("payouts.tasks.notify_workers", notify)
        play_small()

        reconcile_nightly_task()
        at_first = list(woken)
        reconcile_nightly_task()

        assert at_first == woken
        assert set(woken) == {"payouts.reconcile"}

    def test_do_nothing_without_a_run(self, fresh_casino: str) -> None:
        """After a duplicate or late wake-up."""
        reconcile_task()

        assert not ReconcileRun.objects.exists()

    def test_finish_the_run(self, fresh_casino: str, monkeypatch: pytest.MonkeyPatch) -> None:
        """All parts in one turn."""
        monkeypatch.setattr("payouts.tasks._TURN_SECONDS", 60)
        play_small()
        reconcile_nightly_task()

        reconcile_task()

        run = ReconcileRun.objects.get()
        assert run.finished_at is not None
        assert figures_of(run)["differences"] == 0

    def test_store_differences(self, fresh_casino: str, monkeypatch: pytest.MonkeyPatch) -> None:
        """A task that finds differences does not fail."""
        monkeypatch.setattr("payouts.tasks._TURN_SECONDS", 60)
        play_small()
        tamper(f"UPDATE rounds_round SET cards[1] = 'P 4H' WHERE id = {R1}")
        reconcile_nightly_task()

        reconcile_task()

        assert ReconcileDifference.objects.get().kind == "content"


def _go_on() -> None:
    """Ingests, settles and voids on another connection."""
    with closing(connection):
        deal(60, seed="beside", start="2026-11-22T20:00:00Z")
        settle()
        rounds = Settlement.objects.filter(sequence=1, kind="settled")
        for reference in rounds.values_list("round__reference", flat=True)[:40]:
            latest = Settlement.objects.filter(round__reference=reference).count()
            if latest == 1:
                void(reference, after=1)
                resettle(reference, after=2)


def _settle_apart() -> None:
    with closing(connection):
        settle()
