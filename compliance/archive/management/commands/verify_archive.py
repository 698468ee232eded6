"""``manage.py verify_archive``: whether archives are those that were recorded."""

import re
from argparse import ArgumentParser, ArgumentTypeError
from pathlib import Path
from typing import Any, Final

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, no_translations

from compliance.archive.management.arguments import month_argument
from compliance.archive.recorded_archives import (
    RecordedArchive,
    all_recorded_archives,
    latest_archive,
    recorded_archives,
)
from compliance.archive.verify_archive import BadArchive, verify_archive
from compliance.archive.verify_sums import verify_sums
from compliance.exports.bundle.signing import certificate_digests

_NUMBERED: Final = re.compile(r"(?P<month>[0-9]{4}-[0-9]{2})\.(?P<number>[1-9][0-9]*)")


class Command(BaseCommand):
    """Reads the archive and the audit log, and writes nothing."""

    help = (
        "Verifies archives: the operator's signature, the list against its audit record, and of"
        " every file the bytes, digest, columns, rows and keys; then what the month adds to"
        " balances and days. Missing and additional files are faults. Without an argument, all"
        " recorded archives. Exits with 1 if there is a fault."
    )
    requires_system_checks: list[str] = []  # they load all pages

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "archives",
            nargs="*",
            metavar="MONTH_OR_FOLDER",
            type=_archive_argument,
            help="2026-11 for its latest archive, 2026-11.1 or a path that ends so for that one",
        )

    @no_translations
    def handle(self, *, archives: list[tuple[Path, RecordedArchive]], **_options: Any) -> None:
        root = Path(settings.ARCHIVE_FOLDER)
        named = archives or [(it.folder(root), it) for it in all_recorded_archives()]
        keys = certificate_digests(Path(settings.EXPORT_KEY))
        faults = 0
        for folder, recorded in named:
            try:
                archive = verify_archive(folder, recorded, keys)
                verify_sums(folder, archive)
            except BadArchive as error:
                faults += 1
                for line in str(error).splitlines():
                    self.stdout.write(f"{recorded.name}: {line}")
                continue
            files = list(archive.files)
            rows = sum([file.rows for file in files])
            self.stdout.write(f"{recorded.name}: as recorded: {len(files):,} files, {rows:,} rows")
        if faults:
            raise CommandError(f"{faults} of {len(named)} archives are not as recorded")
        if not named:
            self.stdout.write("no archive is recorded")


def _archive_argument(text: str) -> tuple[Path, RecordedArchive]:
    root = Path(settings.ARCHIVE_FOLDER)
    numbered = _NUMBERED.fullmatch(Path(text).name)
    if numbered is None:
        month = month_argument(text)
        recorded = latest_archive(month)
        if recorded is None:
            raise ArgumentTypeError(f"found no recorded archive of {text}; needed archive_month")
        return recorded.folder(root), recorded
    month = month_argument(numbered["month"])
    same = [it for it in recorded_archives(month) if it.number == int(numbered["number"])]
    if len(same) != 1:
        raise ArgumentTypeError(f"found {len(same)} records of {Path(text).name}; needed one")
    folder = Path(text) if Path(text).is_dir() else root / text
    return folder, same[0]
