"""Bringing a month back into the database, from the files of its archive.

Nothing is believed of the files but what the recorded and signed list states: the digest of each
table is computed over the rows in the database, and compared. All of it is one transaction. Rows
are loaded into tables apart, so no trigger runs for them; these become the month's partitions at
the end.
"""

from collections.abc import Collection, Iterator
from datetime import datetime
from pathlib import Path
from typing import Final, NamedTuple

import psycopg
from django.db import connection
from django.db.utils import IntegrityError, ProgrammingError

from compliance.archive.archive_list import ArchiveList
from compliance.archive.archived_tables import ArchivedTable
from compliance.archive.moved_months.load_rows import BadRows, RowSource
from compliance.archive.moved_months.months_apart import (
    Progress,
    detached_digests,
    entries_of,
    month_entry,
    month_tables,
    moving_months,
    with_short_locks,
)
from compliance.archive.moved_months.referred_rows import differing_rows
from compliance.archive.parquet import open_duckdb
from compliance.archive.recorded_archives import RecordedArchive, require_archive
from compliance.archive.verify_archive import verify_archive
from compliance.storage.database_roles.compare import grant_differences
from compliance.storage.month_tables import (
    PartState,
    attach_part,
    lock_part,
    make_part,
    part_name,
    part_state,
)
from compliance.storage.partitions import Month
from compliance.storage.schema_objects.compare import Difference, schema_object_differences
from compliance.trail.actor import Actor
from compliance.trail.record import record_entries
from payouts.carried_forward.detached_months import MOVE_MONTHS, RESTORED

_MOST: Final = 20
_OF_A_DETACHED_TABLE: Final = (IntegrityError, ProgrammingError, psycopg.ProgrammingError)
"""What a table raises that has other columns, or rows of another month."""


class MonthNotRestored(Exception):
    """The month cannot be restored. Nothing was changed. The text has a line for each reason."""


class RestoredMonth(NamedTuple):
    """A month that was restored."""

    archive: ArchiveList
    tables: list[str]
    """Those that got the month back."""
    rows: int


def restore_month(
    month: Month,
    recorded: RecordedArchive,
    *,
    folder: Path,
    keys: Collection[str],
    at: datetime,
    actor: Actor,
    progress: Progress = lambda _step: None,
) -> RestoredMonth:
    """Restores every partition of the month that is missing, or none.

    Not callable inside a transaction. A partition that was detached and is still there is
    attached, once its rows are compared. ``folder`` is that of all archives, ``keys`` are the
    SHA-256 of the operator's certificates. Raises MonthNotRestored, BadArchive, NotOwner and
    MonthInUse.
    """
    with moving_months():
        progress(f"verifying {recorded.name}")
        archive = verify_archive(recorded.folder(folder), recorded, keys)
        _require_that_of_detaching(month, recorded, archive)
        absent = _absent_tables(month, archive)
        before = set(_schema_differences())
        try:
            with open_duckdb() as duck:
                source = RowSource(duck, recorded.folder(folder))
                _require_referred_rows(archive, source, progress)
                _load(month, archive, source, absent, progress)
            with_short_locks(lambda: _attach(absent, month))
        except (BadRows, *_OF_A_DETACHED_TABLE) as error:
            raise MonthNotRestored(str(error).strip()) from None
        if differences := [it for it in _schema_differences() if it not in before]:
            raise MonthNotRestored("\n".join(map(str, differences[:_MOST])))
        names = [table.name for table in absent]
        record = month_entry(RESTORED, archive, names)
        record_entries([record], at=at, actor=actor)
    return RestoredMonth(archive, names, record.details["rows"])


def _require_that_of_detaching(
    month: Month, recorded: RecordedArchive, archive: ArchiveList
) -> None:
    """Raises MonthNotRestored for an archive from before something that the month had at the end.

    An earlier archive lacks what was decided later. It counts if ``detach_month`` has recorded the
    same rows; without such a record, the latest one alone does.
    """
    detached = detached_digests(month)
    entries = entries_of(archive)
    for name, needed in detached.items():
        found = entries[name].copy_sha256 if name in entries else "no such table"
        if found != needed:
            raise MonthNotRestored(
                f"{recorded.name}, {name}: found {found}; needed {needed}, as it was detached"
            )
    latest = require_archive(month)
    if not detached and recorded.number != latest.number:
        raise MonthNotRestored(
            f"archive: found {recorded.name}; needed {latest.name}, the latest, because no record"
            " of detach_month says what the month was"
        )


def _absent_tables(month: Month, archive: ArchiveList) -> list[ArchivedTable]:
    """The tables without the month. Raises MonthNotRestored if there is none."""
    entries = entries_of(archive)
    absent = []
    for table in month_tables():
        state, name = part_state(table.name, month), part_name(table.name, month)
        if state == PartState.OTHER:
            raise MonthNotRestored(f"{name}: found something else; needed a table, or nothing")
        if state == PartState.ATTACHED:
            continue
        if table.name not in entries:
            raise MonthNotRestored(f"{table.name}: found no such table in the archive; needed it")
        absent.append(table)
    if not absent:
        raise MonthNotRestored(
            f"month {month}: found every table with its partition; needed a missing one"
        )
    return absent


def _require_referred_rows(archive: ArchiveList, source: RowSource, progress: Progress) -> None:
    progress("comparing the rows that the month refers to")
    if differences := list(differing_rows(archive, source)):
        raise MonthNotRestored("\n".join(differences))


def _load(
    month: Month,
    archive: ArchiveList,
    source: RowSource,
    absent: list[ArchivedTable],
    progress: Progress,
) -> None:
    """The month of each table apart, with the rows of the archive. Raises BadRows."""
    entries = entries_of(archive)
    for table in absent:
        entry, name = entries[table.name], part_name(table.name, month)
        if part_state(table.name, month) == PartState.MISSING:
            progress(f"loading {name}: {entry.rows:,} rows")
            make_part(table.name, month)
            source.load(entry, name)
        else:
            lock_part(table.name, month)
        progress(f"comparing {name}")
        source.require_digest(entry, table._replace(name=name))


def _attach(tables: list[ArchivedTable], month: Month) -> None:
    with connection.cursor() as cursor:
        cursor.execute(MOVE_MONTHS)
    for table in tables:
        attach_part(table.name, table.month_column, month)


def _schema_differences() -> Iterator[Difference]:
    yield from schema_object_differences()
    yield from grant_differences()
