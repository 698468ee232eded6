"""``manage.py upload_archive``: recorded archives into the bucket."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, no_translations
from django.utils import timezone

from compliance.archive.management.arguments import archive_argument
from compliance.archive.object_storage.bucket import BadBucketSetting, Bucket, BucketFailed
from compliance.archive.object_storage.upload_archive import OtherObjects, upload_archive
from compliance.archive.recorded_archives import RecordedArchive, all_recorded_archives
from compliance.archive.verify_archive import BadArchive


class Command(BaseCommand):
    """Replaces and removes nothing, in the bucket as in the folder."""

    help = (
        "Uploads archives below SABOT_ARCHIVE to ARCHIVE_BUCKET, the list of each last. What is"
        " there with the same SHA-256 stays; what differs is named. An upload that was killed is"
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
    def handle(self, *, archives: list[RecordedArchive], verbosity: int, **_options: Any) -> None:
        def progress(path: str) -> None:
            if verbosity > 1:
                self.stderr.write(f"stored: {path}")

        named = archives or all_recorded_archives()
        faults = 0
        try:
            bucket = Bucket.of_settings()
            for recorded in named:
                try:
                    uploaded = upload_archive(
                        bucket,
                        recorded,
                        folder=Path(settings.ARCHIVE_FOLDER),
                        now=timezone.now,
                        progress=progress,
                    )
                except (BadArchive, OtherObjects) as error:
                    faults += 1
                    for line in str(error).splitlines():
                        self.stdout.write(f"{recorded.name}: {line}")
                    continue
                self.stdout.write(
                    f"{recorded.name}: in the bucket: {uploaded.objects:,} objects,"
                    f" {uploaded.stored:,} of them new"
                )
        except (BadBucketSetting, BucketFailed) as error:
            raise CommandError(str(error)) from None
        if faults:
            raise CommandError(f"{faults} of {len(named)} archives are not in the bucket")
