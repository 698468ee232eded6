"""Batches of audit records: ordered ids, roots that can be recomputed."""

import hashlib
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.db import connection

from compliance.trail.actor import Actor
from compliance.trail.batches import batch_id, batch_of, record_id
from compliance.trail.encoding import leaf_of
from compliance.trail.log.merkle_tree import root_of
from compliance.trail.models import AuditBatch, AuditRecord, PendingBatch
from compliance.trail.record import Entry, record_entries

NOW = datetime(2026, 11, 21, 22, 0, tzinfo=UTC)
CLERK = Actor("Anna\tBianchi \\ Rossi", 7)


def leaves(count: int) -> list[bytes]:
    """Leaf hashes of the numbers from 0, one byte each."""
    return [hashlib.sha256(bytes([0, number])).digest() for number in range(count)]


def tree_hash(hashes: list[bytes]) -> bytes:
    """The tree hash of RFC 9162, section 2.1.1."""
    if len(hashes) == 1:
        return hashes[0]
    split = 1
    while split * 2 < len(hashes):
        split *= 2
    return hashlib.sha256(b"\x01" + tree_hash(hashes[:split]) + tree_hash(hashes[split:])).digest()


class TestARoot:
    @pytest.mark.parametrize("count", [1, 2, 3, 4, 5, 6, 7, 8, 9, 31, 32, 33, 100])
    def test_is_that_of_rfc_9162(self, count: int) -> None:
        """Compared with a literal implementation."""
        assert root_of(leaves(count)) == tree_hash(leaves(count))

    def test_over_nothing_is_the_hash_of_nothing(self) -> None:
        """RFC 9162: MTH({}) = HASH()."""
        assert root_of([]) == hashlib.sha256(b"").digest()


class TestAnId:
    def test_is_a_version_7_uuid_of_its_time(self) -> None:
        """RFC 9562: 48 bits of milliseconds, version 7, variant 10."""
        fifth_id = batch_id(NOW, number=5)

        assert fifth_id.version == 7
        assert fifth_id.int >> 80 == int(NOW.timestamp() * 1000)

    def test_keeps_the_order_of_batches_and_of_their_records(self) -> None:
        """By number within a millisecond, by position within a batch."""
        batches = [batch_id(NOW, number=number) for number in (1, 2, 1 << 38, (1 << 38) + 1)]
        batches.append(batch_id(NOW + timedelta(milliseconds=1), number=3))
        ids = [record_id(batch, position) for batch in batches for position in (0, 1, 9_999_999)]

        assert ids == sorted(ids)
        assert [batch_of(record_id) for record_id in ids] == [
            batch for batch in batches for _ in range(3)
        ]


@pytest.mark.django_db
class TestRecordsOfOneTransaction:
    def test_are_one_batch_under_one_root(self) -> None:
        """Three entries with any characters."""
        details: tuple[dict[str, Any], ...]
        details = ({"n": 1}, {"text": 'tab\tline\n"quote" \\ back'}, {"è": [None, True]})
        entries = [Entry("TESTED", f"thing:{number}", d) for number, d in enumerate(details)]

        record_entries(entries, at=NOW, actor=CLERK)

        records = list(AuditRecord.objects.order_by("id"))
        [batch] = AuditBatch.objects.all()
        assert [record.details for record in records] == list(details)
        assert {(record.actor, record.actor_user_id) for record in records} == {CLERK[:2]}
        assert [record.id for record in records] == [record_id(batch.id, n) for n in range(3)]
        assert bytes(batch.root) == tree_hash([bytes(record.leaf) for record in records])
        assert batch.record_count == 3

    def test_are_no_batch_when_there_are_none(self) -> None:
        """Nothing is written."""
        record_entries([], at=NOW, actor=CLERK)

        assert AuditBatch.objects.count() == 0

    def test_may_be_a_single_one(self) -> None:
        """The id made by the database equals that of Python."""
        with connection.cursor() as cursor:
            cursor.execute("SELECT setval('trail_batch', %s)", [(5 << 38) + 77])
        details = {"text": 'tab\tline\n"quote" \\ back'}

        record_entries([Entry("TESTED", "thing:1", details)], at=NOW, actor=CLERK)

        record, batch = AuditRecord.objects.get(), AuditBatch.objects.get()
        assert record.id == batch.id == batch_id(NOW, number=(5 << 38) + 78)
        assert PendingBatch.objects.get().batch_id == batch.id
        assert (record.at, record.actor, record.actor_user_id) == (NOW, *CLERK[:2])
        assert (record.action, record.subject, record.details) == ("TESTED", "thing:1", details)
        leaf = leaf_of(at=NOW, actor=CLERK, action="TESTED", subject="thing:1", details=details)
        assert bytes(record.leaf) == bytes(batch.root) == leaf
        assert batch.record_count == 1
