"""Months that are taken out of the database, and brought back: what both have in common."""

import hashlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from time import sleep
from typing import Any, Final

import psycopg
from django.db import connection, transaction
from django.db.utils import OperationalError

from compliance.archive.archive_list import ArchiveList, TableEntry
from compliance.archive.archived_tables import ROUNDS, ArchivedTable, archived_tables
from compliance.archive.copied_rows import COPY_SETTINGS
from compliance.storage.advisory_locks import try_lock_name
from compliance.storage.month_tables import PartState, part_state, require_owner
from compliance.storage.partitions import Month, partitioned_tables
from compliance.trail.record import Entry
from payouts.carried_forward.detached_months import ARCHIVE, detached_months

_LOCK: Final = "months apart"
_IN_USE: Final = (psycopg.errors.LockNotAvailable, psycopg.errors.DeadlockDetected)
_LOCK_TIMEOUT: Final = "SET LOCAL lock_timeout = '5s'"
_SHORT_LOCK_TIMEOUT: Final = "SET LOCAL lock_timeout = '150ms'"
_TRIES: Final = 14
_PAUSE_SECONDS: Final = 0.2

Progress = Callable[[str], None]
"""Is told each step."""


class MonthInUse(Exception):
    """Others use the tables, or move a month as well. Nothing was changed."""


def month_tables() -> list[ArchivedTable]:
    """Every table that is partitioned by month, by name."""
    parted = set(partitioned_tables())
    return [table for table in archived_tables() if table.name in parted]


def round_tables() -> list[ArchivedTable]:
    """Those of rounds and their money: the audit log stays."""
    return [table for table in month_tables() if table.slices == ROUNDS]


def entries_of(archive: ArchiveList) -> Mapping[str, TableEntry]:
    """The tables of an archive by their names."""
    return {entry.name: entry for entry in archive.tables}


@contextmanager
def moving_months() -> Iterator[None]:
    """A transaction of the owner of the tables, alone in it. Raises NotOwner and MonthInUse."""
    for table in month_tables():
        require_owner(table.name)
    try:
        with transaction.atomic(durable=True):
            if not try_lock_name(_LOCK):
                raise MonthInUse("found another month being detached or restored; needed none")
            with connection.cursor() as cursor:
                cursor.execute(COPY_SETTINGS)
                cursor.execute(_LOCK_TIMEOUT)
            yield
    except (OperationalError, psycopg.OperationalError) as error:
        if not isinstance(error.__cause__ or error, _IN_USE):
            raise
        raise MonthInUse(
            f"found tables in use ({str(error).splitlines()[0]}); needed five seconds in which no"
            " long statement reads or changes them: try again"
        ) from None


def with_short_locks(change: Callable[[], None]) -> None:
    """Changes tables that all use, within ``moving_months``; tries again for five seconds.

    Whoever comes after a statement that waits for its lock waits as well, so none waits long, and
    what was locked before it is released.
    """
    for tries_left in reversed(range(_TRIES)):
        try:
            with transaction.atomic(), connection.cursor() as cursor:
                cursor.execute(_SHORT_LOCK_TIMEOUT)
                change()
                return
        except OperationalError as error:
            if not (tries_left and isinstance(error.__cause__, _IN_USE)):
                raise
        sleep(_PAUSE_SECONDS)


def month_entry(action: str, archive: ArchiveList, tables: list[str], **others: str) -> Entry:
    """The audit record of a month that these tables lost, or got back, by an archive."""
    entries = entries_of(archive)
    details = {
        "archive": archive.name,
        "list_sha256": hashlib.sha256(archive.to_bytes()).hexdigest(),
        "rows": sum([entries[name].rows for name in tables]),
        "tables": {name: entries[name].copy_sha256 for name in tables},
        **others,
    }
    return Entry(action, f"{ARCHIVE}{archive.month}", details)


def is_detached(month: Month) -> bool:
    """Whether ``detach_month`` has detached the month, or a table of it is detached by hand."""
    states = {part_state(table.name, month) for table in month_tables()}
    return PartState.DETACHED in states or bool(detached_digests(month))


def detached_digests(month: Month) -> Mapping[str, Any]:
    """The digest of each table that ``detach_month`` detached; none unless it was the latest."""
    return next((it.details["tables"] for it in detached_months() if it.month == month), {})
