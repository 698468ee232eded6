"""Each guard of the studios' stored signatures is needed: without it a forgery goes unnamed.

Or its rounds are settled. The guards of their form are in ``test_guards_of_forms``.
"""

import hashlib
from functools import partial
from typing import Final

import pytest

from compliance.signatures import log_order, verify_rows
from rounds.models import SignedBatch
from rounds.signatures import (
    hold_unsigned,
    message_signature,
    required_at_arrival,
    verified_batches,
    verify_batch,
    web_signature,
)
from tests.attacks.guards import Guard, guarded, returned_refusals, unguarded
from tests.attacks.studios.signed_feeds import A, B, faults, without_triggers
from tests.attacks.studios.stored_rounds import signature_by
from tests.attacks.studios.test_guards_of_forms import WELL_FORMED
from tests.attacks.studios.test_invented_batches import GUARDS as OF_BATCHES
from tests.attacks.studios.test_invented_batches import TestABatch as _Batches
from tests.attacks.studios.test_invented_rounds import GUARDS as OF_ROUNDS
from tests.attacks.studios.test_invented_rounds import TestARoundThatNobodySigned as _Rounds
from tests.attacks.studios.test_misdated_rounds import GUARDS as OF_DATES
from tests.attacks.studios.test_misdated_rounds import TestASignedRound as _Signed
from tests.attacks.studios.test_studio_keys import TestAKey as _Keys
from tests.studio_signatures import Signer, ingest_signed


def named(change: str, words: str) -> None:
    """After this change of a signed batch by SQL the verifier says so."""
    Signer().registered()
    ingest_signed(A, Signer().signature_lines(A))
    without_triggers(change)

    assert any(words in fault for fault in faults())


def named_of_other_lines() -> None:
    """A genuine signature, of another digest than its row and content have."""
    key = Signer().registered()
    of_b = signature_by(key, B)
    batch = SignedBatch(
        form=SignedBatch.Form.LINES,
        signed_text=of_b.signed_text,
        signature=of_b.signature,
        content_digest=hashlib.sha256(A).digest(),
    )

    assert list(verify_batch.signature_faults(batch, key, A))


_BATCH: Final = "UPDATE rounds_signedbatch SET"
_REVOKED_BEFORE: Final = """
    INSERT INTO rounds_studiokeystep
           (key_id, sequence, action, note, last_batch, at, actor, actor_user_id)
    SELECT id, 2, 'revoked', 'x', 0, now(), 'x', 1 FROM rounds_studiokey
"""
_Key: Final = verify_batch.KeyWithSteps
STORED: Final = (
    Guard(
        _Key.fault,
        "key_id_of(bytes(key.public_key)) != key.key_id",
        partial(named, "UPDATE rounds_studiokey SET public_key = sha256('x')", "its ID is not"),
    ),
    Guard(
        _Key.fault,
        "approval is not None and is_same_person(key.actor, key.actor_user_id,"
        " Actor(approval.actor, approval.actor_user_id))",
        _Keys().test_approved_by_its_proposer_behind_the_triggers_is_named,
    ),
    Guard(
        _Key.batch_fault,
        "self.approval is None",
        partial(named, "DELETE FROM rounds_studiokeystep", "its key was not approved"),
        noticed_by=AttributeError,
    ),
    Guard(
        _Key.batch_fault,
        "at < self.approval.at",
        partial(named, f"{_BATCH} received_at = '2020-01-01'", "its key was not approved"),
    ),
    Guard(
        _Key.batch_fault,
        "not self.row.valid_from <= at < self.row.valid_until",
        partial(named, f"{_BATCH} received_at = '2040-01-01'", "its key was not valid"),
    ),
    Guard(
        _Key.batch_fault,
        "self.revocation is not None and batch.pk > (self.revocation.last_batch or 0)",
        partial(named, _REVOKED_BEFORE, "its key was revoked before"),
    ),
    Guard(
        verify_batch.signature_faults,
        "not is_signed(bytes(key.public_key), bytes(batch.signature), text)",
        partial(named, f"{_BATCH} signature = decode(repeat('00', 64), 'hex')", "is not that of"),
    ),
    Guard(
        verify_batch.signature_faults,
        "digest != bytes(batch.content_digest)",
        partial(named, f"{_BATCH} content_digest = sha256('x')", "its content has the digest"),
    ),
    Guard(verify_batch.signature_faults, "signed != digest.hex()", named_of_other_lines),
    Guard(
        verified_batches.verify_batch,
        "batch is None",
        _Rounds().test_that_refers_to_no_batch_is_held,
    ),
    Guard(
        verified_batches.verify_batch,
        "key.batch_fault(batch)",
        _Batches().test_from_before_its_key_was_approved_proves_nothing,
    ),
    Guard(
        hold_unsigned._had_limits,
        "in_force.decided_at < opened_at",
        partial(_Signed().test_has_the_limits_of_its_table, is_tampered=True),
    ),
)
NEEDLESS: Final = {
    ("verify_batch", "key.fault()"),  # persons sign the public key, and who they are
    ("verify_batch", "key.approval is None"),  # a fault of the batch as well
    ("_batch_of", "arrived.batch_id is None"),  # no batch has this id
}
"""Conditions that spare work, or help the type checker: another one refuses the same."""
MODULES: Final = (
    hold_unsigned,
    log_order,
    message_signature,
    required_at_arrival,
    verified_batches,
    verify_batch,
    verify_rows,
    web_signature,
)


@pytest.mark.django_db
@pytest.mark.usefixtures("table")
@pytest.mark.parametrize("guard", STORED, ids=lambda guard: guard.condition)
def test_without_it_its_attack_succeeds(guard: Guard, request: pytest.FixtureRequest) -> None:
    """It is named by nothing else, or settled."""
    guard.is_needed(request)


def test_the_list_is_complete() -> None:
    """Each condition under which these modules refuse, by an error or by what they return."""
    guards = (
        *(case.guard for case in WELL_FORMED),
        *STORED,
        *OF_BATCHES.values(),
        *OF_ROUNDS.values(),
        *OF_DATES.values(),
    )
    left = {
        refused
        for module in MODULES
        for refused in unguarded(module, guards) | returned_refusals(module) - guarded(guards)
    }

    assert left == NEEDLESS
