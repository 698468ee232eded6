"""A month is detached only if nothing is lost by it, and nothing needs its rounds."""

import shutil
from collections.abc import Callable
from datetime import UTC, date, datetime
from threading import Timer
from typing import Final

import pytest
from django.db import connection

from compliance.archive.moved_months.detach_month import MonthNotDetached, detach_month
from compliance.archive.moved_months.months_apart import MonthInUse
from compliance.archive.recorded_archives import ArchiveMissing, latest_archive
from compliance.archive.verify_archive import BadArchive
from compliance.archive.write_archive import MonthNotClosed
from compliance.retention.legal_holds import place_hold
from compliance.storage.database_roles.role import ROLES, role_name
from compliance.storage.partitions import Month
from compliance.trail.models import AuditRecord
from payouts.integrity.models import IntegrityStop
from payouts.integrity.verify_schema import schema_differences
from rounds.models import Bet, ConflictingDocument
from tests.compliance.archive.archived_months import MONTH, Archived, write
from tests.compliance.archive.reading_sessions import reading
from tests.compliance.archive.removable_months import (
    OWNER,
    YEARS_LATER,
    detach,
    digests,
    drop_parts,
    execute,
    findings,
    nothing_changes,
    parts,
)
from tests.payouts.cases.case_scenarios import opened
from tests.payouts.disputes.dispute_scenarios import disputed
from tests.payouts.reconciliation.five_games import tamper
from tests.payouts.settlement.resettlement_scenarios import LORENZO, void

_EMPTY: Final = (
    "CREATE TABLE rounds_bet_2026_11 PARTITION OF rounds_bet"
    f" FOR VALUES FROM ('{MONTH.first_key}') TO ('{MONTH.plus(1).first_key}')"
)


class TestAMonth:
    def test_is_detached_with_all_tables_of_rounds(self, removable: Archived) -> None:
        """Their rows stay in tables that nobody but the owner may read; the log stays."""
        rows = digests(removable)

        detached = detach(removable)

        assert detached.parts == parts()
        assert schema_differences() == []
        record = AuditRecord.objects.get(action="MONTH_DETACHED")
        assert (record.subject, record.actor) == ("archive:2026-11", OWNER.name)
        assert record.details == {
            "archive": "2026-11.1",
            "list_sha256": removable.recorded.list_sha256,
            "rows": detached.rows,
            "tables": {part.removesuffix("_2026_11"): rows[part[:-8]] for part in parts()},
            "carried_sha256": removable.archive.carried_sha256,
            "left_sha256": record.details["left_sha256"],
        }
        assert {name for name in rows if name.startswith("trail_")} == {
            name for name, digest in digests(removable).items() if digest == rows[name]
        }
        for role in ROLES:
            for part in parts():
                assert not _may_read(role_name(role), part)

    @pytest.mark.slow
    def test_is_missed_by_no_check(self, removable: Archived) -> None:
        """Balances, days, customers and decisions are right by what was carried forward."""
        assert findings() == []

        detach(removable)

        assert findings() == []
        drop_parts()
        assert findings() == []
        assert not IntegrityStop.objects.exists()


class TestRetention:
    def test_refuses_a_young_month(self, removable: Archived) -> None:
        """Five years after the month that follows it."""
        with nothing_changes(), pytest.raises(MonthNotDetached, match="younger than 5 years"):
            detach(removable, at=datetime(2031, 12, 31, 12, tzinfo=UTC))

    def test_refuses_a_held_month(self, removable: Archived) -> None:
        """By its name."""
        hold = place_hold(
            first_day=date(2026, 11, 21),
            last_day=None,
            about="p-1",
            reference="Trib. 12/2026",
            at=YEARS_LATER,
            actor=LORENZO,
        )

        with nothing_changes(), pytest.raises(MonthNotDetached, match=f"held: {hold}"):
            detach(removable)

    def test_refuses_open_days(self, removable: Archived) -> None:
        """Also of the month that follows."""
        for table in ("payouts_dayclosing", "rounds_closedday"):
            tamper(f"DELETE FROM {table} WHERE day > '2026-12-15'")

        with nothing_changes(), pytest.raises(MonthNotDetached, match="days are not closed"):
            detach(removable)


class TestTheArchive:
    def test_is_needed(self, removable: Archived) -> None:
        """Of this month."""
        with nothing_changes(), pytest.raises(ArchiveMissing, match="month 2026-10"):
            detach_month(
                Month(2026, 10),
                folder=removable.folder.parent,
                keys=removable.keys,
                at=YEARS_LATER,
                actor=OWNER,
            )

    def test_has_to_be_as_recorded(self, removable: Archived) -> None:
        """The latest: an earlier one that is whole does not count."""
        write(removable.folder.parent, removable.key)
        (removable.folder.with_name("2026-11.2") / "rounds_bet-00001.parquet").unlink()
        with nothing_changes(), pytest.raises(BadArchive, match="rounds_bet-00001"):
            detach(removable)
        shutil.rmtree(removable.folder.with_name("2026-11.2"))
        with nothing_changes(), pytest.raises(BadArchive, match=r"2026-11\.2"):
            detach(removable)

    @pytest.mark.parametrize(
        "change",
        [
            "UPDATE payouts_transfer SET amount_cents = amount_cents + 1 WHERE line = 0",
            "DELETE FROM rounds_validation WHERE sequence = 1",
            "UPDATE trail_auditrecord SET actor = 'x' WHERE at < '2026-12-01'",
        ],
    )
    def test_has_to_have_every_row(self, change: str, removable: Archived) -> None:
        """Exactly as it is in the database, also of the audit log."""
        tamper(change)

        with (
            nothing_changes(),
            pytest.raises(MonthNotDetached, match=r"needed \w+ as in 2026-11\.1"),
        ):
            detach(removable)

    @pytest.mark.slow
    def test_has_to_have_what_was_decided_later(self, removable: Archived) -> None:
        """Another archive has it."""
        settled = "SELECT origin FROM payouts_transfer WHERE entry = 1 LIMIT 1"
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT reference FROM rounds_round AS round JOIN payouts_settlement AS settled"
                " ON settled.round_id = round.id GROUP BY round.id, reference HAVING count(*) = 1"
                f" AND round.id IN ({settled.replace('LIMIT 1', '')}) LIMIT 1"
            )
            [reference] = cursor.fetchone()
        void(reference, after=1, at=YEARS_LATER)
        with nothing_changes(), pytest.raises(MonthNotDetached, match="write another archive"):
            detach(removable)

        write(removable.folder.parent, removable.key)

        assert detach(removable).archive.number == 2

    def test_is_not_written_of_a_detached_month(self, removable: Archived) -> None:
        """It would have no rounds, and be the latest."""
        detach(removable)
        text = "month 2026-11: found it detached; needed restore_month first"
        with nothing_changes(), pytest.raises(MonthNotClosed, match=text):
            write(removable.folder.parent, removable.key)
        tamper("DELETE FROM trail_auditrecord WHERE action = 'MONTH_DETACHED'")
        with nothing_changes(), pytest.raises(MonthNotClosed, match=text):
            write(removable.folder.parent, removable.key)

    @pytest.mark.parametrize("then", [[], [_EMPTY]], ids=["no partition", "an empty one"])
    def test_is_not_written_of_a_dropped_month(self, then: list[str], removable: Archived) -> None:
        """Detached by hand, without a record; a nightly task may have made a partition since."""
        execute("DROP TABLE rounds_bet_2026_11", *then)

        text = r"rounds_bet: found no row of 2026-11; needed those of 2026-11\.1"
        with nothing_changes(), pytest.raises(MonthNotClosed, match=text):
            write(removable.folder.parent, removable.key)
        assert latest_archive(MONTH) == removable.recorded

    def test_that_is_gone_is_needed_where_a_table_is_empty(self, removable: Archived) -> None:
        """Nobody knows what the month was."""
        removable.folder.rename(removable.folder.with_name("elsewhere"))
        execute("DROP TABLE rounds_bet_2026_11")

        with pytest.raises(BadArchive, match=r"2026-11\.1: found no folder"):
            write(removable.folder.parent, removable.key)

    def test_has_to_have_every_column(self, removable: Archived) -> None:
        """A later release may have added one."""
        execute("ALTER TABLE rounds_bet ADD COLUMN later int")

        with (
            nothing_changes(),
            pytest.raises(MonthNotDetached, match="rounds_bet: found other col"),
        ):
            detach(removable)


def _open_case(bet: Bet) -> None:
    opened("correction", bet.round.reference, at=YEARS_LATER)


def _open_dispute(bet: Bet) -> None:
    disputed(bet.round.reference, bet.customer.pseudonym, at=YEARS_LATER)


def _conflict(bet: Bet) -> None:
    ConflictingDocument.objects.create(
        round=bet.round, digest=b"x" * 32, content=b"{}", received_at=YEARS_LATER, line=1
    )


def _unsettled(bet: Bet) -> None:
    tamper(f"DELETE FROM payouts_settlement WHERE round_id = '{bet.round_id}'")


class TestOpenWork:
    @pytest.mark.parametrize(
        ("begin", "text"),
        [
            (_open_case, "open case about the month: found C-"),
            (_open_dispute, "open dispute about the month: found D-"),
            (_conflict, "conflicting document about the month: found 1"),
            (_unsettled, "round without a settlement about the month: found"),
        ],
    )
    def test_keeps_the_month(
        self, begin: Callable[[Bet], None], text: str, removable: Archived
    ) -> None:
        """What needs a round of the month is named."""
        begin(Bet.objects.select_related("round", "customer")[0])

        with nothing_changes(), pytest.raises(MonthNotDetached, match=text):
            detach(removable)

    def test_of_a_session_that_reads_is_not_disturbed(self, removable: Archived) -> None:
        """After five seconds the command gives up."""
        with (
            reading("SELECT FROM rounds_round LIMIT 1"),
            nothing_changes(),
            pytest.raises(MonthInUse, match="found tables in use"),
        ):
            detach(removable)

    def test_waits_for_a_session_that_reads_for_a_moment(self, removable: Archived) -> None:
        """Its locks are tried for again, and meanwhile given back: others read what they want."""
        tries: list[bool] = []

        def end_reading() -> None:
            with reading("SET lock_timeout = '4s'") as another:
                another.execute("SELECT FROM payouts_transfer LIMIT 1")
                another.execute("SELECT FROM rounds_round LIMIT 1")
            tries.append(True)
            other.rollback()

        with reading("SELECT FROM rounds_round LIMIT 1") as other:
            timer = Timer(1.0, end_reading)
            detached = detach(
                removable, progress=lambda step: timer.start() if step == "detaching" else None
            )
        timer.join()

        assert detached.parts == parts()
        assert tries == [True]


def _may_read(role: str, table: str) -> bool:
    with connection.cursor() as cursor:
        cursor.execute("SELECT has_table_privilege(%s, %s, 'SELECT')", [role, table])
        return bool(cursor.fetchone()[0])
