"""``manage.py archive_query``: a SELECT on the tables of the archive."""

import csv
from argparse import ArgumentParser
from getpass import getuser
from pathlib import Path
from typing import Any, Final

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, no_translations
from django.utils import timezone

from compliance.archive.management.arguments import month_argument
from compliance.archive.query import QueryError, query_archive
from compliance.archive.recorded_archives import latest_archives
from compliance.archive.verify_archive import BadArchive
from compliance.exports.bundle.signing import certificate_digests
from compliance.trail.actor import Actor

_MOST_ROWS: Final = 100_000


class Command(BaseCommand):
    """Prints the rows as CSV."""

    help = (
        "Runs a single SELECT (DuckDB's SQL) on the tables of archived months, and prints its rows"
        " as CSV, at most 100,000. The query is recorded with the account of the host. It reads"
        " the archive alone: no other file, no network, no database."
    )
    requires_system_checks: list[str] = []  # they load all pages

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("sql", metavar="SELECT", help="as: SELECT count(*) FROM rounds_bet")
        parser.add_argument(
            "--from",
            dest="first",
            type=month_argument,
            metavar="MONTH",
            help="the first month, as 2026-10; the first that is archived by default",
        )
        parser.add_argument(
            "--to",
            dest="last",
            type=month_argument,
            metavar="MONTH",
            help="the last month; the last that is archived by default",
        )

    @no_translations
    def handle(self, *, sql: str, **options: Any) -> None:
        archives = latest_archives(options["first"], options["last"])
        try:
            result = query_archive(
                sql,
                archives=archives,
                folder=Path(settings.ARCHIVE_FOLDER),
                keys=certificate_digests(Path(settings.EXPORT_KEY)),
                most_rows=_MOST_ROWS,
                at=timezone.now(),
                actor=Actor(f"archive_query ({getuser()})"),
            )
        except (QueryError, BadArchive) as error:
            raise CommandError(str(error)) from None
        writer = csv.writer(self.stdout, delimiter=";", lineterminator="\n")
        writer.writerow(result.columns)
        writer.writerows(result.rows)
        if not result.is_whole:
            self.stderr.write(f"found more than {_MOST_ROWS:,} rows; needed a smaller query")
