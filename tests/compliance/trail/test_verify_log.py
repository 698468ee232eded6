"""Every change of the trail or its log is reported, and nothing else."""

from pathlib import Path
from random import Random
from typing import Final
from uuid import UUID

import pytest
from django.apps import apps
from django.core.management import CommandError, call_command
from django.db import transaction

from compliance.storage.append_only import is_append_only
from compliance.trail.batches import record_id
from compliance.trail.log.key_file import make_key, read_key
from compliance.trail.log.log_faults import LogFault, LogFaultKind
from compliance.trail.log.log_losses import CannotAppend
from compliance.trail.log.merkle_tree import root_of
from compliance.trail.log.rotate_log_key import rotate_key
from compliance.trail.log.signed_heads import WitnessedHead, key_id_of, raw_key
from compliance.trail.models import AuditBatch, AuditRecord, LoggedBatch, LogNode, TreeHead
from tests.casino_in_play import NOW
from tests.compliance.trail.logs import (
    CLERK,
    KEY,
    OTHER_KEY,
    append,
    faults,
    tamper,
    three_heads,
    write,
)
from tests.compliance.trail.row_changes import changes_of
from tests.repetitions import repeated

pytestmark = pytest.mark.django_db

_SEED: Final = 20261121
_TABLES: Final = sorted(
    model._meta.db_table
    for model in apps.get_models()
    if model._meta.app_label == "trail" and is_append_only(model)
)


@pytest.fixture
def log() -> WitnessedHead:
    """A log and its latest head."""
    return three_heads()


class TestAnUnchangedLog:
    def test_has_no_fault(self, log: WitnessedHead) -> None:
        """With everything known outside, and with a waiting batch."""
        write(3)

        assert faults(trusted_key=key_id_of(raw_key(KEY.public_key())), witnessed=log) == []
        assert LogNode.objects.count() == 2

    def test_is_empty_at_first(self) -> None:
        """Without records."""
        assert faults() == []


@pytest.mark.usefixtures("log")
class TestAnAdministratorWithoutTheKey:
    def test_cannot_remove_a_record_and_recompute_the_rest(self) -> None:
        """A deleted record with recomputed places, links, nodes and roots."""
        batch = AuditBatch.objects.order_by("id")[1]
        removed = record_id(batch.id, batch.record_count - 1)
        tamper("DELETE FROM trail_auditrecord WHERE id = %s", removed)
        leaves = AuditRecord.objects.filter(id__gte=batch.id, id__lt=removed).order_by("id")
        root = root_of(bytes(leaf) for leaf in leaves.values_list("leaf", flat=True))
        tamper(
            "UPDATE trail_auditbatch SET record_count = record_count - 1, root = %s WHERE id = %s",
            root,
            batch.id,
        )

        assert faults() != []

    def test_cannot_sign_with_another_key(self) -> None:
        """The first key is known outside."""
        other_key_id = key_id_of(raw_key(OTHER_KEY.public_key()))

        assert [str(fault.kind) for fault in faults(trusted_key=other_key_id)] == ["key"]

    def test_cannot_truncate_the_log(self, log: WitnessedHead) -> None:
        """A later head is known outside."""
        last = list(LoggedBatch.objects.filter(head_id=3).values_list("batch_id", flat=True))
        for batch in last:
            tamper("DELETE FROM trail_auditrecord WHERE id BETWEEN %s AND %s", *_ends(batch))
        tamper("DELETE FROM trail_auditbatch WHERE id = ANY(%s)", last)
        tamper("DELETE FROM trail_loggedbatch WHERE head_id = 3")
        tamper("DELETE FROM trail_treehead WHERE sequence = 3")
        tamper("DELETE FROM trail_lognode WHERE index > 0")

        assert faults() == []
        assert [str(fault.kind) for fault in faults(witnessed=log)] == ["head_missing"]


class TestAHolderOfTheKey:
    def test_cannot_sign_another_log(self, log: WitnessedHead) -> None:
        """Faultless by itself; another root is known outside."""
        stored, signature = log.head, log.signature
        outside = stored._replace(root=bytes(len(stored.root)))

        differing = LogFault(LogFaultKind.ROOT, "head 3", stored.root.hex(), outside.root.hex())
        assert faults(witnessed=WitnessedHead(outside, signature)) == [differing]


@pytest.mark.usefixtures("log")
class TestARemovedHead:
    @pytest.mark.parametrize(("removed", "found"), [(1, "2"), (2, "3"), (3, "None")])
    def test_is_missed_where_its_batches_are_left(self, removed: int, found: str) -> None:
        """The last one too, which no later head follows."""
        tamper("DELETE FROM trail_treehead WHERE sequence = %s", removed)

        missed = LogFault(LogFaultKind.HEAD_MISSING, f"head {removed}", found, str(removed))
        assert missed in faults()


def _ends(batch: UUID) -> tuple[UUID, UUID]:
    return batch, record_id(batch, (1 << 24) - 1)


@pytest.mark.parametrize(
    "changes",
    [10, pytest.param(repeated(1_000), marks=[pytest.mark.slow, pytest.mark.timeout(1200)])],
)
def test_every_single_change_is_found(changes: int, log: WitnessedHead) -> None:
    """Any column of any row, or a whole row."""
    chance = Random(_SEED)
    kinds = changes_of(_TABLES)
    unfound = []
    for number in range(changes):
        change = kinds[number % len(kinds)]
        before = transaction.savepoint()
        if change.make(chance) and not faults(witnessed=log):
            unfound.append(change)
        transaction.savepoint_rollback(before)

    assert unfound == []
    assert faults(witnessed=log) == []


class TestAKey:
    def test_is_made_once_and_for_its_owner_alone(self, tmp_path: Path) -> None:
        """An existing key is not overwritten."""
        file = tmp_path / "keys" / "log.pem"

        call_command("make_log_key", file)

        assert file.stat().st_mode & 0o777 == 0o600
        with pytest.raises(CommandError, match="cannot be written"):
            call_command("make_log_key", file)

    def test_is_replaced_by_an_endorsed_key(self, tmp_path: Path) -> None:
        """Recorded; the new key continues from the last head."""
        old, new = tmp_path / "old.pem", tmp_path / "new.pem"
        make_key(old)
        make_key(new)
        write(1)
        append(key=read_key(old))

        rotate_key(read_key(old), read_key(new), at=NOW, actor=CLERK)
        head = append(key=read_key(new))

        assert (head.sequence, head.size) == (2, 3)  # with the digests of the first reasons
        assert AuditRecord.objects.filter(action="LOG_KEY_CHANGED", actor="Anna Bianchi").exists()
        assert TreeHead.objects.get(sequence=2).key_id != TreeHead.objects.get(sequence=1).key_id
        assert faults() == []
        with pytest.raises(CannotAppend, match="needed key"):
            rotate_key(read_key(old), read_key(new), at=NOW, actor=CLERK)
