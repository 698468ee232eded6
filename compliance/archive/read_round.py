"""A round of the archive: found by its id, verified, and read in the place of the database's.

Of each table one slice is read, that of the round, after its files were compared with the signed
list. One round is read at a time, by all hosts together.
"""

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Final, NamedTuple
from uuid import UUID

import duckdb
from django.db import transaction

from compliance.archive.archive_list import ArchivedFile, ArchiveList, TableEntry
from compliance.archive.archived_rounds import ArchivedRounds, open_slice, tables_of_rounds
from compliance.archive.judge_slice import JudgedSlice, judge_round
from compliance.archive.parquet import literal, quoted
from compliance.archive.recorded_archives import RecordedArchive, latest_archive
from compliance.archive.verify_archive import BadArchive, read_list
from compliance.storage.advisory_locks import try_lock_name
from compliance.storage.partitions import month_of_key
from compliance.storage.stand_in_tables import StandIn
from compliance.trail.batches import milliseconds_of

READING: Final = "archived round"
"""The name of the lock of the round that is read."""
_MOST_RECORD_FILES: Final = 3
_MOMENTS: Final = """
    SELECT received_at FROM rounds_round
     UNION SELECT validated_at FROM rounds_validation
     UNION SELECT settled_at FROM payouts_settlement
"""
_READER: Final = """
    SELECT t.code, (SELECT count(*) FROM rounds_bet AS bet
                      JOIN rounds_customer AS customer ON customer.id = bet.customer_id
                     WHERE customer.pseudonym = %(pseudonym)s) > 0
      FROM rounds_round AS round JOIN rounds_table AS t ON t.id = round.table_id
"""


class ArchiveBusy(Exception):
    """Another round is being read. Nothing was read."""


class RoundOfArchive(NamedTuple):
    """A round that an archive has, and nothing of any other round."""

    id: UUID
    recorded: RecordedArchive
    archive: ArchiveList
    folder: Path
    rounds: ArchivedRounds

    @property
    def reference(self) -> str:
        """The studio's id."""
        [(reference,)] = self.rounds.fetch("SELECT reference FROM rounds_round")
        return str(reference)

    def judge(self) -> JudgedSlice:
        """Judges it again by its rules; findings are in the active language."""
        return judge_round(self.rounds, self.id)

    def stand_ins(self) -> Iterator[StandIn]:
        """Its rows of all tables of rounds, and those that they refer to."""
        for table in tables_of_rounds():
            yield self._stand_in(self.archive.table(table.name))

    def records(self, subject: str) -> StandIn:
        """The audit records of a subject that were written with the round and its settlements.

        They are looked up in the files of these times, at most three.
        """
        entry = self.archive.table("trail_auditrecord")
        moments = [moment for (moment,) in self.rounds.fetch(_MOMENTS)]
        files = [file for file in entry.files if any(_has(file, moment) for moment in moments)]
        condition = f"subject = {literal(subject)}"
        self.rounds.load(self.folder, entry, files[:_MOST_RECORD_FILES], condition)
        return self._stand_in(entry)

    def seen_by(self, pseudonym: str | None) -> tuple[str, bool]:
        """The code of its table, and whether this customer has a bet in it."""
        [(table, has_bet)] = self.rounds.fetch(_READER, {"pseudonym": pseudonym})
        return table, has_bet

    def _stand_in(self, entry: TableEntry) -> StandIn:
        names = [column.name for column in entry.columns]
        columns = ", ".join(map(quoted, names))
        rows = self.rounds.fetch(f"FROM {quoted(entry.name)} SELECT {columns}")
        return StandIn(entry.name, names, rows)


@contextmanager
def open_round(
    round_id: UUID, *, folder: Path, keys: Collection[str]
) -> Iterator[RoundOfArchive | None]:
    """The round as the archive of its month has it, the latest one; None if that has none.

    ``folder`` has all archives, ``keys`` are the SHA-256 of the operator's certificates. Raises
    BadArchive, also for files that cannot be read, and ArchiveBusy.
    """
    month = month_of_key(round_id)
    recorded = None if month is None else latest_archive(month)
    if recorded is None:
        yield None
        return
    with transaction.atomic():
        if not try_lock_name(READING):
            raise ArchiveBusy("found another round of the archive being read; needed none")
        place = recorded.folder(folder)
        archive = read_list(place, recorded, keys)
        number = _slice_of(archive, round_id)
        if number is None:
            yield None
            return
        try:
            with open_slice(place, archive, number, only=round_id) as rounds:
                is_there = bool(rounds.fetch("SELECT id FROM rounds_round"))
                round_ = RoundOfArchive(round_id, recorded, archive, place, rounds)
                yield round_ if is_there else None
        except duckdb.Error as error:
            raise BadArchive(f"{archive.name}, slice {number}: {error}") from None


def _slice_of(archive: ArchiveList, round_id: UUID) -> int | None:
    """The slice whose keys go from before the round to behind it."""
    files = archive.table("rounds_round").files
    return next(
        (file.slice for file in files if file.first_key <= str(round_id) <= file.last_key), None
    )


def _has(file: ArchivedFile, moment: datetime) -> bool:
    """Whether the file can have a record of this time: keys begin with it."""
    first = milliseconds_of(moment) << 80
    keys = str(UUID(int=first)), str(UUID(int=first + (1 << 80) - 1))
    return file.first_key <= keys[1] and keys[0] <= file.last_key
