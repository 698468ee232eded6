"""``manage.py fetch_archive``: recorded archives from the bucket into the folder."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, no_translations

from compliance.archive.management.arguments import archive_argument
from compliance.archive.object_storage.bucket import BadBucketSetting, Bucket, BucketFailed
from compliance.archive.object_storage.fetch_archive import FetchInProgress, fetch_archive
from compliance.archive.recorded_archives import RecordedArchive, all_recorded_archives
from compliance.archive.verify_archive import BadArchive


class Command(BaseCommand):
    """Writes the folder of the archives alone."""

    help = (
        "Brings archives from ARCHIVE_BUCKET to SABOT_ARCHIVE: list and signature with the SHA-256"
        " of the audit record, each file with that of the list. A fetch that was killed is"
        " continued. Without an argument, all recorded archives. Exits with 1 if one is not there."
    )
    requires_system_checks: list[str] = []  # they load all pages

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "archives",
            nargs="*",
            metavar="ARCHIVE",
            type=archive_argument,
            help="2026-11 for its latest archive, 2026-11.1 for that one",
        )

    @no_translations
    def handle(self, *, archives: list[RecordedArchive], **_options: Any) -> None:
        folder = Path(settings.ARCHIVE_FOLDER)
        named = archives or all_recorded_archives()
        faults = 0
        try:
            bucket = Bucket.of_settings()
            for recorded in named:
                try:
                    fetched = fetch_archive(bucket, recorded, folder=folder)
                except BadArchive as error:
                    faults += 1
                    for line in str(error).splitlines():
                        self.stdout.write(f"{recorded.name}: {line}")
                    continue
                self.stdout.write(
                    f"{recorded.name}: in {recorded.folder(folder)}: {fetched.files:,} files,"
                    f" {fetched.fetched:,} of them new"
                )
        except (BadBucketSetting, BucketFailed, FetchInProgress, OSError) as error:
            raise CommandError(str(error)) from None
        if faults:
            raise CommandError(f"{faults} of {len(named)} archives are not in the folder")
