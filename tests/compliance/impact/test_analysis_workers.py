"""Analyses by workers, by the command, and by several processes of which one is killed."""

import csv
import subprocess
import sys
from contextlib import closing
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from casino.embedded.server_paths import CLONE
from compliance.impact.analyses import RuleChange, begin_analysis, finish_analysis, work_on_part
from compliance.impact.models import ImpactAnalysis
from compliance.impact.results import customer_results, kind_results
from payouts.reconciliation.checks.days import Days
from tests.casino_in_play import NOW, open_tables, settle
from tests.payouts.reconciliation.five_games import deal
from tests.payouts.settlement.resettlement_scenarios import GIULIA
from tests.processes import Worker, wait_until

_CHANGE = RuleChange(reading=("rank-or-value", 1))
_FOR_NINE = ("--set", "baccarat/1", "bets/tie/pays", "9:1")
_STAND_STILL = """
import sys, time, django; django.setup()
import compliance.impact.analyses as service
from compliance.impact.models import ImpactAnalysis
from django.utils import timezone
computes = service._lines
def stand_still(*given): print("in hand", flush=True); time.sleep(600); return computes(*given)
service._lines = stand_still
while service.work_on_part(ImpactAnalysis.objects.get(), now=timezone.now): pass
"""


def begin(monkeypatch: pytest.MonkeyPatch) -> ImpactAnalysis:
    """An analysis in many small parts."""
    monkeypatch.setattr("compliance.impact.analyses._BETS", 200)
    open_tables(at=NOW)
    deal(150, seed="impact")
    settle()
    return begin_analysis(_CHANGE, days=Days(None, None), at=NOW, actor=GIULIA)


def finish(analysis: ImpactAnalysis) -> tuple[object, object]:
    """The results of an analysis that this process ends."""
    while work_on_part(analysis, now=timezone.now):
        pass
    assert finish_analysis(analysis.pk, now=timezone.now)
    return kind_results(analysis), list(customer_results(analysis))


class TestWorkers:
    @pytest.mark.slow
    def test_compute_what_a_person_began(
        self, worker: Worker, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Found by their next wake-up; the same as by one process."""
        analysis = begin(monkeypatch)
        assert analysis.parts.count() > 5

        ring = "import django; django.setup(); from compliance.impact.tasks import *"
        command = f"{ring}\nanalyse_task.delay()"
        subprocess.run([sys.executable, "-c", command], cwd=CLONE, check=True)
        wait_until(
            ImpactAnalysis.objects.filter(finished_at__isnull=False).exists,
            what="the workers have analysed it",
        )

        together = kind_results(analysis), list(customer_results(analysis))
        again = begin_analysis(_CHANGE, days=Days(None, None), at=NOW, actor=GIULIA)
        assert together == finish(again)

    @pytest.mark.slow
    def test_that_are_killed_leave_their_part_to_others(
        self, fresh_casino: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Nothing of it was written, and nothing counts twice."""
        analysis = begin(monkeypatch)
        killed = subprocess.Popen(
            [sys.executable, "-c", _STAND_STILL], cwd=CLONE, stdout=subprocess.PIPE, text=True
        )
        assert killed.stdout is not None
        with closing(killed.stdout):
            assert killed.stdout.readline() == "in hand\n"
            while work_on_part(analysis, now=timezone.now):
                pass
            assert not finish_analysis(analysis.pk, now=timezone.now)
            assert analysis.parts.filter(done_at=None).count() == 1
            killed.kill()
            killed.wait()
        wait_until(lambda: work_on_part(analysis, now=timezone.now), what="the part is free again")

        results = finish(analysis)

        again = begin_analysis(_CHANGE, days=Days(None, None), at=NOW, actor=GIULIA)
        assert results == finish(again)


@pytest.mark.usefixtures("fresh_casino")
class TestTheCommand:
    @pytest.mark.slow
    def test_writes_who_would_have_got_what(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """As a table, and as a file of all customers."""
        begin(monkeypatch)
        ImpactAnalysis.objects.update(finished_at=NOW)
        output = StringIO()

        call_command("analyse_impact", *_FOR_NINE, csv=tmp_path / "who.csv", stdout=output)

        text = output.getvalue()
        [tie] = [line.split() for line in text.splitlines() if line.split()[1:2] == ["tie"]]
        analysis = ImpactAnalysis.objects.latest("pk")
        customers = list(customer_results(analysis))
        assert tie[-3:] == ["85.64", "→", "95.16"]
        assert f"otherwise: {len(customers)}" in text
        with (tmp_path / "who.csv").open() as file:
            rows = list(csv.DictReader(file, delimiter=";"))
        assert [row["customer"] for row in rows] == [it.pseudonym for it in customers]
        assert sum(int(row["difference_cents"]) for row in rows) == sum(
            it.sums.difference_cents for it in customers
        )

    @pytest.mark.parametrize(
        ("arguments", "text"),
        [
            ([], "change: found none; needed a reading or a field"),
            (["--reading", "tie"], "--reading: found tie; needed KEY:INDEX"),
            (["--reading", "tie:1"], "reading: found tie:1; needed one of"),
            (
                ["--reading", "soft-seventeen:1", *_FOR_NINE],
                "--set: found a field together with --reading; needed one of the two",
            ),
            (
                [*_FOR_NINE, "--from", "2026-11-02", "--to", "2026-11-01"],
                "last day: found 2026-11-01; needed 2026-11-02 or later",
            ),
        ],
    )
    def test_refuses_what_it_cannot_analyse(self, arguments: list[str], text: str) -> None:
        """With the argument, and status 2."""
        with pytest.raises(CommandError) as refused:
            call_command("analyse_impact", *arguments)

        assert str(refused.value).startswith(text)
        assert refused.value.returncode == 2
        assert not ImpactAnalysis.objects.exists()

    def test_says_why_it_cannot_judge(self) -> None:
        """No card has a probability without decks."""
        with pytest.raises(CommandError, match="the changed rules cannot judge: ValueError"):
            call_command("analyse_impact", "--set", "baccarat/1", "decks", "0")
