"""Audit records and their canonical encoding."""

import hashlib
from datetime import UTC, datetime

import pytest

from compliance.trail.actor import Actor
from compliance.trail.encoding import leaf_of
from compliance.trail.models import AuditRecord
from compliance.trail.queries import records_of
from compliance.trail.record import Entry, record_entries

AT = datetime(2026, 11, 21, 21, 10, 10, 5, tzinfo=UTC)


class TestALeaf:
    def test_is_the_hash_of_the_documented_bytes(self) -> None:
        """RFC 9162, 2.1.1: SHA-256 over a zero byte and the record; the bytes written by hand."""
        microseconds = (AT - datetime(1970, 1, 1, tzinfo=UTC)).days * 86_400_000_000
        microseconds += ((21 * 60 + 10) * 60 + 10) * 1_000_000 + 5
        record = (
            f'[{microseconds},"Lorenzo Ferri",7,"ROUND_HELD","round:r-1",'
            '{"anomalies":["extra-card"],"note":"perché"}]'
        )

        leaf = leaf_of(
            at=AT,
            actor=Actor("Lorenzo Ferri", 7),
            action="ROUND_HELD",
            subject="round:r-1",
            details={"note": "perché", "anomalies": ["extra-card"]},
        )

        assert leaf == hashlib.sha256(b"\x00" + record.encode()).digest()


@pytest.mark.django_db
class TestAStoredRecord:
    def test_gives_the_leaf_that_it_was_stored_with(self) -> None:
        """The stored record hashes to the same bytes."""
        entry = Entry("ROUND_HELD", "round:r-1", {"b": 1, "a": ["x", None], "é": "ü"})

        record_entries([entry], at=AT, actor=Actor("worker"))

        record = AuditRecord.objects.get()
        again = leaf_of(
            at=record.at,
            actor=Actor(record.actor, record.actor_user_id),
            action=record.action,
            subject=record.subject,
            details=record.details,
        )
        assert bytes(record.leaf) == again

    def test_is_in_the_order_of_events(self) -> None:
        """Records of a subject, oldest first."""
        entries = [Entry(action, "round:r-1", {}) for action in ("ONE", "TWO", "THREE")]

        record_entries([*entries, Entry("OTHER", "round:r-2", {})], at=AT, actor=Actor("x"))

        assert [r.action for r in records_of("round:r-1")] == ["ONE", "TWO", "THREE"]
