"""Verification of the trail: long batches, key ranges, changed rows."""

from datetime import UTC, datetime, timedelta
from typing import Final
from uuid import UUID

import pytest
from django.db import connection

from compliance.trail.actor import Actor
from compliance.trail.batches import record_id
from compliance.trail.key_ranges import ALL_KEYS, KeyRange, trail_ranges
from compliance.trail.models import AuditBatch, AuditRecord
from compliance.trail.record import Entry, record_entries
from compliance.trail.verify_records import Fault, FaultKind, verify_range

pytestmark = pytest.mark.django_db

NOW: Final = datetime(2026, 11, 21, 22, 0, tzinfo=UTC)
CLERK: Final = Actor("Anna Bianchi", 7)
LONG: Final = 4_500


def write(records: int, *, minutes: int = 0) -> UUID:
    """A batch of so many records; gives its id."""
    entries = [Entry("TESTED", f"test:{number}", {"number": number}) for number in range(records)]
    record_entries(entries, at=NOW + timedelta(minutes=minutes), actor=CLERK)
    return AuditBatch.objects.order_by("-id")[0].id


def faults(stretch: KeyRange = ALL_KEYS) -> list[Fault]:
    """What is wrong in a stretch."""
    faults: list[Fault] = []
    verify_range(stretch, report=faults.append)
    return faults


def never(fault: Fault) -> None:
    """For a trail that is right."""
    raise AssertionError(fault)


def tamper(statement: str, *values: UUID | list[UUID]) -> None:
    """Behind the triggers' back."""
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = replica")
        cursor.execute(statement, values)
        assert cursor.rowcount > 0
        cursor.execute("SET LOCAL session_replication_role = DEFAULT")


class TestALongBatch:
    def test_is_right_as_it_was_written(self) -> None:
        """Longer than what is read at once; a batch of one stands beside it."""
        write(LONG)
        write(1)
        read = verify_range(ALL_KEYS, report=never)

        assert read == LONG + 1

    def test_lacks_exactly_the_records_that_were_taken_out(self) -> None:
        """Three in its middle, and its last two."""
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
        """A record of its own making, whose leaf fits."""
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
        """Two records exchanged, each with its leaf: every leaf fits, and the root does not."""
        batch = write(3)
        first, second = batch, record_id(batch, 1)
        for keys, other in ((first, record_id(batch, 9)), (second, first)):
            tamper("UPDATE trail_auditrecord SET id = %s WHERE id = %s", other, keys)
        tamper("UPDATE trail_auditrecord SET id = %s WHERE id = %s", second, record_id(batch, 9))

        [fault] = faults()
        assert (fault.kind, fault.batch, fault.positions) == (FaultKind.ROOT, batch, None)

    def test_names_a_record_that_was_changed(self) -> None:
        """By its position, with the leaf that is stored and the one that it gives."""
        batch = write(LONG)
        changed = record_id(batch, 4000)
        stored = bytes(AuditRecord.objects.get(id=changed).leaf).hex()
        tamper("UPDATE trail_auditrecord SET subject = 'test:other' WHERE id = %s", changed)

        [fault] = faults()
        assert (fault.kind, fault.positions, fault.found) == (FaultKind.LEAF, (4000, 4000), stored)


class TestStretches:
    def test_cover_the_trail_without_a_gap_and_part_no_batch(self) -> None:
        """Twelve batches of five records: each weighs fifteen, two lie in a stretch of thirty."""
        batches = [write(5, minutes=minute) for minute in range(12)]

        ranges = trail_ranges(most=30)

        assert ranges[0].first is None
        assert ranges[-1].end is None
        assert [keys.end for keys in ranges[:-1]] == [keys.first for keys in ranges[1:]]
        assert [keys.first for keys in ranges[1:]] == batches[2::2]
        assert [verify_range(keys, report=never) for keys in ranges] == [10] * 6

    def test_end_at_their_limits(self) -> None:
        """Of twelve batches the third to the fifth; a trail without any is one stretch."""
        assert trail_ranges(most=30) == [ALL_KEYS]
        batches = [write(5, minutes=minute) for minute in range(12)]
        within = KeyRange(batches[2], batches[5])

        ranges = trail_ranges(most=1, within=within)

        assert (ranges[0].first, ranges[-1].end) == within
        assert len(ranges) == 3
        assert sum(verify_range(keys, report=never) for keys in ranges) == 15
