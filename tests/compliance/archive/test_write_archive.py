"""The archive of a month: exactly the rows of the database, as signed Parquet files."""

import os
import subprocess
import sys
from contextlib import closing, nullcontext
from datetime import UTC, date, datetime
from io import StringIO
from pathlib import Path
from typing import Any

import duckdb
import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from pytest_django import Settings

from casino.embedded.server_paths import CLONE
from compliance.archive.archive_list import LIST_NAME, TableEntry
from compliance.archive.archived_tables import ArchivedTable, archived_tables
from compliance.archive.recorded_archives import latest_archive, require_archive
from compliance.archive.verify_archive import verify_archive
from compliance.archive.write_archive import MonthNotClosed, NotExporter
from compliance.exports.bundle.signing import VERIFY_SIGNATURE, certificate_path
from compliance.storage.database_roles.role import DatabaseRole, role_name
from compliance.storage.partitions import partitioned_tables
from compliance.trail.key_ranges import month_keys
from compliance.trail.models import AuditRecord, TreeHead
from payouts.gaming_days.models import DayClosing
from rounds.models import ClosedDay
from tests.compliance.archive.archived_months import LATER, MONTH, Archived, write
from tests.compliance.exports.exported_days import key_in, type_printed
from tests.compliance.retention.closed_days import closed
from tests.databases import connected_as
from tests.payouts.reconciliation.five_games import tamper

_AS_TEXT = {
    "uuid": "{}::text",
    "bytea": "'\\x' || lower(hex({}))",
    "timestamp with time zone": "epoch_us({})::text",
    "boolean": "{}::text",
}
_EPOCH = "(extract(epoch FROM {}) * 1000000)::bigint::text"
_KILLED = """
import os, signal, sys, django; django.setup()
import compliance.archive.write_archive as service
{stop}
from pathlib import Path
from tests.compliance.archive.archived_months import write
from compliance.exports.bundle.signing import read_signing_key
write(Path(sys.argv[1]), read_signing_key(Path(sys.argv[2])))
"""
_STOPS = {
    "between two files": """
def stop(*_given): os.kill(os.getpid(), signal.SIGKILL)
service._latest_head = stop
""",
    "before the list is signed": """
def stop(*_given): os.kill(os.getpid(), signal.SIGKILL)
service._sign = stop
""",
    "before the record": """
def stop(*_given): os.kill(os.getpid(), signal.SIGKILL)
service.archive_entry = stop
""",
}


def stored_rows(table: ArchivedTable, entry: TableEntry) -> list[tuple[Any, ...]]:
    """The rows of the database as texts, without order."""
    columns = [
        (_EPOCH if it.type == "timestamp with time zone" else "{}::text").format(f'"{it.name}"')
        for it in entry.columns
    ]
    condition = table.condition(month_keys(MONTH))
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {', '.join(columns)} FROM {table.name} WHERE {condition}")
        return sorted(cursor.fetchall(), key=repr)


def archived_rows(folder: Path, entry: TableEntry) -> list[tuple[Any, ...]]:
    """The rows of the files as the same texts."""
    if not entry.files:
        return []
    columns = [_AS_TEXT.get(it.type, "{}::text").format(f'"{it.name}"') for it in entry.columns]
    files = [str(folder / file.name) for file in entry.files]
    with closing(duckdb.connect()) as duck:
        rows = duck.execute(f"SELECT {', '.join(columns)} FROM read_parquet({files})").fetchall()
    return sorted(rows, key=repr)


class TestAnArchive:
    def test_has_the_rows_of_the_database(self, archived: Archived) -> None:
        """Every column of every row of every table, compared as texts."""
        verified = verify_archive(archived.folder, archived.recorded, archived.keys)

        assert {it.name for it in verified.tables} >= set(partitioned_tables())
        for table in archived_tables():
            entry = verified.table(table.name)
            stored = stored_rows(table, entry)
            assert archived_rows(archived.folder, entry) == stored, table.name
            assert entry.rows == len(stored)
        filled = {entry.name for entry in verified.tables if entry.rows}
        assert filled >= {*partitioned_tables(), "rounds_customer", "rounds_storedruling"}

    @pytest.mark.slow
    def test_is_the_same_in_small_slices(
        self, archived: Archived, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """More files, in the same order: the digests of the rows are those of one file."""
        monkeypatch.setattr("compliance.archive.archived_tables._WEIGHT_OF_ROUNDS", 60)
        monkeypatch.setattr("compliance.archive.archived_tables._RECORDS", 50)

        sliced = write(archived.folder.parent, archived.key)

        rounds, bets = sliced.table("rounds_round"), sliced.table("rounds_bet")
        assert len(rounds.files) > 5
        assert all(
            bet.first_key >= dealt.first_key and bet.last_key <= dealt.last_key
            for dealt in rounds.files
            for bet in bets.files
            if bet.slice == dealt.slice
        )
        rounds_tables = {it.name for it in archived_tables() if it.slices == "rounds"}
        assert {name: sliced.table(name).copy_sha256 for name in rounds_tables} == {
            name: archived.archive.table(name).copy_sha256 for name in rounds_tables
        }

    def test_is_verified_without_sabot(self, archived: Archived, tmp_path: Path) -> None:
        """By openssl with the certificate, by sha256sum, and by any reader of JSON."""
        certificate = certificate_path(tmp_path / "export.key").read_bytes()
        (archived.folder / "operator.crt").write_bytes(certificate)
        sums = "".join(f"{file.sha256}  {file.name}\n" for file in archived.archive.files)
        (tmp_path / "sums").write_text(sums)

        type_printed(VERIFY_SIGNATURE.format(name=LIST_NAME), folder=archived.folder)
        checked = subprocess.run(
            ["sha256sum", "--check", "--strict", str(tmp_path / "sums")],  # noqa: S607  the machine's
            cwd=archived.folder,
            capture_output=True,
            text=True,
            check=True,
        )

        assert checked.stdout.count(": OK") == len(list(archived.archive.files))

    def test_states_the_head_of_the_log(self, archived: Archived) -> None:
        """The latest signed one of the snapshot; the record of the archive states its digest."""
        head = archived.archive.log_head

        record = AuditRecord.objects.get(action="ARCHIVE_WRITTEN")
        assert head is not None
        assert head["sequence"] == TreeHead.objects.latest("sequence").sequence
        assert record.subject == f"archive:{MONTH}"
        assert record.actor == "archive_month"
        assert record.details["list_sha256"] == archived.recorded.list_sha256

    def test_is_written_again_under_the_next_number(self, archived: Archived) -> None:
        """Nothing is overwritten; the later one counts."""
        again = write(archived.folder.parent, archived.key)

        recorded = require_archive(MONTH)
        assert (again.number, recorded.number) == (2, 2)
        verify_archive(recorded.folder(archived.folder.parent), recorded, archived.keys)
        verify_archive(archived.folder, archived.recorded, archived.keys)


@pytest.mark.usefixtures("month")
class TestAMonth:
    def test_that_is_not_over_is_refused(self, tmp_path: Path) -> None:
        """In UTC, by which tables are partitioned."""
        with pytest.raises(MonthNotClosed, match="month 2026-11: found it not over"):
            write(tmp_path, key_in(tmp_path), at=datetime(2026, 11, 30, 23, tzinfo=UTC))

        assert latest_archive(MONTH) is None

    def test_with_an_open_day_is_refused(self, tmp_path: Path) -> None:
        """Its last hour in UTC belongs to the first day of the next month in Rome."""
        tamper("DELETE FROM payouts_dayclosing", "DELETE FROM rounds_closedday")
        closed(date(2026, 11, 30))

        with pytest.raises(
            MonthNotClosed, match=r"days are not closed; needed .* until 2026-12-01"
        ):
            write(tmp_path, key_in(tmp_path))

        assert DayClosing.objects.count() == ClosedDay.objects.count() == 1
        assert latest_archive(MONTH) is None
        assert not list(tmp_path.glob("2026*"))

    @pytest.mark.parametrize("role", list(DatabaseRole))
    def test_is_written_by_the_exporter_alone(self, role: DatabaseRole, tmp_path: Path) -> None:
        """Or the owner of the tables; another role is named before a file is written."""
        key, folder = key_in(tmp_path), tmp_path / "archive"
        is_exporter = role is DatabaseRole.EXPORTER
        refused = pytest.raises(NotExporter, match=f"found {role_name(role)}; needed ")
        with (
            connected_as(role, os.environ["DATABASE_URL"]),
            nullcontext() if is_exporter else refused,
        ):
            write(folder, key)

        assert folder.exists() == is_exporter

    @pytest.mark.slow
    @pytest.mark.parametrize("stop", list(_STOPS))
    def test_whose_writer_is_killed_has_no_archive(self, stop: str, tmp_path: Path) -> None:
        """What it left counts for nothing, and the next writer is not disturbed."""
        key = key_in(tmp_path)
        folder = tmp_path / "archive"

        killed = subprocess.run(
            [
                *(sys.executable, "-c", _KILLED.format(stop=_STOPS[stop])),
                *(str(folder), str(tmp_path / "export.key")),
            ],
            cwd=CLONE,
            check=False,
        )

        assert killed.returncode == -9
        assert latest_archive(MONTH) is None
        written = write(folder, key)
        recorded = require_archive(MONTH)
        verify_archive(recorded.folder(folder), recorded, {key.key_id})
        assert written.number == (2 if stop == "before the record" else 1)


class TestTheCommands:
    def test_write_and_verify(
        self, month: str, tmp_path: Path, settings: Settings, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """By the names of month, archive and folder; a changed file is named."""
        key_in(tmp_path)
        settings.ARCHIVE_FOLDER, settings.EXPORT_KEY = (
            str(tmp_path / "a"),
            str(tmp_path / "export.key"),
        )
        monkeypatch.setattr("django.utils.timezone.now", lambda: LATER)
        written, verified = StringIO(), StringIO()

        call_command("archive_month", "2026-11", stdout=written)
        for name in (["2026-11"], ["2026-11.1"], [str(tmp_path / "a" / "2026-11.1")], []):
            call_command("verify_archive", *name, stdout=verified)
        bets = tmp_path / "a" / "2026-11.1" / "rounds_bet-00001.parquet"
        bets.write_bytes(bets.read_bytes()[:-1])
        with pytest.raises(CommandError, match="1 of 1 archives are not as recorded"):
            call_command("verify_archive", "2026-11", stdout=verified)

        assert "2026-11: " in written.getvalue()
        lines = verified.getvalue().splitlines()
        assert [line.startswith("2026-11.1: as recorded: ") for line in lines[:4]] == [True] * 4
        size = bets.stat().st_size
        assert lines[4] == f"2026-11.1: {bets.name}: found {size} bytes; needed {size + 1}"

    @pytest.mark.parametrize("month", ["2026-13", "1969-12", "2026-1", "november"])
    @pytest.mark.django_db
    def test_refuse_what_is_no_month(self, month: str) -> None:
        """With what is needed."""
        with pytest.raises(CommandError, match=f"found {month}; needed a month like 2026-11"):
            call_command("archive_month", month)

    @pytest.mark.django_db
    def test_refuse_an_archive_that_is_not_recorded(self) -> None:
        """A folder alone is no archive."""
        for name in ("2026-11", "2026-11.1"):
            with pytest.raises(CommandError, match=r"found (no|0) record"):
                call_command("verify_archive", name)
