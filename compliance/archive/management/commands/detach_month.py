"""``manage.py detach_month MONTH``: takes an archived month out of the database."""

from argparse import ArgumentParser
from getpass import getuser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, no_translations
from django.utils import timezone

from compliance.archive.management.arguments import month_argument
from compliance.archive.moved_months.detach_month import MonthNotDetached, detach_month
from compliance.archive.moved_months.months_apart import MonthInUse
from compliance.archive.recorded_archives import ArchiveMissing
from compliance.archive.verify_archive import BadArchive
from compliance.exports.bundle.signing import certificate_digests
from compliance.storage.month_tables import NotOwner
from compliance.storage.partitions import Month
from compliance.trail.actor import Actor


class Command(BaseCommand):
    """Removes no rows: the partitions stay as tables of their own."""

    help = (
        "Detaches the partitions of a month (UTC) of all tables of rounds and their money, once"
        " retention permits it and the latest archive is as recorded and has exactly the rows of"
        " the database, and a reconciliation of everything has found no difference since. The audit"
        " log stays. What the month adds to balances and days is carried forward. It needs the role"
        " that owns the tables."
    )
    requires_system_checks: list[str] = []  # they load all pages

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("month", metavar="MONTH", type=month_argument, help="as 2019-11")

    @no_translations
    def handle(self, *, month: Month, **_options: Any) -> None:
        try:
            detached = detach_month(
                month,
                folder=Path(settings.ARCHIVE_FOLDER),
                keys=certificate_digests(Path(settings.EXPORT_KEY)),
                at=timezone.now(),
                actor=Actor(f"detach_month ({getuser()})"),
                progress=self.stderr.write,
            )
        except (ArchiveMissing, BadArchive, MonthNotDetached, NotOwner, MonthInUse) as error:
            raise CommandError(str(error)) from None
        self.stdout.write(
            f"{month}: detached, as in {detached.archive.name}: {detached.rows:,} rows. No process"
            " but the owner's reads these tables now; drop them once copies of the archive are"
            f" in other places: {', '.join(detached.parts)}"
        )
