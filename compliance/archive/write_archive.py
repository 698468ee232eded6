"""Writing the archive of a month.

All rows are read from one snapshot. The files are written to a folder of another name, which gets
its own name when everything in it is on disk; then the archive is recorded. A process that dies
leaves a folder that no record names, which counts for nothing.
"""

import hashlib
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from itertools import chain
from pathlib import Path
from typing import Any, Final, NamedTuple

import duckdb
import psycopg
from django.db import connection, connections, transaction

from compliance.archive.archive_list import (
    FORMAT,
    LIST_NAME,
    SIGNATURE_NAME,
    ArchivedFile,
    ArchiveList,
    Column,
    TableEntry,
)
from compliance.archive.archived_tables import (
    ArchivedTable,
    archived_tables,
    month_slices,
)
from compliance.archive.copied_rows import (
    COPY_SETTINGS,
    copied_blocks,
    copy_statement,
    fetch_from,
    stored_columns,
)
from compliance.archive.log_hashes import hashes_around
from compliance.archive.moved_months.months_apart import entries_of, is_detached, month_tables
from compliance.archive.parquet import contents_of, open_duckdb, sync, write_parquet
from compliance.archive.recorded_archives import (
    WHERE_RECORDERS_INSERT,
    archive_entry,
    latest_archive,
    recorded_archives,
)
from compliance.archive.verify_archive import recorded_list
from compliance.exports.bundle.signing import SigningKey
from compliance.exports.bundle.software import software
from compliance.retention.retention_periods import why_not_closed
from compliance.storage.advisory_locks import session_lock
from compliance.storage.database_roles.role import DatabaseRole, role_name
from compliance.storage.partitions import Month
from compliance.trail.actor import Actor
from compliance.trail.key_ranges import KeyRange, month_keys
from compliance.trail.log.stored_heads import signed_head_of
from compliance.trail.models import TreeHead
from compliance.trail.record import record_entries
from payouts.reconciliation.carried_sums import sums_of_month
from rounds.gaming_day import gaming_day
from rounds.row_mapping import milliseconds_of

UNFINISHED: Final = ".unfinished"
_MAY_RECORD: Final = "SELECT has_table_privilege(%s, 'INSERT'), current_user"
_SNAPSHOT: Final = "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY"

Progress = Callable[[str], None]
"""Is told of each table when it is written."""


class MonthNotClosed(Exception):
    """The month is not over, a day of it is not closed, or rows of it are not in the database.

    No archive was written.
    """


class NotExporter(Exception):
    """The role of this process may not record an archive; nothing was written."""


class ArchiveInProgress(Exception):
    """Another process writes an archive; nothing was written."""


class WrittenArchive(NamedTuple):
    """An archive that was written, and its folder."""

    archive: ArchiveList
    folder: Path


def write_archive(
    month: Month,
    *,
    folder: Path,
    key: SigningKey,
    database: str,
    operator: str,
    at: datetime,
    actor: Actor,
    progress: Progress = lambda _table: None,
) -> WrittenArchive:
    """Writes the month below ``folder`` and records it. Not callable inside a transaction.

    ``database`` is the alias to read from. Nothing is removed, neither rows nor earlier archives
    of the month. Raises NotExporter, MonthNotClosed, NotInLogYet, ArchiveInProgress, and BadArchive
    for an earlier archive that is needed to know whether rows are missing.
    """
    _require_exporter()
    require_closed(month, at=at)
    with session_lock("write archive") as is_ours:
        if not is_ours:
            raise ArchiveInProgress("found another archive being written; needed none")
        work = _new_work_folder(folder)
        number = _next_number(month, folder)
        with open_duckdb(work) as duck, _snapshot(database) as view:
            writer = _Writer(view, duck, work)
            slices = month_slices(month, database=database)
            tables = []
            for table in archived_tables():
                tables.append(writer.write(table, slices[table.slices]))
                progress(table.name)
            head = _latest_head(database)
            hashes = None if head is None else hashes_around(view, month, head["size"])
            carried = sums_of_month(month_keys(month), fetch_from(view))
        _require_no_empty_table(month, tables, folder)
        archive = ArchiveList(
            format=FORMAT,
            operator=operator,
            month=str(month),
            number=number,
            written_at=at.isoformat(),
            software=software()._asdict(),
            key_id=key.key_id,
            log_head=head,
            log_hashes=hashes,
            carried_sha256=carried.sha256,
            tables=tables,
        )
        content, signature = _sign(archive, work, key)
        finished = folder / archive.name
        work.rename(finished)
        sync(folder)
        with transaction.atomic():
            record_entries([archive_entry(archive, content, signature)], at=at, actor=actor)
        return WrittenArchive(archive, finished)


def _require_exporter() -> None:
    with connection.cursor() as cursor:
        cursor.execute(_MAY_RECORD, [WHERE_RECORDERS_INSERT])
        [may, role] = cursor.fetchone()
    if not may:
        needed = role_name(DatabaseRole.EXPORTER)
        raise NotExporter(f"role: found {role}; needed {needed}, which records archives")


def require_closed(month: Month, *, at: datetime) -> None:
    """Raises MonthNotClosed unless the month is over, closed, and in the database."""
    if is_detached(month):
        raise MonthNotClosed(f"month {month}: found it detached; needed restore_month first")
    end = month.plus(1)
    if (at.year, at.month) < end:
        raise MonthNotClosed(f"month {month}: found it not over; needed one before {end}")
    last_day = gaming_day(milliseconds_of(datetime(*end, 1, tzinfo=at.tzinfo)) - 1)
    if reason := why_not_closed(last_day):
        raise MonthNotClosed(
            f"month {month}: found {reason}; needed every day closed until {last_day}, which"
            " begins in the month in UTC"
        )


def _require_no_empty_table(month: Month, tables: Sequence[TableEntry], folder: Path) -> None:
    """Raises MonthNotClosed for a table whose month has left the database in some other way."""
    monthly = {table.name for table in month_tables()}
    empty = [table.name for table in tables if table.name in monthly and not table.rows]
    for recorded in recorded_archives(month) if empty else []:
        earlier = entries_of(recorded_list(recorded.folder(folder), recorded))
        for name in empty:
            if name in earlier and earlier[name].rows:
                raise MonthNotClosed(
                    f"{name}: found no row of {month}; needed those of {recorded.name}: attach the"
                    " month, or restore_month, first"
                )


@contextmanager
def _snapshot(database: str) -> "Iterator[psycopg.Connection[Any]]":
    source = connections[database]
    with transaction.atomic(using=database, durable=True):
        with source.cursor() as cursor:
            cursor.execute(_SNAPSHOT)
            cursor.execute(COPY_SETTINGS)
        yield source.connection


class _Writer:
    """Writes tables of one snapshot to files in a folder."""

    def __init__(
        self,
        view: "psycopg.Connection[Any]",
        duck: duckdb.DuckDBPyConnection,
        folder: Path,
    ) -> None:
        self._view, self._duck, self._folder = view, duck, folder

    def write(self, table: ArchivedTable, slices: Sequence[KeyRange]) -> TableEntry:
        """Writes one table, a file for each slice that has rows."""
        columns = stored_columns(self._view, table.name)
        copied = hashlib.sha256()
        files = [
            file
            for number, keys in enumerate(slices, start=1)
            if (file := self._write_slice(table, columns, number, keys, copied))
        ]
        rows = sum([file.rows for file in files])
        return TableEntry(table.name, list(table.key), columns, rows, copied.hexdigest(), files)

    def _write_slice(
        self,
        table: ArchivedTable,
        columns: Sequence[Column],
        number: int,
        keys: KeyRange,
        copied: "hashlib._Hash",
    ) -> ArchivedFile | None:
        path = self._folder / f"{table.name}-{number:05}.parquet"
        blocks = self._copied(table, columns, keys)
        first = next(blocks, None)
        if first is None:
            return None
        write_parquet(self._duck, path, columns, _hashed(first, blocks, copied))
        contents = contents_of(self._duck, path, table.key[0], columns)
        with path.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
        return ArchivedFile(path.name, path.stat().st_size, digest, number, *contents)

    def _copied(
        self, table: ArchivedTable, columns: Sequence[Column], keys: KeyRange
    ) -> Iterator[bytes]:
        return copied_blocks(self._view, copy_statement(table, columns, table.condition(keys)))


def _hashed(first: bytes, blocks: Iterator[bytes], digest: "hashlib._Hash") -> Iterator[bytes]:
    for block in chain([first], blocks):
        digest.update(block)
        yield block


def _latest_head(database: str) -> Mapping[str, Any] | None:
    stored = TreeHead.objects.using(database).order_by("-sequence").first()
    if stored is None:
        return None
    signed = signed_head_of(stored)
    return signed.head.as_json(signed.signature)


def _new_work_folder(folder: Path) -> Path:
    """An empty folder below ``folder``; what a killed process left is removed."""
    work = folder / UNFINISHED
    folder.mkdir(mode=0o750, parents=True, exist_ok=True)
    if work.exists():
        shutil.rmtree(work)
    work.mkdir(mode=0o750)
    return work


def _next_number(month: Month, folder: Path) -> int:
    """The number after those of every archive of the month.

    Also after one that a killed process did not record, or that a restored database has lost.
    """
    latest = latest_archive(month)
    numbers = [0 if latest is None else latest.number]
    for path in folder.glob(f"{month}.*"):
        numbers += [int(number) for number in [path.suffix[1:]] if number.isdecimal()]
    return max(numbers) + 1


def _sign(archive: ArchiveList, folder: Path, key: SigningKey) -> tuple[bytes, bytes]:
    """Writes the list and its signature to disk; returns both."""
    content = archive.to_bytes()
    signature = key.sign(content)
    for name, written in ((LIST_NAME, content), (SIGNATURE_NAME, signature)):
        (folder / name).write_bytes(written)
        sync(folder / name)
    sync(folder)
    return content, signature
