"""The archives that the audit log records: what counts as the archive of a month."""

import hashlib
from datetime import datetime
from pathlib import Path
from typing import Final, NamedTuple

from compliance.archive.archive_list import ArchiveList
from compliance.storage.partitions import Month
from compliance.trail.models import AuditRecord
from compliance.trail.queries import records_of
from compliance.trail.record import Entry
from payouts.carried_forward.detached_months import ARCHIVE, WRITTEN

WHERE_RECORDERS_INSERT: Final = "exports_bundle"
"""The table into which the exporter inserts, the only role that may record an archive."""


class ArchiveMissing(Exception):
    """No archive of the month is recorded."""


class RecordedArchive(NamedTuple):
    """An archive as its audit record states it."""

    month: str
    number: int
    list_sha256: str
    signature_sha256: str
    written_at: datetime
    rows: int
    bytes: int
    """Of its Parquet files."""
    key_id: str
    """SHA-256 of the certificate that signs its list."""

    @property
    def name(self) -> str:
        """The name of its folder."""
        return f"{self.month}.{self.number}"

    def folder(self, archives: Path) -> Path:
        """Its folder in the folder of all archives."""
        return archives / self.name


def archive_entry(archive: ArchiveList, content: bytes, signature: bytes) -> Entry:
    """The audit record of an archive that was written."""
    files = list(archive.files)
    details = {
        "number": archive.number,
        "list_sha256": hashlib.sha256(content).hexdigest(),
        "signature_sha256": hashlib.sha256(signature).hexdigest(),
        "files": len(files),
        "bytes": sum([file.bytes for file in files]),
        "rows": sum([file.rows for file in files]),
        "key_id": archive.key_id,
        "carried_sha256": archive.carried_sha256,
    }
    return Entry(WRITTEN, f"{ARCHIVE}{archive.month}", details)


def recorded_archives(month: object) -> list[RecordedArchive]:
    """The archives of a month, in the order in which they were recorded."""
    records = records_of(f"{ARCHIVE}{month}").filter(action=WRITTEN)
    return [_recorded(record) for record in records]


def all_recorded_archives() -> list[RecordedArchive]:
    """Every recorded archive, oldest record first."""
    records = AuditRecord.objects.filter(action=WRITTEN).order_by("id")
    return [_recorded(record) for record in records]


def latest_archives(first: Month | None = None, last: Month | None = None) -> list[RecordedArchive]:
    """The archive that counts of every recorded month of a span, by month."""
    latest: dict[str, RecordedArchive] = {}
    for archive in all_recorded_archives():
        known = latest.get(archive.month)
        if known is None or archive.number > known.number:
            latest[archive.month] = archive
    return [
        archive
        for month, archive in sorted(latest.items())
        if (first is None or month >= str(first)) and (last is None or month <= str(last))
    ]


def latest_archive(month: Month) -> RecordedArchive | None:
    """The archive of a month that counts: the one with the highest number; None without one."""
    archives = recorded_archives(month)
    return max(archives, key=lambda archive: archive.number, default=None)


def require_archive(month: Month, number: int | None = None) -> RecordedArchive:
    """The archive of a month that counts, or the one of a number. Raises ArchiveMissing."""
    if number is None:
        archive = latest_archive(month)
    else:
        archive = next((it for it in recorded_archives(month) if it.number == number), None)
    if archive is None:
        name = f"archive {month}.{number}" if number else "archive"
        raise ArchiveMissing(f"month {month}: found no recorded {name}; needed archive_month first")
    return archive


def _recorded(record: AuditRecord) -> RecordedArchive:
    details = record.details
    return RecordedArchive(
        record.subject.removeprefix(ARCHIVE),
        details["number"],
        details["list_sha256"],
        details["signature_sha256"],
        record.at,
        details["rows"],
        details["bytes"],
        details["key_id"],
    )
