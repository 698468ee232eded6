"""Taking a month of rounds and their money out of the database, once its archive has all of it.

Nothing is removed: each partition becomes a table of its own that no role but the owner can read.
The audit log stays. What the month adds to balances and days is carried forward, so that
reconciliation finds the books right without its transfers.
"""

from collections.abc import Collection, Iterable, Iterator
from datetime import datetime
from pathlib import Path
from typing import Final, NamedTuple

from django.db import connection
from django.db.models import Exists, OuterRef

from compliance.archive.archive_list import ArchiveList
from compliance.archive.copied_rows import copy_sha256, stored_columns
from compliance.archive.moved_months.months_apart import (
    Progress,
    entries_of,
    month_entry,
    month_tables,
    moving_months,
    round_tables,
    with_short_locks,
)
from compliance.archive.recorded_archives import RecordedArchive, require_archive
from compliance.archive.verify_archive import verify_archive
from compliance.retention.retention_periods import why_retained
from compliance.storage.month_tables import (
    PartState,
    detach_parts,
    lock_part,
    part_name,
    part_state,
)
from compliance.storage.partitions import Month
from compliance.trail.actor import Actor
from compliance.trail.key_ranges import month_keys
from compliance.trail.record import record_entry
from payouts.carried_forward.detached_months import DETACHED, MOVE_MONTHS
from payouts.cases.models import CaseRound
from payouts.cases.status import open_cases
from payouts.disputes.queries import open_disputes
from payouts.reconciliation.carried_sums import carry_forward, left_sha256, sums_of_month
from payouts.reconciliation.models import ReconcileRun
from payouts.reconciliation.reconcile import figures_of
from payouts.settlement.models import Settlement
from rounds.gaming_day import gaming_day
from rounds.models import ConflictingDocument, Round
from rounds.row_mapping import milliseconds_of

_MOST: Final = 5


class MonthNotDetached(Exception):
    """The month must stay in the database. Nothing was changed. A line for each reason."""


class DetachedMonth(NamedTuple):
    """A month that was detached."""

    archive: ArchiveList
    parts: list[str]
    """The tables that its partitions became."""
    rows: int


def detach_month(
    month: Month,
    *,
    folder: Path,
    keys: Collection[str],
    at: datetime,
    actor: Actor,
    progress: Progress = lambda _step: None,
) -> DetachedMonth:
    """Detaches all partitions of the month but those of the audit log.

    Not callable inside a transaction. Retention must permit it, the latest archive must be as
    recorded and have exactly the rows of the database, a reconciliation of everything must have
    found no difference since, and no round of the month may be in work. ``folder`` is that of all
    archives, ``keys`` are the SHA-256 of the operator's certificates. Raises MonthNotDetached,
    ArchiveMissing, BadArchive, NotOwner and MonthInUse.
    """
    tables, keys_of_month = round_tables(), month_keys(month)
    with moving_months():
        if reason := why_retained(month, gaming_day(milliseconds_of(at))):
            raise MonthNotDetached(f"month {month}: found {reason}; needed none of that")
        recorded = require_archive(month)
        _require_reconciled(recorded)
        progress(f"verifying {recorded.name}")
        archive = verify_archive(recorded.folder(folder), recorded, keys)
        _require_attached(month)
        for table in tables:
            lock_part(table.name, month)
        if faults := [*_open_work(month), *_differences(month, archive, progress)]:
            raise MonthNotDetached("\n".join(faults))
        progress("adding up what is carried forward")
        sums = sums_of_month(keys_of_month)
        if sums.sha256 != archive.carried_sha256:
            raise MonthNotDetached(
                f"sums to carry forward: found SHA-256 {sums.sha256}; needed"
                f" {archive.carried_sha256} as in {archive.name}: write another archive"
            )
        names = [table.name for table in tables]
        record = month_entry(
            DETACHED,
            archive,
            names,
            carried_sha256=sums.sha256,
            left_sha256=left_sha256(keys_of_month, is_detached=False),
        )
        carry_forward(sums, record_entry(record, at=at, actor=actor))
        progress("detaching")
        with_short_locks(lambda: _detach(names, month))
    parts = [part_name(name, month) for name in names]
    return DetachedMonth(archive, parts, record.details["rows"])


def _detach(tables: list[str], month: Month) -> None:
    with connection.cursor() as cursor:
        cursor.execute(MOVE_MONTHS)
    detach_parts(tables, month)


def _require_reconciled(archive: RecordedArchive) -> None:
    """The books must be right before a part of them becomes sums."""
    runs = ReconcileRun.objects.filter(first_day=None, last_day=None, round=None)
    latest = (
        runs.filter(started_at__gte=archive.written_at, finished_at__isnull=False)
        .order_by("started_at")
        .last()
    )
    needed = f"needed one of everything, begun after {archive.name} was written, without any"
    if latest is None:
        raise MonthNotDetached(f"reconciliation: found none; {needed} difference")
    if differences := figures_of(latest)["differences"]:
        raise MonthNotDetached(f"reconciliation: found {differences} differences; {needed}")


def _require_attached(month: Month) -> None:
    for table in month_tables():
        if (state := part_state(table.name, month)) != PartState.ATTACHED:
            name = part_name(table.name, month)
            raise MonthNotDetached(f"{name}: found it {state}; needed a partition")


def _differences(month: Month, archive: ArchiveList, progress: Progress) -> Iterator[str]:
    """What the archive does not have as the database does."""
    entries = entries_of(archive)
    session = connection.connection
    for table in month_tables():
        name = part_name(table.name, month)
        progress(f"comparing {name}")
        entry = entries.get(table.name)
        if entry is None or entry.columns != stored_columns(session, table.name):
            yield f"{table.name}: found other columns in {archive.name}; needed those of now"
        elif (
            found := copy_sha256(session, table._replace(name=name), entry.columns)
        ) != entry.copy_sha256:
            yield (
                f"{name}: found rows of SHA-256 {found}; needed {entry.copy_sha256} as in"
                f" {archive.name}: write another archive (archive_month)"
            )


def _open_work(month: Month) -> Iterator[str]:
    """What needs rounds of the month in the database: the first of each kind."""
    keys = month_keys(month)
    about = keys.within("round_id")
    unsettled = Round.objects.filter(
        ~Exists(Settlement.objects.filter(round=OuterRef("pk"))), **keys.within("id")
    )
    cases = CaseRound.objects.filter(**about, case__in=open_cases()).select_related("case")
    conflicts = ConflictingDocument.objects.filter(**about).order_by("pk")
    yield from _named("round without a settlement", unsettled.order_by("id")[:_MOST])
    yield from _named("open case", dict.fromkeys(row.case for row in cases[:_MOST]))
    yield from _named("open dispute", open_disputes().filter(**about).order_by("id")[:_MOST])
    # They refer to their round by a foreign key.
    yield from _named("conflicting document", (row.pk for row in conflicts[:_MOST]))


def _named(what: str, subjects: Iterable[object]) -> Iterator[str]:
    return (f"{what} about the month: found {subject}; needed none" for subject in subjects)
