"""Requested exports: made by workers, and every night for closed days."""

from datetime import timedelta
from pathlib import Path

import pytest
from django.db import connection, transaction

from compliance.exports.bundle.signing import SigningKey
from compliance.exports.models import Bundle, ExportRun
from compliance.exports.scope import COMPLIANCE_REPORTS, Scope, one_day
from compliance.exports.services.build_bundle import build_bundle
from compliance.exports.services.enqueue_export import (
    InvalidExportRequest,
    enqueue_export,
    enqueue_nightly_exports,
)
from compliance.exports.services.process_exports import RunProgress, process_exports
from compliance.trail.actor import Actor
from compliance.trail.models import AuditRecord
from payouts.gaming_days.models import DayClosing
from tests.casino_in_play import NOW
from tests.compliance.exports.day_closings import log, verifier_output
from tests.compliance.exports.exported_days import CLERK, DAY, contents
from tests.payouts.gaming_days import day_scenarios
from tests.processes import wait_until

NIGHT = Actor("nightly export")


def work(folder: Path) -> int:
    """Runs the worker; returns the number of finished exports."""
    return process_exports(now=lambda: NOW, key=folder / "export.key", folder=folder / "out")


class TestARequestedExport:
    @pytest.mark.usefixtures("day")
    def test_becomes_a_bundle(self, key: SigningKey, tmp_path: Path) -> None:
        """Recorded with its requester."""
        run = enqueue_export(
            of=Scope(DAY, DAY, customer="p-2"), reason="ADM 7", at=NOW, actor=CLERK
        )
        assert work(tmp_path) == 1

        run.refresh_from_db()
        assert (run.percent, run.finished_at, run.is_new) == (100, NOW, True)
        assert run.bundle is not None
        assert (run.bundle.actor, run.bundle.customer) == (CLERK.name, "p-2")
        assert verifier_output(tmp_path / "out" / run.bundle.path, tmp_path)
        record = AuditRecord.objects.get(action="EXPORT_ASKED")
        assert record.details == {"of": run.scope.to_json(), "reason": "ADM 7"}
        assert work(tmp_path) == 0

    @pytest.mark.usefixtures("day")
    def test_of_reports_has_them(self, key: SigningKey, tmp_path: Path) -> None:
        """The bundle has the standing reports."""
        enqueue_export(of=Scope(DAY, DAY, contents=COMPLIANCE_REPORTS), at=NOW, actor=CLERK)
        work(tmp_path)

        path = tmp_path / "out" / Bundle.objects.get().path
        assert path.name == "sabot-000001-2026-11-21-reports.zip"
        assert "registers/game_performance.csv" in contents(path)
        assert verifier_output(path, tmp_path)

    @pytest.mark.usefixtures("day")
    def test_is_the_one_that_waits_already(self, key: SigningKey, tmp_path: Path) -> None:
        """A repeated request returns the waiting run, later the same bundle."""
        first = enqueue_export(of=one_day(DAY), at=NOW, actor=CLERK)
        assert enqueue_export(of=one_day(DAY), at=NOW, actor=NIGHT) == first
        work(tmp_path)
        again = enqueue_export(of=one_day(DAY), at=NOW, actor=CLERK)
        assert again != first
        work(tmp_path)

        again.refresh_from_db()
        assert (again.bundle_id, again.is_new) == (1, False)

    @pytest.mark.usefixtures("day")
    def test_keeps_why_it_cannot_be_made(self, tmp_path: Path) -> None:
        """There is no key; it waits."""
        run = enqueue_export(of=one_day(DAY), at=NOW, actor=CLERK)
        assert work(tmp_path) == 0

        run.refresh_from_db()
        assert run.finished_at is None
        assert "found no key with a certificate" in run.last_error

    @pytest.mark.usefixtures("day")
    def test_waits_while_another_exports(self, key: SigningKey, tmp_path: Path) -> None:
        """By an advisory lock."""
        enqueue_export(of=one_day(DAY), at=NOW, actor=CLERK)
        other = connection.copy()
        try:
            with other.cursor() as cursor:
                cursor.execute("SELECT pg_advisory_lock(hashtextextended('build exports', 0))")
            assert work(tmp_path) == 0
        finally:
            other.close()
        wait_until(lambda: work(tmp_path) == 1, what="the other's lock is gone")

    @pytest.mark.usefixtures("day")
    def test_shows_its_progress(self, key: SigningKey, tmp_path: Path) -> None:
        """Also before the commit."""
        parts: list[float] = []
        build_bundle(
            of=one_day(DAY),
            folder=tmp_path,
            key=key,
            database="default",
            at=NOW,
            actor=CLERK,
            progress=parts.append,
        )
        assert parts == sorted(parts)
        assert parts[0] < 0.1
        assert parts[-1] == 1

        run = enqueue_export(of=one_day(DAY), at=NOW, actor=CLERK)
        with RunProgress(run) as tell, transaction.atomic():
            tell(0.421)
            transaction.set_rollback(True)
        run.refresh_from_db()
        assert run.percent == 42

    def test_needs_valid_days(self, db: None) -> None:
        """In order, and a limited number."""
        with pytest.raises(
            InvalidExportRequest, match=r"last_day: found 2026-11-20; needed 2026-11-21"
        ):
            enqueue_export(of=Scope(DAY, DAY - timedelta(days=1)), at=NOW, actor=CLERK)
        with pytest.raises(InvalidExportRequest, match="found 367 days; needed 366 at most"):
            enqueue_export(of=Scope(DAY, DAY + timedelta(days=366)), at=NOW, actor=CLERK)
        assert not ExportRun.objects.exists()


class TestAtNight:
    def test_every_closed_day_is_requested_once(
        self, closed: DayClosing, key: SigningKey, tmp_path: Path
    ) -> None:
        """It waits for the log first."""
        [run] = enqueue_nightly_exports(at=NOW, actor=NIGHT)
        assert run.scope == one_day(day_scenarios.DAY)
        assert work(tmp_path) == 0
        run.refresh_from_db()
        assert "its batch is pending" in run.last_error
        log()

        assert enqueue_nightly_exports(at=NOW, actor=NIGHT) == [run]
        assert work(tmp_path) == 1

        run.refresh_from_db()
        assert run.last_error == ""
        assert run.bundle is not None
        assert (run.bundle.kind, run.bundle.actor) == ("closed_day", NIGHT.name)
        assert enqueue_nightly_exports(at=NOW, actor=NIGHT) == []
