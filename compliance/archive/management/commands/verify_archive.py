"""``manage.py verify_archive``: whether archives are those that were recorded."""

from argparse import ArgumentParser
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, no_translations

from compliance.archive.archive_list import ArchiveList
from compliance.archive.management.arguments import NUMBERED, archive_argument
from compliance.archive.object_storage.bucket import BadBucketSetting, Bucket, BucketFailed
from compliance.archive.object_storage.verify_bucket import objects_of_no_archive, verify_stored
from compliance.archive.recorded_archives import RecordedArchive, all_recorded_archives
from compliance.archive.verify_archive import BadArchive, verify_archive
from compliance.archive.verify_sums import verify_sums
from compliance.exports.bundle.signing import certificate_digests

_Named = tuple[Path | None, RecordedArchive]
"""An archive, and where it is if it is not in its folder."""
_Verifier = Callable[[Path | None, RecordedArchive], ArchiveList]


class Command(BaseCommand):
    """Reads the archive and the audit log, and writes nothing."""

    help = (
        "Verifies archives: the operator's signature, the list against its audit record, and of"
        " every file the bytes, digest, columns, rows and keys; then what the month adds to"
        " balances and days. Missing and additional files are faults. Without an argument, all"
        " recorded archives. With --bucket, the objects in ARCHIVE_BUCKET instead, by size and"
        " SHA-256. Exits with 1 if there is a fault."
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
        parser.add_argument(
            "--bucket", action="store_true", help="verify the objects in ARCHIVE_BUCKET"
        )
        parser.add_argument(
            "--read",
            action="store_true",
            help="with --bucket: read all bytes; else the SHA-256 that it states is compared",
        )

    @no_translations
    def handle(
        self,
        *,
        archives: list[_Named],
        bucket: bool,
        read: bool,
        **_options: Any,
    ) -> None:
        if read and not bucket:
            raise CommandError("--read: found no --bucket; needed it")
        named = archives or [(None, it) for it in all_recorded_archives()]
        try:
            verify = _bucket_verifier(named, by_reading=read) if bucket else _folder_verifier()
            faults = self._verify(named, verify)
            others = _others_in_bucket() if bucket and not archives else []
        except (BadBucketSetting, BucketFailed) as error:
            raise CommandError(str(error)) from None
        for line in others:
            self.stdout.write(line)
        if faults:
            raise CommandError(f"{faults} of {len(named)} archives are not as recorded")
        if others:
            raise CommandError(f"{len(others)} objects are of no recorded archive")
        if not named:
            self.stdout.write("no archive is recorded")

    def _verify(self, named: Sequence[_Named], verify: _Verifier) -> int:
        """Prints what is found of each; returns how many are not as recorded."""
        faults = 0
        for folder, recorded in named:
            try:
                archive = verify(folder, recorded)
            except BadArchive as error:
                faults += 1
                for line in str(error).splitlines():
                    self.stdout.write(f"{recorded.name}: {line}")
                continue
            files = list(archive.files)
            rows = sum([file.rows for file in files])
            self.stdout.write(f"{recorded.name}: as recorded: {len(files):,} files, {rows:,} rows")
        return faults


def _archive_argument(text: str) -> _Named:
    path = Path(text)
    is_folder = NUMBERED.fullmatch(path.name) is not None and path.is_dir()
    return (path, archive_argument(path.name)) if is_folder else (None, archive_argument(text))


def _folder_verifier() -> _Verifier:
    keys = certificate_digests(Path(settings.EXPORT_KEY))

    def verify(folder: Path | None, recorded: RecordedArchive) -> ArchiveList:
        folder = folder or recorded.folder(Path(settings.ARCHIVE_FOLDER))
        archive = verify_archive(folder, recorded, keys)
        verify_sums(folder, archive)
        return archive

    return verify


def _bucket_verifier(named: Sequence[_Named], *, by_reading: bool) -> _Verifier:
    if folders := [str(folder) for folder, _recorded in named if folder is not None]:
        raise CommandError(f"--bucket: found {', '.join(folders)}; needed names like 2026-11.1")
    bucket = Bucket.of_settings()
    return lambda _folder, recorded: verify_stored(bucket, recorded, by_reading=by_reading)


def _others_in_bucket() -> list[str]:
    names = {recorded.name for recorded in all_recorded_archives()}
    return objects_of_no_archive(Bucket.of_settings(), names)
