"""The log: stable positions, signed heads, proofs."""

import hashlib
import json
from datetime import timedelta
from uuid import UUID

import pytest

from compliance.trail.batches import record_id
from compliance.trail.log.append_to_log import append_to_log
from compliance.trail.log.log_faults import LogFaultKind
from compliance.trail.log.log_losses import CannotAppend
from compliance.trail.log.merkle_tree import is_consistent, is_included
from compliance.trail.log.proofs import prove_growth, prove_record
from compliance.trail.log.signed_heads import Head, is_signed, key_id_of, raw_key
from compliance.trail.log.stored_tree import NotInLog
from compliance.trail.models import AuditBatch, LoggedBatch, LogNode, PendingBatch, TreeHead
from tests.compliance.trail.logs import (
    KEY,
    NOW,
    OTHER_KEY,
    append,
    append_signed,
    faults,
    tamper,
    write,
)

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _no_rows_wait(db: None) -> None:
    """Heads sign what a test writes, without the digests of rows that migrations wrote."""
    tamper("DELETE FROM trail_pendingrow")


def leaf_of_text(text: str) -> bytes:
    """The leaf hash of RFC 9162."""
    return hashlib.sha256(b"\x00" + text.encode()).digest()


class TestABatch:
    def test_waits_until_it_is_logged(self) -> None:
        """It is queued when it is written."""
        write(3)
        assert PendingBatch.objects.count() == 1

        head = append()

        assert (head.sequence, head.size) == (1, 3)
        assert PendingBatch.objects.count() == 0
        assert append_to_log(KEY, now=NOW) is None

    def test_follows_earlier_batches(self) -> None:
        """In the order of logging, not of time or size."""
        first = write(300)
        append()
        late, next_one = write(2, at=NOW - timedelta(days=40)), write(1)
        head = append()

        places = dict(LoggedBatch.objects.values_list("batch_id", "first_leaf"))
        assert places == {first: 0, late: 300, next_one: 302}
        assert head.size == 303
        assert {fault.kind for fault in faults()} == {LogFaultKind.ROW}  # those without a digest

    def test_is_not_logged_when_it_was_changed(self) -> None:
        """A batch that does not match its root is not signed."""
        batch = write(3)
        tamper("UPDATE trail_auditrecord SET leaf = %s WHERE id = %s", b"x" * 32, batch)

        with pytest.raises(CannotAppend, match="do not give the root"):
            append()


class TestAHead:
    def test_is_signed_over_all_its_fields(self) -> None:
        """By the key whose id it names."""
        write(3)
        head = append()

        stored = TreeHead.objects.get()
        public = raw_key(KEY.public_key())
        assert is_signed(public, bytes(stored.signature), head.signed_bytes())
        assert head.key_id == key_id_of(public)
        assert Head.from_json(json.dumps(head.as_json(b"s"))) == (head, b"s")

    def test_is_refused_to_another_key(self) -> None:
        """A new key has to be endorsed first."""
        write(1)
        append()
        write(1)

        with pytest.raises(CannotAppend, match="which is in force"):
            append(key=OTHER_KEY)

    def test_is_not_signed_for_a_log_that_was_cut_back(self) -> None:
        """The signer remembers its latest head."""
        write(5)
        before = append_signed()
        write(1)
        last = append_signed(witnessed=before)
        tamper("DELETE FROM trail_treehead WHERE sequence = 2")
        write(1)

        with pytest.raises(CannotAppend, match="found a log of 5 records"):
            append(witnessed=last)

    def test_is_not_signed_for_a_log_that_was_written_anew(self) -> None:
        """Of the same length with other records."""
        write(5)
        signed = append_signed()
        remembered = signed._replace(head=signed.head._replace(root=b"r" * 32))
        write(5)

        with pytest.raises(CannotAppend, match="does not continue head 1"):
            append(witnessed=remembered)


class TestAProof:
    @pytest.mark.parametrize("position", [0, 1, 255, 256, 300, 599])
    def test_of_a_record_is_verified_independently(self, position: int) -> None:
        """By RFC 9162 and the signature; it stays the same when the log grows."""
        write(2)
        batch = write(600)
        append()
        proof = prove_record(record_id(batch, position))
        write(900)
        append()

        head, signature = Head.from_json(json.dumps(proof["head"]))
        path = [bytes.fromhex(node) for node in proof["path"]]
        leaf = leaf_of_text(proof["record"])
        assert proof["leaf_index"] == 2 + position
        assert is_included(leaf, proof["leaf_index"], head.size, path, head.root)
        assert is_signed(bytes.fromhex(proof["public_key"]), signature, head.signed_bytes())
        assert prove_record(record_id(batch, position)) == proof

    def test_of_growth_is_verified_independently(self) -> None:
        """Every head is consistent with every earlier one."""
        heads = []
        for size in (1, 255, 1, 700, 3):
            write(size)
            heads.append(append())

        for old in heads:
            for new in heads[old.sequence - 1 :]:
                proof = prove_growth(old.sequence, new.sequence)
                path = [bytes.fromhex(node) for node in proof["path"]]
                assert is_consistent(old.size, old.root, new.size, new.root, path)
        assert LogNode.objects.count() == 960 // 256

    def test_is_refused_while_a_record_waits(self) -> None:
        """NotInLog."""
        batch: UUID = write(1)

        with pytest.raises(NotInLog, match="is pending"):
            prove_record(record_id(batch, 0))
        assert AuditBatch.objects.count() == 1
