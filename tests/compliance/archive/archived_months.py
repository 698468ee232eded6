"""A month of all games with every kind of decision, closed and archived, for tests."""

from datetime import UTC, date, datetime
from pathlib import Path
from typing import Final, NamedTuple

from compliance.archive.archive_list import ArchiveList
from compliance.archive.recorded_archives import RecordedArchive, require_archive
from compliance.archive.write_archive import write_archive
from compliance.exports.bundle.signing import SigningKey
from compliance.storage.partitions import Month
from compliance.trail.actor import Actor
from compliance.trail.log.append_to_log import append_to_log
from tests.compliance.exports.day_closings import LOG_KEY
from tests.compliance.exports.exported_days import key_in
from tests.compliance.retention.closed_days import closed
from tests.payouts.reconciliation.five_games import play

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
