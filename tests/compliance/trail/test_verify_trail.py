"""Verification of the trail: long batches, ranges of keys, changed rows."""

from datetime import UTC, datetime, timedelta
from typing import Final
from uuid import UUID

import pytest

from compliance.trail.actor import Actor
from compliance.trail.batches import record_id
from compliance.trail.key_ranges import ALL_KEYS, KeyRange, trail_ranges
from compliance.trail.models import AuditBatch, AuditRecord
from compliance.trail.record import Entry, record_entries
from compliance.trail.verify_records import Fault, FaultKind, verify_range
from tests.compliance.trail.logs import tamper

pytestmark = pytest.mark.django_db

NOW: Final = datetime(2026, 11, 21, 22, 0, tzinfo=UTC)
CLERK: Final = Actor("Anna Bianchi", 7)
LONG: Final = 4_500


def write(records: int, *, minutes: int = 0) -> UUID:
    """Writes a batch of this many records; returns its id."""
    entries = [Entry("TESTED", f"test:{number}", {"number": number}) for number in range(records)]
    record_entries(entries, at=NOW + timedelta(minutes=minutes), actor=CLERK)
    return AuditBatch.objects.order_by("-id")[0].id


def faults(stretch: KeyRange = ALL_KEYS) -> list[Fault]:
    """The faults of a range."""
    faults: list[Fault] = []
    verify_range(stretch, report=faults.append)
    return faults


def never(fault: Fault) -> None:
    """A callback that must not be called."""
    raise AssertionError(fault)


class TestALongBatch:
    def test_is_valid_as_written(self) -> None:
        """Longer than a single read, with another batch of one record."""
        write(LONG)
        write(1)
        read = verify_range(ALL_KEYS, report=never)

        assert read == LONG + 1

    def test_lacks_exactly_the_records_that_were_taken_out(self) -> None:
        """Three in the middle and the last two."""
        batch = write(LONG)
        removed = [record_id(batch, position) for position in (2100, 2101, 2102, 4498, 4499)]
        tamper("DELETE FROM trail_auditrecord WHERE id = ANY(%s)", removed)

        missing = FaultKind.RECORDS_MISSING
        assert faults() == [
            Fault(missing, batch, (2100, 2102), None, None),
            Fault(missing, batch, (4498, 4499), None, None),
        ]

    def test_lacks_all_of_its_records(self) -> None:
        """Only the batch is left."""
        batch = write(3)
        tamper("DELETE FROM trail_auditrecord WHERE true")

        assert faults() == [Fault(FaultKind.RECORDS_MISSING, batch, (0, 2), None, None)]

    def test_has_a_record_that_was_put_behind_its_last(self) -> None:
        """With a valid leaf."""
        batch = write(3)
        tamper(
            "INSERT INTO trail_auditrecord (id, at, actor, actor_user_id, action, subject, details,"
            " leaf) SELECT %s, at, actor, actor_user_id, action, subject, details, leaf"
            " FROM trail_auditrecord WHERE id = %s",
            record_id(batch, 3),
            batch,
        )

        assert faults() == [Fault(FaultKind.RECORDS_ADDED, batch, (3, 3), None, None)]

    def test_does_not_fit_a_record_that_was_changed_with_its_leaf(self) -> None:
        """Two exchanged records with valid leaves change the root."""
        batch = write(3)
        first, second = batch, record_id(batch, 1)
        for keys, other in ((first, record_id(batch, 9)), (second, first)):
            tamper("UPDATE trail_auditrecord SET id = %s WHERE id = %s", other, keys)
        tamper("UPDATE trail_auditrecord SET id = %s WHERE id = %s", second, record_id(batch, 9))

        [fault] = faults()
        assert (fault.kind, fault.batch, fault.positions) == (FaultKind.ROOT, batch, None)

    def test_names_a_record_that_was_changed(self) -> None:
        """By position, with the stored and the computed leaf."""
        batch = write(LONG)
        changed = record_id(batch, 4000)
        stored = bytes(AuditRecord.objects.get(id=changed).leaf).hex()
        tamper("UPDATE trail_auditrecord SET subject = 'test:other' WHERE id = %s", changed)

        [fault] = faults()
        assert (fault.kind, fault.positions, fault.found) == (FaultKind.LEAF, (4000, 4000), stored)


class TestRanges:
    def test_cover_the_trail_without_splitting_batches(self) -> None:
        """Twelve batches, two per range."""
        batches = [write(5, minutes=minute) for minute in range(12)]

        ranges = trail_ranges(most=30)

        assert ranges[0].first is None
        assert ranges[-1].end is None
        assert [keys.end for keys in ranges[:-1]] == [keys.first for keys in ranges[1:]]
        assert [keys.first for keys in ranges[1:]] == batches[2::2]
        assert [verify_range(keys, report=never) for keys in ranges] == [10] * 6

    def test_end_at_their_limits(self) -> None:
        """Of a part of the trail, and of an empty one."""
        assert trail_ranges(most=30) == [ALL_KEYS]
        batches = [write(5, minutes=minute) for minute in range(12)]
        within = KeyRange(batches[2], batches[5])

        ranges = trail_ranges(most=1, within=within)

        assert (ranges[0].first, ranges[-1].end) == within
        assert len(ranges) == 3
        assert sum(verify_range(keys, report=never) for keys in ranges) == 15
