"""Runs over archived months: by this process, by workers, by killed ones, and by the command."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from pytest_django import Settings

from casino.embedded.server_paths import CLONE
from compliance.archive.models import RejudgePart, RejudgeRun
from compliance.archive.recorded_archives import ArchiveMissing
from compliance.archive.rejudge import (
    BadSpan,
    begin_rejudging,
    figures_of,
    findings_of,
    finish_rejudging,
    work_on_part,
)
from compliance.archive.verify_archive import BadArchive
from compliance.trail.actor import Actor
from compliance.trail.models import AuditRecord
from rounds.models import Bet, Round
from tests.compliance.archive.archived_months import (
    LATER,
    MONTH,
    Archived,
    copied_from,
    written_once,
)
from tests.conftest import NewTemplate
from tests.processes import Worker, wait_until

_STAND_STILL = """
import sys, time, django; django.setup()
import compliance.archive.rejudge as service
from compliance.archive.models import RejudgeRun
from compliance.archive.management.commands.rejudge import work_on_parts
judge = service.judge_slice
def stand_still(*given): print("in hand", flush=True); time.sleep(600); return judge(*given)
service.judge_slice = stand_still
work_on_parts(RejudgeRun.objects.get().pk)
"""


@pytest.fixture
def sliced(
    month_template: str,
    month: str,
    new_template: NewTemplate,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> Archived:
    """The month in many small slices; this process and those that it starts find them."""
    monkeypatch.setattr("compliance.archive.archived_tables._WEIGHT_OF_ROUNDS", 60)
    monkeypatch.setenv("SABOT_ARCHIVE", str(tmp_path / "archive"))
    monkeypatch.setenv("SABOT_EXPORT_KEY", str(tmp_path / "export.key"))
    return copied_from(written_once(new_template, month_template, name="sliced"), tmp_path)


@pytest.fixture
def configured(sliced: Archived, settings: Settings, tmp_path: Path) -> Archived:
    """The same for the settings of this process."""
    settings.ARCHIVE_FOLDER = str(sliced.folder.parent)
    settings.EXPORT_KEY = str(tmp_path / "export.key")
    return sliced


def begin(archived: Archived) -> RejudgeRun:
    """A run over the month."""
    return begin_rejudging(
        MONTH,
        MONTH,
        folder=archived.folder.parent,
        keys=archived.keys,
        at=LATER,
        actor=Actor("rejudge"),
    )


def work(run: RejudgeRun, archived: Archived) -> bool:
    """Judges one part."""
    return work_on_part(run, folder=archived.folder.parent, keys=archived.keys, now=timezone.now)


class TestARun:
    @pytest.mark.slow
    def test_judges_every_round_once(self, sliced: Archived) -> None:
        """In parts, one for each slice; the result is recorded."""
        run = begin(sliced)

        while work(run, sliced):
            assert not finish_rejudging(run.pk, now=timezone.now) or not run.parts.filter(
                done_at=None
            )

        assert finish_rejudging(run.pk, now=timezone.now)
        assert run.parts.count() > 5
        figures = figures_of(run)
        assert (figures["rounds"], figures["bets"]) == (Round.objects.count(), Bet.objects.count())
        assert (figures["differences"], findings_of(run)) == (0, [])
        record = AuditRecord.objects.get(action="ARCHIVE_REJUDGED")
        assert record.subject == f"rejudge-run:{run.pk}"
        assert record.details == {
            "from": "2026-11",
            "to": "2026-11",
            "archives": ["2026-11.1"],
            "findings": [],
            **figures,
        }

    def test_reads_no_facts_from_the_database(self, sliced: Archived) -> None:
        """Only its parts, and the record of the archive."""
        run = begin(sliced)

        with CaptureQueriesContext(connection) as queries:
            work(run, sliced)

        texts = [query["sql"] for query in queries]
        assert not [text for text in texts if "rounds_" in text or "payouts_" in text]
        assert any("archive_rejudgepart" in text for text in texts)

    def test_is_continued_after_a_stop(self, sliced: Archived) -> None:
        """Not begun again while the archives are the same; a finished one is."""
        run = begin(sliced)
        work(run, sliced)

        again = begin(sliced)
        while work(again, sliced):
            pass
        finish_rejudging(again.pk, now=timezone.now)
        third = begin(sliced)

        assert again == run
        assert figures_of(run)["rounds"] == Round.objects.count()
        assert third != run

    def test_names_a_file_that_was_changed(self, sliced: Archived) -> None:
        """All others are judged; the record says what was found."""
        file = sliced.archive.table("rounds_bet").files[1]
        path = sliced.folder / file.name
        run = begin(sliced)
        path.write_bytes(path.read_bytes()[:-1] + b"x")

        while work(run, sliced):
            pass
        finish_rejudging(run.pk, now=timezone.now)

        [finding] = findings_of(run)
        assert finding.startswith(f"2026-11.1, slice {file.slice}: {file.name}: found SHA-256 ")
        record = AuditRecord.objects.get(action="ARCHIVE_REJUDGED")
        assert record.details["differences"] == 1
        assert record.details["findings"] == [finding]
        assert 0 < record.details["rounds"] < Round.objects.count()

    def test_of_no_archive_is_refused(self, sliced: Archived) -> None:
        """A month without one, one of which the list was changed, and a span that ends early."""

        def refusal(first: int, last: int) -> Iterator[None]:
            begin_rejudging(
                MONTH.plus(first),
                MONTH.plus(last),
                folder=sliced.folder.parent,
                keys=sliced.keys,
                at=LATER,
                actor=Actor("rejudge"),
            )
            yield

        with pytest.raises(ArchiveMissing, match="month 2026-12: found no recorded archive"):
            next(refusal(0, 1))
        with pytest.raises(BadSpan, match="to: found 2026-10; needed 2026-11 or later"):
            next(refusal(0, -1))
        (sliced.folder / "archive.json").write_bytes(b"{}")
        with pytest.raises(BadArchive, match=r"archive\.json: found SHA-256"):
            next(refusal(0, 0))
        assert not RejudgeRun.objects.exists()


class TestWorkers:
    @pytest.mark.slow
    def test_judge_what_was_begun(
        self, sliced: Archived, month: str, broker: str, tmp_path: Path
    ) -> None:
        """Found by their next wake-up, by the role of the database that workers have."""
        run = begin(sliced)
        environment = {"DATABASE_URL": month, "CELERY_BROKER_URL": broker}
        worker = Worker(environment=environment, folder=tmp_path)

        worker.start()
        wait_until(
            RejudgeRun.objects.filter(finished_at__isnull=False).exists,
            what="the workers have judged it",
        )
        worker.stop()

        figures = figures_of(run)
        assert (figures["rounds"], figures["differences"]) == (Round.objects.count(), 0)

    @pytest.mark.slow
    def test_that_are_killed_leave_their_part_to_others(self, sliced: Archived) -> None:
        """Nothing of it was written, and nothing counts twice."""
        run = begin(sliced)
        killed = subprocess.Popen(
            [sys.executable, "-c", _STAND_STILL], cwd=CLONE, stdout=subprocess.PIPE, text=True
        )
        assert killed.stdout is not None
        with closing(killed.stdout):
            assert killed.stdout.readline() == "in hand\n"
            while work(run, sliced):
                pass
            assert not finish_rejudging(run.pk, now=timezone.now)
            assert RejudgePart.objects.filter(done_at=None).count() == 1
            killed.kill()
            killed.wait()

        wait_until(lambda: work(run, sliced), what="the part is free again")

        assert finish_rejudging(run.pk, now=timezone.now)
        assert figures_of(run)["rounds"] == Round.objects.count()


class TestTheCommand:
    @pytest.mark.slow
    def test_judges_by_several_processes(self, configured: Archived) -> None:
        """And says how many rounds it judged."""
        output = StringIO()

        call_command("rejudge", "--from", "2026-11", processes=2, stdout=output)

        text = output.getvalue()
        assert text.startswith(f"2026-11 to 2026-11: rounds {Round.objects.count():,}, bets ")
        assert text.endswith("differences 0\n")
        assert RejudgeRun.objects.get().finished_at is not None

    @pytest.mark.slow
    def test_fails_if_something_differs(self, configured: Archived) -> None:
        """With each finding, and status 1."""
        output = StringIO()
        file = configured.folder / configured.archive.table("payouts_transfer").files[0].name
        file.unlink()

        with pytest.raises(CommandError, match="1 differences") as failed:
            call_command("rejudge", "--from", "2026-11", stdout=output)

        assert failed.value.returncode == 1
        assert f"{file.name}: found no regular file" in output.getvalue()

    def test_refuses_what_it_cannot_judge(self, configured: Archived) -> None:
        """With status 2."""
        for arguments, text in (
            (["--from", "2026-10"], "month 2026-10: found no recorded archive"),
            (["--from", "2026-11", "--to", "2026-10"], "to: found 2026-10; needed 2026-11"),
            (["--from", "2026-11", "--processes", "0"], "--processes: found 0; needed 1 or more"),
        ):
            with pytest.raises(CommandError, match=text) as refused:
                call_command("rejudge", *arguments)
            assert refused.value.returncode == 2
