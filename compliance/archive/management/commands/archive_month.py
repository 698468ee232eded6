"""``manage.py archive_month MONTH``: a closed month as signed Parquet files."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any, Final

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, no_translations
from django.utils import timezone

from compliance.archive.log_hashes import NotInLogYet
from compliance.archive.management.arguments import month_argument
from compliance.archive.object_storage.bucket import BadBucketSetting, Bucket, BucketFailed
from compliance.archive.object_storage.upload_archive import OtherObjects, upload_archive
from compliance.archive.recorded_archives import require_archive
from compliance.archive.verify_archive import BadArchive
from compliance.archive.write_archive import (
    ArchiveInProgress,
    MonthNotClosed,
    NotExporter,
    write_archive,
)
from compliance.exports.bundle.signing import MissingSigningKey, read_signing_key
from compliance.storage.partitions import Month
from compliance.storage.replica import committed_position, report_database
from compliance.trail.actor import Actor

_REFUSALS: Final = (
    MissingSigningKey,
    NotExporter,
    MonthNotClosed,
    NotInLogYet,
    ArchiveInProgress,
    BadArchive,
    BadBucketSetting,
)


class Command(BaseCommand):
    """Reads from the replica, if configured. Removes nothing."""

    help = (
        "Writes all rows of a month (UTC) to signed Parquet files below SABOT_ARCHIVE, and records"
        " the archive; then uploads it to ARCHIVE_BUCKET, if that is set. The month must be over"
        " and its gaming days closed. Nothing is removed from the database. SABOT_EXPORT_KEY is"
        " the path of the key (manage.py make_export_key)."
    )
    requires_system_checks: list[str] = []  # they load all pages

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("month", metavar="MONTH", type=month_argument, help="as 2026-11")

    @no_translations
    def handle(self, *, month: Month, verbosity: int, **_options: Any) -> None:
        def progress(table: str) -> None:
            if verbosity > 1:
                self.stderr.write(f"written: {table}")

        try:
            bucket = Bucket.of_settings() if settings.ARCHIVE_BUCKET else None
            written = write_archive(
                month,
                folder=Path(settings.ARCHIVE_FOLDER),
                key=read_signing_key(Path(settings.EXPORT_KEY)),
                database=report_database(holding=committed_position()),
                operator=settings.OPERATOR_NAME,
                at=timezone.now(),
                actor=Actor("archive_month"),
                progress=progress,
            )
        except _REFUSALS as error:
            raise CommandError(str(error)) from None
        files = list(written.archive.files)
        size = sum([file.bytes for file in files])
        rows = sum([file.rows for file in files])
        self.stdout.write(
            f"{month}: {rows:,} rows in {len(files):,} files, {size:,} bytes: {written.folder}"
        )
        if bucket is not None:
            self._upload(bucket, month, written.archive.number)

    def _upload(self, bucket: Bucket, month: Month, number: int) -> None:
        recorded = require_archive(month, number)
        try:
            uploaded = upload_archive(
                bucket, recorded, folder=Path(settings.ARCHIVE_FOLDER), now=timezone.now
            )
        except (BadArchive, BucketFailed, OtherObjects) as error:
            raise CommandError(
                f"{recorded.name}: written and recorded, and not in the bucket: run upload_archive"
                f" {recorded.name}\n{error}"
            ) from None
        self.stdout.write(f"{recorded.name}: in the bucket: {uploaded.objects:,} objects")
