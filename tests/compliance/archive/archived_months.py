"""A month of all games with every kind of decision, closed and archived, for tests."""

import shutil
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Final, NamedTuple

from compliance.archive.archive_list import LIST_NAME, SIGNATURE_NAME, ArchiveList
from compliance.archive.recorded_archives import RecordedArchive, archive_entry, require_archive
from compliance.archive.write_archive import write_archive
from compliance.exports.bundle.signing import SigningKey, read_signing_key
from compliance.storage.partitions import Month
from compliance.trail.actor import Actor
from compliance.trail.log.append_to_log import append_to_log
from compliance.trail.record import record_entry
from tests.compliance.exports.day_closings import LOG_KEY
from tests.compliance.exports.exported_days import key_in
from tests.compliance.retention.closed_days import closed
from tests.conftest import NewTemplate
from tests.payouts.reconciliation.five_games import play
from tests.servers import FOLDER

MONTH: Final = Month(2026, 11)
LATER: Final = datetime(2026, 12, 5, tzinfo=UTC)
CLERK: Final = Actor("archive_month")


class Archived(NamedTuple):
    """The archive of the month, and what it is verified with."""

    folder: Path
    archive: ArchiveList
    recorded: RecordedArchive
    key: SigningKey

    @property
    def keys(self) -> frozenset[str]:
        """The digests of the operator's certificates."""
        return frozenset({self.key.key_id})


def play_the_month(rounds: int = 40) -> None:
    """Simulated rounds with decisions, logged; every day of the month is closed."""
    play(rounds, seed="archive")
    append_to_log(LOG_KEY, now=LATER)
    closed(date(2026, 12, 1))
    append_to_log(LOG_KEY, now=LATER)


def write(folder: Path, key: SigningKey, month: Month = MONTH, at: datetime = LATER) -> ArchiveList:
    """Writes the archive of the month from the database of the test."""
    return write_archive(
        month,
        folder=folder,
        key=key,
        database="default",
        operator="Casino di prova",
        at=at,
        actor=CLERK,
    ).archive


def archived_in(folder: Path) -> Archived:
    """The month, archived below a folder that also gets the key."""
    key = key_in(folder)
    archive = write(folder / "archive", key)
    recorded = require_archive(MONTH)
    return Archived(recorded.folder(folder / "archive"), archive, recorded, key)


def written_once(new_template: NewTemplate, template: str, *, name: str = "archived") -> Path:
    """A folder with the key and the archive of a template's month, written once in a run.

    Of archives that are written otherwise each has a name of its own.
    """
    folder = FOLDER / f"{template}_{name}"

    def write_files() -> None:
        folder.mkdir()
        archived_in(folder)

    new_template(folder.name, write_files, template=template)
    return folder


def copied_from(written: Path, folder: Path, *, is_recorded: bool = False) -> Archived:
    """A copy of what was written, below a folder; recorded, unless the database says so already."""
    shutil.copytree(written, folder, dirs_exist_ok=True)
    files = folder / "archive" / f"{MONTH}.1"
    content, signature = ((files / name).read_bytes() for name in (LIST_NAME, SIGNATURE_NAME))
    archive = ArchiveList.from_bytes(content)
    if not is_recorded:
        record_entry(archive_entry(archive, content, signature), at=LATER, actor=CLERK)
    return Archived(files, archive, require_archive(MONTH), read_signing_key(folder / "export.key"))
