"""A month that may leave the database: old, closed, without open work, and archived; for tests."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, date, datetime
from typing import Any, Final

from django.db import connection, transaction
from django.db.models import QuerySet
from django.utils import translation

from compliance.archive.copied_rows import COPY_SETTINGS, copy_sha256
from compliance.archive.moved_months.detach_month import DetachedMonth, detach_month
from compliance.archive.moved_months.months_apart import month_tables, round_tables
from compliance.archive.moved_months.restore_month import RestoredMonth, restore_month
from compliance.archive.recorded_archives import require_archive
from compliance.storage.month_tables import part_name
from compliance.trail.actor import Actor
from compliance.trail.extra_checks import run_extra_checks
from compliance.trail.key_ranges import month_keys
from compliance.trail.log.append_to_log import append_to_log
from compliance.trail.log.verify_log import verify_trail
from compliance.trail.models import AuditRecord
from payouts.carried_forward.detached_months import DETACHED, RESTORED
from payouts.gaming_days.close_empty_days import close_empty_days
from payouts.reconciliation.checks.messages import difference_message
from payouts.reconciliation.models import ReconcileDifference
from payouts.reconciliation.reconcile import (
    EVERYTHING,
    begin_reconciliation,
    finish_reconciliation,
    work_on_part,
)
from payouts.settlement.queries import RoundStatus, rounds_with_status
from rounds.models import Round
from tests.compliance.archive.archived_months import MONTH, Archived
from tests.compliance.exports.day_closings import LOG_KEY
from tests.payouts.gaming_days.day_scenarios import close, reconcile_at
from tests.payouts.reconciliation.five_games import play
from tests.payouts.settlement.resettlement_scenarios import void
from tests.signers import give_accounts

YEARS_LATER: Final = datetime(2032, 1, 2, tzinfo=UTC)
DAY: Final = date(2026, 11, 21)
_NEW_YEAR: Final = datetime(2027, 1, 5, tzinfo=UTC)
OWNER: Final = Actor("owner")
_RELATIONS: Final = r"""
    WITH tables AS (
        SELECT oid, relname FROM pg_class
         WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')
    )
    SELECT relname, 'table', pg_get_partkeydef(oid), pg_get_expr(relpartbound, oid),
           relowner::regrole::text,
           coalesce(relacl, acldefault('r', relowner))::text
      FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')
     UNION ALL
    SELECT relname, 'column', attname, format_type(atttypid, atttypmod),
           concat(attnotnull, attstorage, attidentity, attgenerated),
           pg_get_expr(adbin, adrelid)
      FROM tables JOIN pg_attribute ON attrelid = oid AND attnum > 0 AND NOT attisdropped
      LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
     UNION ALL
    SELECT relname, 'index', regexp_replace(pg_get_indexdef(indexrelid), 'INDEX \S+ ON', ''),
           indisvalid::text, indisprimary::text,
           (SELECT inhparent::regclass::text FROM pg_inherits WHERE inhrelid = indexrelid)
      FROM tables JOIN pg_index ON indrelid = tables.oid
     UNION ALL
    SELECT relname, 'trigger', tgname, pg_get_triggerdef(pg_trigger.oid), tgenabled::text,
           (tgparentid <> 0)::text
      FROM tables JOIN pg_trigger ON tgrelid = tables.oid AND NOT tgisinternal
     UNION ALL
    SELECT relname, 'constraint', pg_get_constraintdef(pg_constraint.oid), convalidated::text,
           contype::text, (conparentid <> 0)::text
      FROM tables JOIN pg_constraint ON conrelid = tables.oid
     ORDER BY 1, 2, 3, 4, 5, 6
"""
_CONTENT_TABLES: Final = """
    SELECT relname FROM pg_class
     WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND NOT relispartition
       AND relname NOT IN ('trail_pendingbatch') AND relname !~ '_2026_11$' ORDER BY relname
"""


def play_the_removable_month() -> None:
    """Simulated rounds with decisions, all settled; days are closed to beyond the month, logged.

    The last of the held rounds was still held when its day was closed.
    """
    play(40, seed="archive")
    held = rounds_with_status(Round.objects.all(), RoundStatus.HELD)
    *references, last = held.order_by("id").values_list("reference", flat=True)
    for reference in references:
        void(reference, after=0)
    close(date(2026, 11, 20))
    void(last, after=0)
    for day in (21, 22):
        close(date(2026, 11, day))
    reconcile_at(_NEW_YEAR)
    close_empty_days(at=_NEW_YEAR, actor=Actor("night"))
    give_accounts()
    append_to_log(LOG_KEY, now=YEARS_LATER)


def detach(
    archived: Archived,
    at: datetime = YEARS_LATER,
    progress: Callable[[str], None] = lambda _step: None,
) -> DetachedMonth:
    """Detaches the month."""
    return detach_month(
        MONTH,
        folder=archived.folder.parent,
        keys=archived.keys,
        at=at,
        actor=OWNER,
        progress=progress,
    )


def restore(
    archived: Archived,
    number: int | None = None,
    progress: Callable[[str], None] = lambda _step: None,
) -> RestoredMonth:
    """Restores the month."""
    return restore_month(
        MONTH,
        require_archive(MONTH, number),
        folder=archived.folder.parent,
        keys=archived.keys,
        at=YEARS_LATER,
        actor=OWNER,
        progress=progress,
    )


def findings() -> list[str]:
    """What reconciliation and ``verify_trail`` find, which verifies the schema, too."""
    run = begin_reconciliation(scope=EVERYTHING, at=YEARS_LATER, actor=OWNER)
    while work_on_part(run.pk, now=lambda: YEARS_LATER):
        pass
    assert finish_reconciliation(run.pk, now=lambda: YEARS_LATER)
    differences = ReconcileDifference.objects.filter(part__run=run)
    faults: list[Any] = []
    with transaction.atomic():
        verify_trail(report=faults.append)
        run_extra_checks(faults.append)
    return [*map(str, differences), *map(str, faults)]


def differences_in_words() -> list[str]:
    """What reconciliation finds, in English."""
    findings()
    rows = ReconcileDifference.objects.order_by("id")
    with translation.override("en"):
        return [difference_message(row) for row in rows]


def execute(*statements: str) -> None:
    """Runs statements as the owner of the tables."""
    with connection.cursor() as cursor:
        for statement in statements:
            cursor.execute(statement)


def parts() -> list[str]:
    """The names of the month's partitions that ``detach_month`` detaches."""
    return [part_name(table.name, MONTH) for table in round_tables()]


def drop_parts() -> None:
    """Drops the detached tables."""
    execute(*(f"DROP TABLE {part}" for part in parts()))


def relations() -> list[tuple[Any, ...]]:
    """Every table of the schema with columns, indexes, triggers, constraints, owner and rights."""
    with connection.cursor() as cursor:
        cursor.execute(_RELATIONS)
        rows: list[tuple[Any, ...]] = cursor.fetchall()
    return rows


def digests(archived: Archived) -> dict[str, str]:
    """The digest of each table's rows of the month, as PostgreSQL copies them."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(COPY_SETTINGS)
        return {
            table.name: copy_sha256(
                connection.connection,
                table,
                archived.archive.table(table.name).columns,
                table.condition(month_keys(MONTH)),
            )
            for table in month_tables()
        }


def other_tables() -> dict[str, str]:
    """The content of every table without months: balances, queues, totals, work lists."""
    parted = {table.name for table in month_tables()}
    with connection.cursor() as cursor:
        cursor.execute(_CONTENT_TABLES)
        names = [name for (name,) in cursor.fetchall() if name not in parted]
        contents = {}
        for name in names:
            cursor.execute(
                f"SELECT md5(string_agg(t::text, '|' ORDER BY t::text)) FROM {name} AS t"
            )
            contents[name] = str(cursor.fetchone()[0])
    return contents


@contextmanager
def nothing_changes() -> Iterator[None]:
    """Asserts that the schema is the same afterwards, and that no month was recorded as moved."""
    schema, moved = relations(), _moves().count()
    yield
    assert relations() == schema
    assert _moves().count() == moved


def _moves() -> QuerySet[AuditRecord]:
    return AuditRecord.objects.filter(action__in=[DETACHED, RESTORED])
