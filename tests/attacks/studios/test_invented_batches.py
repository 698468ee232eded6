"""Batches that no studio signed, stored by SQL: they prove no round, and none is paid."""

import pytest

from rounds.models import (
    StudioKeyStep,
)
from rounds.signatures import hold_unsigned, verified_batches
from rounds.signatures.signature import Signature
from rounds.signatures.store_signature import store_signature
from tests.attacks.forgeries import as_web
from tests.attacks.guards import Guard
from tests.attacks.studios.signed_feeds import A, B, without_triggers
from tests.attacks.studios.stored_rounds import (
    assert_held,
    signature_by,
    signed_and_withdrawn,
    store,
)
from tests.casino_in_play import NOW, open_table
from tests.studio_signatures import Signer, ingest_signed

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("table")]


class TestABatch:
    def forged(self, signature: Signature) -> None:
        """Stores the rounds of A as if a batch with this signature contained them."""
        store(A, signature._replace(content=lambda: [A]))

    def test_with_an_invented_signature_proves_nothing(self) -> None:
        """Of a genuine key: the database cannot verify signatures."""
        Signer().registered()
        signature = signed_and_withdrawn(B)
        self.forged(signature._replace(signature=bytes(64)))

        assert_held("r-a1", "r-a2")

    def test_with_other_bytes_proves_nothing(self) -> None:
        """The signature is genuine, of the digest of other rounds."""
        Signer().registered()
        self.forged(signed_and_withdrawn(B))

        assert_held("r-a1", "r-a2")

    def test_of_a_key_that_one_person_approved_proves_nothing(self) -> None:
        """The approval is a row."""
        key = Signer().proposed()
        with as_web():
            StudioKeyStep.objects.create(
                key=key, sequence=1, action="approved", at=NOW, actor="Lorenzo", actor_user_id=42
            )
        store(A, signature_by(key, A))

        assert_held("r-a1", "r-a2")

    def test_from_before_its_key_was_approved_proves_nothing(self) -> None:
        """Somebody has disabled the trigger that refuses it."""
        Signer().registered()
        ingest_signed(A, Signer().signature_lines(A))
        without_triggers("UPDATE rounds_signedbatch SET received_at = '2020-01-01'")

        assert_held("r-a1", "r-a2")

    def test_of_another_table_proves_nothing(self) -> None:
        """The key of one studio, for a table of another."""
        open_table("bac-2")
        key = Signer().registered("bac-2")
        stored = store_signature(signature_by(key, A), source="feed.ndjson", at=NOW)
        store(A)
        without_triggers("UPDATE rounds_round SET signed_batch_id = %s", [stored.pk])

        assert_held("r-a1", "r-a2")


_Batches = TestABatch()
GUARDS = {
    "table": Guard(
        hold_unsigned._batch_of,
        "arrived.stored.dealt.table not in batch.tables",
        _Batches.test_of_another_table_proves_nothing,
    ),
    "persons": Guard(
        verified_batches.verify_batch,
        "not is_approved_by_two(batch.key, key.approval)",
        _Batches.test_of_a_key_that_one_person_approved_proves_nothing,
    ),
    "key": Guard(
        verified_batches.verify_batch,
        "key.fault() or key.batch_fault(batch) or key.approval is None",
        _Batches.test_from_before_its_key_was_approved_proves_nothing,
    ),
    "signature": Guard(
        verified_batches.verify_batch,
        "any(signature_faults(batch, batch.key, content))",
        _Batches.test_with_an_invented_signature_proves_nothing,
    ),
}


@pytest.mark.parametrize("guard", GUARDS.values(), ids=GUARDS)
def test_without_its_guard_is_paid(guard: Guard, request: pytest.FixtureRequest) -> None:
    """Each condition is needed."""
    guard.is_needed(request)
