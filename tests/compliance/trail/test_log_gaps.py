"""A log that lost its tail goes on from the head signed last, as two persons declared."""

import json
from random import Random
from uuid import UUID

import pytest
from django.db import transaction

from compliance.trail.batches import record_id
from compliance.trail.log.append_to_log import append_to_log
from compliance.trail.log.log_losses import CannotAppend, LogBehind, found_loss
from compliance.trail.log.merkle_tree import (
    Peaks,
    is_consistent,
    is_included,
)
from compliance.trail.log.proofs import prove_growth, prove_record
from compliance.trail.log.signed_heads import Head, WitnessedHead
from compliance.trail.log.stored_tree import LostInGap
from compliance.trail.log.verify_log import verify_trail
from compliance.trail.models import AuditRecord, LogGap, LoggedBatch, TreeHead
from tests.compliance.trail.logs import KEY, NOW, append_signed, faults, tamper, write
from tests.compliance.trail.lost_logs import (
    REASON,
    continued,
    declare,
    find_loss,
    lose,
    signing_persons,
)
from tests.compliance.trail.row_changes import changes_of

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _persons(db: None) -> None:
    """Two who may declare a loss, and no digests of rows that migrations wrote."""
    signing_persons()
    tamper("DELETE FROM trail_pendingrow")


def notes(witnessed: WitnessedHead | None = None) -> list[str]:
    """What the verification says about gaps; it finds no fault but rows without digests."""
    found: list[object] = []
    verified = verify_trail(report=found.append, witnessed=witnessed)
    assert {getattr(fault, "kind", None) for fault in found} <= {"row"}
    return list(verified.notes)


def consistent(old: int, new: int) -> bool:
    """Whether the consistency proof between two heads holds."""
    proof = prove_growth(old, new)
    (first, _), (second, _) = (Head.from_json(json.dumps(proof[name])) for name in ("old", "new"))
    path = [bytes.fromhex(node) for node in proof["path"]]
    return is_consistent(first.size, first.root, second.size, second.root, path)


def included(batch: UUID, position: int) -> bool:
    """Whether the inclusion proof of a record holds."""
    proof = prove_record(record_id(batch, position))
    record = AuditRecord.objects.get(id=record_id(batch, position))
    head, _signature = Head.from_json(json.dumps(proof["head"]))
    path = [bytes.fromhex(node) for node in proof["path"]]
    return is_included(bytes(record.leaf), proof["leaf_index"], head.size, path, head.root)


class TestALogBehindItsHead:
    def test_is_recorded_once_and_not_signed(self) -> None:
        """However often the worker tries."""
        witnessed = lose(300, 2, after=[260])

        for _try in range(3):
            with pytest.raises(LogBehind, match=r"found a log of 26\d records"):
                append_to_log(KEY, now=NOW, witnessed=witnessed)

        loss = find_loss(witnessed)
        assert AuditRecord.objects.filter(action="LOG_LOSS_FOUND").count() == 1
        assert (loss.heads, loss.records, loss.witnessed) == (2, 302, witnessed)
        assert TreeHead.objects.count() == 1

    def test_is_found_by_a_holder_who_remembers_less(self) -> None:
        """A copy of the key on another host does not fork the log."""
        write(5)
        earlier = append_signed()
        find_loss(lose(3, witnessed=earlier))

        with pytest.raises(LogBehind):
            append_to_log(KEY, now=NOW, witnessed=earlier)

    def test_is_continued_where_it_was_declared(self) -> None:
        """Under the next number, after the last lost leaf; the declaration comes first."""
        witnessed = lose(300, 2, after=[260])
        find_loss(witnessed)
        write(7)

        head = continued(witnessed)
        after = append_signed(witnessed=head)

        assert (head.head.sequence, head.head.size) == (4, witnessed.head.size + 2)
        heads = TreeHead.objects.order_by("sequence").values_list("sequence", flat=True)
        assert list(heads) == [1, 3, 4, 5]
        first = LoggedBatch.objects.filter(head_id=4).order_by("first_leaf").first()
        assert first is not None
        assert first.first_leaf == witnessed.head.size
        assert LogGap.objects.values_list("sequence", "after").get() == (3, 1)
        assert found_loss() is None
        assert append_to_log(KEY, now=NOW, witnessed=after) is None

    def test_is_continued_by_a_holder_who_was_killed_before_it_remembered(self) -> None:
        """The head of before is continued as well."""
        witnessed = lose(300, after=[260])
        continued(witnessed)
        write(3)

        assert append_signed(witnessed=witnessed).head.sequence == 4

    def test_is_named_by_the_verification_until_it_is_declared(self) -> None:
        """As a fault; then as a note with persons and reason."""
        witnessed = lose(300, 2, after=[260])
        find_loss(witnessed)
        assert "gap" in {str(fault.kind) for fault in faults()}

        declare(find_loss(witnessed))
        append_signed(witnessed=witnessed)

        [note] = notes()
        assert note.startswith("heads 2 to 3 lost: 302 records from 2026-11-21 22:00:05 to")
        assert note.endswith(f"declared by Giulia Marchetti and Lorenzo Ferri: {REASON}")


class TestADatabaseThatIsAnother:
    def test_is_not_declared_lost(self) -> None:
        """Its head is not signed by the key, or its tree differs."""
        write(5)
        append_signed()
        witnessed = lose(3)
        tamper("UPDATE trail_treehead SET signature = %s", b"s" * 64)

        with pytest.raises(CannotAppend, match="does not continue head 2"):
            append_to_log(KEY, now=NOW, witnessed=witnessed)
        assert found_loss() is None
        assert not AuditRecord.objects.filter(action="LOG_LOSS_FOUND").exists()

    def test_without_any_head_is_not_declared_lost(self) -> None:
        """An empty one."""
        witnessed = lose(5, 3)

        with pytest.raises(CannotAppend, match="this is another database"):
            append_to_log(KEY, now=NOW, witnessed=witnessed)

    def test_is_found_by_the_peaks(self) -> None:
        """A common subtree differs, though both heads are signed."""
        write(600)
        append_signed()
        witnessed = lose(20)
        other = [bytes(32), *witnessed.peaks[1:]]
        head = witnessed.head._replace(root=Peaks(witnessed.head.size, other).root())
        forged = WitnessedHead(head, KEY.sign(head.signed_bytes()), tuple(other))

        with pytest.raises(CannotAppend, match="does not continue head 2"):
            append_to_log(KEY, now=NOW, witnessed=forged)

    def test_cannot_be_continued_without_peaks(self) -> None:
        """As in a file of an earlier release."""
        witnessed = lose(3, after=[5])

        with pytest.raises(CannotAppend, match="no peaks"):
            append_to_log(KEY, now=NOW, witnessed=witnessed._replace(peaks=()))


class TestProofsAcrossAGap:
    @pytest.mark.slow
    def test_hold_for_what_is_left_and_for_what_follows(self) -> None:
        """And for growth on both sides, and from the head signed last."""
        kept = write(260)
        append_signed()
        witnessed = lose(300, 2)
        head = continued(witnessed)
        new = []
        for size in (700, 3, 255, 1):
            new.append((write(size), size))
            head = append_signed(witnessed=head)

        assert all(included(kept, position) for position in (0, 255, 259))
        assert all(
            included(batch, position)
            for batch, size in new
            for position in {0, size // 2, size - 1}
        )
        later = range(witnessed.head.sequence, head.head.sequence + 1)
        assert all(consistent(old, new) for old in later for new in later if old <= new)
        assert {fault.kind for fault in faults()} <= {"row"}

    def test_are_refused_with_words_where_they_need_lost_records(self) -> None:
        """From a head before the gap to one after it."""
        witnessed = lose(300, 2, after=[260])
        head = continued(witnessed).head.sequence

        with pytest.raises(LostInGap, match="no consistency proof from head 1 to head 4"):
            prove_growth(1, head)

    def test_are_compared_with_heads_that_others_kept(self) -> None:
        """Those before, the last one, and with a note one in the gap."""
        write(260)
        kept = append_signed()
        lost = lose(300, witnessed=kept)
        witnessed = lose(300, 2, witnessed=kept)
        continued(witnessed)

        assert len(notes(kept)) == len(notes(witnessed)) == 1
        assert notes(lost)[1].startswith("head 2 cannot be compared")
        forged = lost._replace(signature=b"s" * 64)
        assert "head_missing" in {str(fault.kind) for fault in faults(witnessed=forged)}

    @pytest.mark.slow
    def test_hold_across_several_gaps(self) -> None:
        """One after the other, and one over the other."""
        write(37)
        head = append_signed()
        for sizes in ((64, 3), (1,), (500, 20)):
            head = continued(lose(*sizes, witnessed=head))
            write(11)
            head = append_signed(witnessed=head)

        batch = write(90)
        append_signed(witnessed=head)

        assert included(batch, 45)
        assert len(notes()) == 3


class TestAChange:
    def test_of_a_gap_is_found(self) -> None:
        """Each column, and the whole row."""
        continued(lose(300, 2, after=[260]))
        known = set(faults())

        unfound = []
        for change in changes_of(["trail_loggap"]):
            before = transaction.savepoint()
            assert change.make(Random(1))
            if set(faults()) == known:
                unfound.append(change)
            transaction.savepoint_rollback(before)

        assert unfound == []
