"""``manage.py reconcile``: what it writes and how it ends."""

import subprocess
import sys
from collections.abc import Callable

import pytest
from django.core.management import execute_from_command_line

from casino.embedded.server_paths import CLONE
from payouts.reconciliation.models import ReconcileRun
from payouts.reconciliation.reconcile import EVERYTHING, begin_reconciliation, work_on_part
from tests.casino_in_play import NOW
from tests.payouts.reconciliation.five_games import AUDITOR, tamper
from tests.payouts.reconciliation.four_rounds import P1, R1, R3, play_small
from tests.payouts.settlement.resettlement_scenarios import stored

_AGREE = "4 rounds, 12 bets, 17 transfers, 6 accounts, 9 audit records: no differences\n"


Reconcile = Callable[..., "subprocess.CompletedProcess[str]"]


def reconcile_in_a_process(*arguments: str) -> "subprocess.CompletedProcess[str]":
    """Runs the command in a process."""
    command = [sys.executable, "manage.py", "reconcile", *arguments]
    return subprocess.run(
        command, cwd=CLONE, capture_output=True, text=True, timeout=120, check=False
    )


@pytest.fixture
def reconcile(capsys: pytest.CaptureFixture[str]) -> Reconcile:
    """Runs the command in this process."""

    def run(*arguments: str) -> "subprocess.CompletedProcess[str]":
        capsys.readouterr()
        status = 0
        try:
            execute_from_command_line(["manage.py", "reconcile", *arguments])
        except SystemExit as end:
            status = int(end.code or 0)
        return subprocess.CompletedProcess(arguments, status, *capsys.readouterr())

    return run


@pytest.fixture(autouse=True)
def _casino(fresh_casino: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A casino without workers."""
    monkeypatch.setenv("CELERY_BROKER_URL", "memory://")
    play_small()


class TestTheCommand:
    def test_ends_with_0_when_all_agrees(self, reconcile: Reconcile) -> None:
        """With the number of checked rows, and progress on stderr."""
        completed = reconcile()

        assert (completed.returncode, completed.stdout) == (0, _AGREE)
        assert "Reconciling" in completed.stderr

    @pytest.mark.slow
    def test_ends_with_1_and_a_list_when_something_differs(self) -> None:
        """One line per difference: place, value found, value needed."""
        tamper(f"UPDATE payouts_account SET balance_cents = 1 WHERE customer_id = {P1} AND id = 8")

        completed = reconcile_in_a_process()

        assert completed.returncode == 1
        assert completed.stdout.splitlines() == [
            "Sum of all accounts, Cash: found amount 0.01; needed amount 0.00",
            "Balance, account 8 · Customer · Cash · p-1: found amount 0.01; needed amount 0.00",
        ]
        assert completed.stderr.rstrip().endswith("11 audit records: 2 differences")

    def test_counts_the_differences_that_it_does_not_list(
        self, reconcile: Reconcile, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Of each part the first are stored; here one."""
        monkeypatch.setattr("payouts.reconciliation.checks.differences.MOST_KEPT", 1)
        tamper(f"UPDATE rounds_round SET cards[1] = 'P 4H' WHERE id IN ({R1}, {R3})")

        completed = reconcile()

        facts, left = completed.stdout.splitlines()
        assert facts.startswith("Facts of the round, round r-1: found digest")
        assert left == "and 1 more"

    def test_may_be_of_days(self, reconcile: Reconcile) -> None:
        """Accounts are left out."""
        completed = reconcile("--from", "2026-11-21", "--to", "2026-11-21")
        earlier = reconcile("--to", "2026-11-20")

        assert (completed.returncode, earlier.returncode) == (0, 0)
        assert completed.stdout.startswith("4 rounds, 12 bets, 17 transfers, 0 accounts, 9 audit")
        assert earlier.stdout.startswith("0 rounds, 0 bets, 0 transfers, 0 accounts, 0 audit")

    def test_may_be_of_one_round(self, reconcile: Reconcile) -> None:
        """By either id."""
        tamper(f"UPDATE rounds_round SET cards[1] = 'P 4H' WHERE id = {R1}")

        done = [reconcile("--round", name) for name in ("r-1", str(stored("r-1").pk), "r-3")]

        assert [command.returncode for command in done] == [1, 1, 0]
        assert done[0].stdout == done[1].stdout
        assert done[0].stdout.startswith("Facts of the round, round r-1: found digest")

    def test_goes_on_with_a_run_that_was_interrupted(self, reconcile: Reconcile) -> None:
        """Finished parts are not repeated."""
        run = begin_reconciliation(scope=EVERYTHING, at=NOW, actor=AUDITOR)
        work_on_part(run.pk, now=lambda: NOW)

        completed = reconcile("--resume")

        assert (completed.returncode, completed.stdout) == (0, _AGREE)
        assert ReconcileRun.objects.count() == 1
        assert run.parts.filter(done_at=NOW).count() == 1

    @pytest.mark.parametrize(
        ("arguments", "refusal"),
        [
            (("--from", "yesterday"), "argument --from: found yesterday; needed a day like"),
            (("--to", "2026-11-31"), "argument --to: found 2026-11-31; needed a day like"),
            (
                ("--from", "2026-11-22", "--to", "2026-11-21"),
                "--to: found 2026-11-21; needed 2026-11-22 (--from) or later",
            ),
            (("--round", "r-9"), "--round: found no round r-9; needed an ingested round"),
            (("--round", "r-1", "--to", "2026-11-21"), "--round: found r-1 together with days"),
            (("--resume",), "--resume: found no interrupted run"),
            (("--resume", "--round", "r-1"), "--round: found r-1; needed none"),
        ],
    )
    def test_ends_with_2_for_a_wrong_argument(
        self, reconcile: Reconcile, arguments: tuple[str, ...], refusal: str
    ) -> None:
        """The error has argument, value found and value needed."""
        completed = reconcile(*arguments)

        assert completed.returncode == 2
        assert refusal in completed.stderr
        assert not ReconcileRun.objects.exists()
