"""``manage.py restore_month MONTH``: a month that left the database, from its archive."""

from argparse import ArgumentParser
from getpass import getuser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, no_translations
from django.utils import timezone

from compliance.archive.management.arguments import month_argument
from compliance.archive.moved_months.months_apart import MonthInUse
from compliance.archive.moved_months.restore_month import MonthNotRestored, restore_month
from compliance.archive.recorded_archives import ArchiveMissing, require_archive
from compliance.archive.verify_archive import BadArchive
from compliance.exports.bundle.signing import certificate_digests
from compliance.storage.month_tables import NotOwner
from compliance.storage.partitions import Month
from compliance.trail.actor import Actor


class Command(BaseCommand):
    """Restores all of it or nothing."""

    help = (
        "Restores every partition of a month (UTC) that the database does not have, from the"
        " latest recorded archive below SABOT_ARCHIVE. The archive is verified, and the rows in the"
        " database are compared with the digests of its signed list, before anybody sees them. It"
        " needs the role that owns the tables."
    )
    requires_system_checks: list[str] = []  # they load all pages

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("month", metavar="MONTH", type=month_argument, help="as 2026-11")
        parser.add_argument(
            "--archive",
            type=int,
            metavar="N",
            help="the number of an earlier archive, if it has the same rows; the latest by default",
        )

    @no_translations
    def handle(self, *, month: Month, archive: int | None, **_options: Any) -> None:
        try:
            restored = restore_month(
                month,
                require_archive(month, archive),
                folder=Path(settings.ARCHIVE_FOLDER),
                keys=certificate_digests(Path(settings.EXPORT_KEY)),
                at=timezone.now(),
                actor=Actor(f"restore_month ({getuser()})"),
                progress=self.stderr.write,
            )
        except (ArchiveMissing, BadArchive, MonthNotRestored, NotOwner, MonthInUse) as error:
            raise CommandError(str(error)) from None
        self.stdout.write(
            f"{month}: restored from {restored.archive.name}: {restored.rows:,} rows in"
            f" {', '.join(restored.tables)}"
        )
