"""Keys of the audit log for which two persons did not sign: refused by the command, and named."""

from functools import partial
from pathlib import Path
from typing import Final

import pytest
from django.core.management import CommandError, call_command

from compliance.signatures import log_keys
from compliance.signatures.log_keys import (
    InvalidLogKey,
    NotAnotherPerson,
    approve_log_key,
    log_key_approvals,
    verify_log_keys,
)
from compliance.signatures.management.commands import rotate_log_key as command
from compliance.signatures.models import DecisionSignature, EarlierDecision
from compliance.signatures.sign_decision import SignatureRequired
from compliance.signatures.verify_signatures import verify_signatures
from compliance.storage.database_roles.role import DatabaseRole
from compliance.trail.actor import Actor
from compliance.trail.log.append_to_log import append_to_log
from compliance.trail.log.key_file import make_key, read_key
from compliance.trail.log.rotate_log_key import rotate_key
from compliance.trail.log.signed_heads import key_id_of, raw_key
from compliance.trail.models import AuditRecord, LogKey
from compliance.trail.record import Entry, record_entry
from tests.attacks.forgeries import as_role, as_web
from tests.attacks.guards import Guard, unguarded
from tests.casino_in_play import NOW
from tests.compliance.trail.logs import faults, write
from tests.payouts.settlement.resettlement_scenarios import GIULIA, LORENZO
from tests.signers import FirstKey

pytestmark = pytest.mark.django_db

OTHER: Final = "0" * 64


class Files:
    """The key in force, in a file, and another one."""

    def __init__(self, folder: Path) -> None:
        self.old, self.new = folder / "old.pem", folder / "new.pem"
        make_key(self.old)
        self.key_id = key_id_of(raw_key(make_key(self.new).public_key()))
        write(1)
        append_to_log(read_key(self.old), now=NOW)

    def rotate(self) -> None:
        """By the command."""
        call_command("rotate_log_key", old=self.old, new=self.new)

    def rotate_past_the_command(self) -> None:
        """As a worker that has both keys."""
        with as_role(DatabaseRole.WORKER):
            rotate_key(read_key(self.old), read_key(self.new), at=NOW, actor=Actor("x"))

    def approve(self, actor: Actor) -> None:
        """The person signs for the new key."""
        approve_log_key(key_id=self.key_id, reason="yearly", at=NOW, actor=actor)


@pytest.fixture
def keys(tmp_path: Path) -> Files:
    """A log that the old key has signed; both persons have keys."""
    for actor in (GIULIA, LORENZO):
        assert isinstance(actor.signer, FirstKey)
        actor.signer.approve()
    return Files(tmp_path)


def named() -> list[str]:
    """What ``verify_trail`` names about keys of the log and signed decisions."""
    found: list[str] = []
    verify_log_keys(found.append)
    verify_signatures(found.append)
    return found


def unsigned_approval(key_id: str, actor: Actor, *, reason: str = "yearly") -> AuditRecord:
    """A record of it by the web role."""
    entry = Entry("LOG_KEY_APPROVED", "log:keys", {"key": key_id, "reason": reason})
    with as_web():
        record_id = record_entry(entry, at=NOW, actor=Actor(actor.name, actor.user_id))
    return AuditRecord.objects.get(pk=record_id)


def assert_refused(keys: Files) -> None:
    """The command changes nothing; the verifier names a change past it."""
    with pytest.raises(CommandError, match=f"for key {keys.key_id}; needed those of 2 persons"):
        keys.rotate()
    assert LogKey.objects.count() == 1
    keys.rotate_past_the_command()
    assert any(fault.startswith("key of the log from head 2 on: found") for fault in named())


def test_the_first_key_needs_no_signature(keys: Files) -> None:
    """It is published outside."""
    assert named() == []


def test_a_key_that_two_persons_signed_comes_into_force(keys: Files) -> None:
    """The control; earlier heads stay valid."""
    keys.approve(GIULIA)
    keys.approve(LORENZO)

    keys.rotate()

    append_to_log(read_key(keys.new), now=NOW)
    assert LogKey.objects.filter(key_id=keys.key_id, first_head=2).exists()
    assert named() == []
    assert faults() == []


def test_one_person_alone_is_refused(keys: Files) -> None:
    """Also one who signs twice."""
    keys.approve(GIULIA)
    with pytest.raises(NotAnotherPerson):
        keys.approve(GIULIA)

    assert_refused(keys)


def test_signatures_for_another_key_are_refused(keys: Files) -> None:
    """Both texts name the key."""
    for actor in (GIULIA, LORENZO):
        approve_log_key(key_id=OTHER, reason="yearly", at=NOW, actor=actor)

    assert_refused(keys)


def test_unsigned_records_are_refused(keys: Files) -> None:
    """By SQL of the web role, in the names of two persons."""
    for actor in (GIULIA, LORENZO):
        unsigned_approval(keys.key_id, actor)

    assert log_key_approvals() == {}
    assert_refused(keys)


def test_a_signature_under_another_name_is_refused(keys: Files) -> None:
    """Giulia's, stored again as Lorenzo's."""
    keys.approve(GIULIA)
    replayed = DecisionSignature.objects.get()
    record = unsigned_approval(keys.key_id, LORENZO)
    with as_web():
        replayed.record_id, replayed.signed_with = record.pk, [record.pk]
        replayed.save(force_insert=True)

    assert_refused(keys)


def test_a_second_copy_of_a_signature_is_refused(keys: Files) -> None:
    """The same record and signature again."""
    keys.approve(GIULIA)
    replayed = DecisionSignature.objects.get()
    record = unsigned_approval(keys.key_id, GIULIA)
    with as_web():
        replayed.record_id, replayed.signed_with = record.pk, [record.pk]
        replayed.save(force_insert=True)

    assert_refused(keys)


def test_a_key_from_before_signatures_is_not_named(keys: Files) -> None:
    """A migration lists its record."""
    keys.rotate_past_the_command()
    assert len(named()) == 1

    EarlierDecision.objects.create(record_id=AuditRecord.objects.get(action="LOG_KEY_CHANGED").pk)

    assert named() == []


@pytest.mark.parametrize(("key_id", "reason"), [("abc", "x"), (OTHER, " ")])
def test_is_approved_by_its_id_and_for_a_reason(keys: Files, key_id: str, reason: str) -> None:
    """Nothing is recorded."""
    with pytest.raises(InvalidLogKey):
        approve_log_key(key_id=key_id, reason=reason, at=NOW, actor=GIULIA)


def test_is_not_approved_without_a_signature(keys: Files) -> None:
    """Nothing is recorded."""
    with pytest.raises(SignatureRequired):
        keys.approve(Actor(GIULIA.name, GIULIA.user_id))

    assert log_key_approvals() == {}


_refused: Final = test_is_approved_by_its_id_and_for_a_reason
GUARDS: Final = (
    Guard(
        log_keys.approve_log_key,
        "not _KEY_ID.fullmatch(key_id)",
        partial(_refused, key_id="abc", reason="x"),
    ),
    Guard(
        log_keys.approve_log_key,
        "not reason.strip()",
        partial(_refused, key_id=OTHER, reason=" "),
    ),
    Guard(
        log_keys.approve_log_key,
        "is_same_person(approval.actor, approval.actor_user_id, actor)",
        test_one_person_alone_is_refused,
    ),
    Guard(
        log_keys.approve_log_key,
        "record_decision(entry, at=at, actor=actor)",
        test_is_not_approved_without_a_signature,
        passing="None",
    ),
    Guard(
        log_keys.log_key_approvals,
        "is_same_person(other.actor, other.actor_user_id, actor)",
        test_a_second_copy_of_a_signature_is_refused,
    ),
    Guard(
        log_keys.log_key_approvals,
        "verifier.verify_entry(entry, at=record.at, actor=actor)",
        test_unsigned_records_are_refused,
        passing="None",
    ),
    Guard(log_keys.require_approved, "found < APPROVERS", test_one_person_alone_is_refused),
    Guard(
        log_keys.verify_log_keys,
        "require_approved(key.key_id)",
        test_signatures_for_another_key_are_refused,
        passing="None",
    ),
    Guard(
        log_keys.verify_log_keys,
        "EarlierDecision.objects.filter(pk__in=changes.values('pk')).exists()",
        test_signatures_for_another_key_are_refused,
        passing="True",
    ),
    Guard(
        command.Command.handle,
        "require_approved(key_id_of(raw_key(new.public_key())))",
        test_signatures_for_another_key_are_refused,
        passing="None",
    ),
)


@pytest.mark.parametrize("guard", GUARDS, ids=lambda guard: guard.condition)
def test_without_its_guard_an_attack_succeeds(guard: Guard, request: pytest.FixtureRequest) -> None:
    """The key comes into force, or goes unnamed."""
    guard.is_needed(request)


def test_the_list_of_guards_is_complete() -> None:
    """Each condition under which a key or its approval is refused is in it."""
    assert unguarded(log_keys, GUARDS) == set()
