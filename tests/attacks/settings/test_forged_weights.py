"""Multiplier weights that nobody signed: no certificate uses them, and all are named."""

import hashlib
import json
from datetime import datetime, timedelta
from typing import Any, Final

import pytest

from compliance.certification import verify_weights as verification
from compliance.certification.models import WeightSet, WeightSetApproval
from compliance.certification.queries import weights_in_force
from compliance.certification.services.set_weights import approve_weights, set_weights
from compliance.certification.verify_weights import verify_weights
from compliance.signatures import signature_verifier as verify_signatures_module
from compliance.signatures.models import DecisionSignature, EarlierDecision
from compliance.signatures.sign_decision import SignatureRequired
from compliance.signatures.signature_verifier import SignatureVerifier
from compliance.signatures.verify_rows import verify_rows
from compliance.signatures.verify_signatures import verify_signatures
from compliance.trail.actor import Actor
from compliance.trail.models import AuditRecord
from compliance.trail.record import record_entry
from tests.attacks.forgeries import as_owner, as_web, key_of, signed
from tests.attacks.guards import Attack, succeeds_without
from tests.casino_in_play import NOW
from tests.compliance.certification.weights.weight_documents import MULTIPLIER_DOCUMENT
from tests.payouts.settlement.resettlement_scenarios import GIULIA, LORENZO
from tests.rounds.rules.dealing import QUANTUM

pytestmark = pytest.mark.django_db

CONTENT: Final = json.dumps(MULTIPLIER_DOCUMENT)
OTHER: Final = CONTENT.replace("50", "51")
EARLIER: Final = NOW - timedelta(days=100)


@pytest.fixture(autouse=True)
def real(db: None) -> WeightSet:
    """Weights that two persons signed."""
    weights = set_weights(
        content=CONTENT, in_force_from=NOW.date(), reason="new server", at=NOW, actor=GIULIA
    )
    approve_weights(weights_id=weights.pk, at=NOW, actor=LORENZO)
    return weights


def forged(actor: Actor = GIULIA, **columns: Any) -> WeightSet:
    """A row of other weights, without a signature."""
    content = str(columns.get("content", OTHER))
    return WeightSet.objects.create(
        **{
            "rules": QUANTUM,
            "in_force_from": NOW.date(),
            "content": content,
            "digest": hashlib.sha256(content.encode()).digest(),
            "reason": "new server",
            "set_at": NOW,
            **columns,
        },
        actor=actor.name,
        actor_user_id=actor.user_id or 0,
    )


def approved(
    weights: WeightSet, actor: Actor = LORENZO, *, at: datetime = NOW
) -> WeightSetApproval:
    """A row of an approval, without a signature."""
    return WeightSetApproval.objects.create(
        weights=weights, approved_at=at, actor=actor.name, actor_user_id=actor.user_id or 0
    )


def faults(real: WeightSet) -> list[str]:
    """What the verifiers name; the real weights are in force in any case."""
    found: list[str] = []
    verify_weights(found.append)
    verify_rows(found.append)
    verify_signatures(found.append)
    assert weights_in_force(QUANTUM, on=NOW.date()) == real
    return found


class TestWeights:
    def test_that_two_persons_signed_have_no_fault(self, real: WeightSet) -> None:
        """Both rows are what their actors signed."""
        assert faults(real) == []

    def test_of_unsigned_rows_are_not_in_force(self, real: WeightSet) -> None:
        """By SQL of the web role, one row with an audit record."""
        with as_web():
            weights = forged()
            record_entry(weights.entry, at=NOW, actor=Actor(GIULIA.name, GIULIA.user_id))
            approved(weights)

        assert len(faults(real)) == 3

    def test_that_only_one_person_signed_are_not_in_force(self, real: WeightSet) -> None:
        """Giulia set them; her key does not sign for Lorenzo."""
        weights = set_weights(
            content=OTHER, in_force_from=NOW.date(), reason="x", at=NOW, actor=GIULIA
        )
        with as_web():
            signed(approved(weights), key_of(GIULIA))

        found = faults(real)
        assert len(found) == 2
        assert all("another person's key" in fault for fault in found)

    def test_that_one_person_set_and_approved_are_not_in_force(self, real: WeightSet) -> None:
        """Giulia signed both in her own name, with triggers disabled."""
        weights = set_weights(
            content=OTHER, in_force_from=NOW.date(), reason="x", at=NOW, actor=GIULIA
        )
        with as_owner():
            signed(approved(weights, GIULIA), key_of(GIULIA))

        assert faults(real) == []

    def test_with_the_signatures_of_others_are_not_in_force(self, real: WeightSet) -> None:
        """Both texts name the document's digest."""
        with as_web():
            weights = forged()
            for row in (weights, approved(weights)):
                actor = Actor(row.actor, row.actor_user_id)
                real_record = AuditRecord.objects.get(action=row.entry.action)
                record_id = record_entry(row.entry, at=NOW, actor=actor)
                replayed = DecisionSignature.objects.get(record_id=real_record.pk)
                replayed.record_id, replayed.signed_with = record_id, [record_id]
                replayed.save(force_insert=True)

        assert len(faults(real)) == 4

    def test_that_repeat_signed_ones_are_not_in_force(self, real: WeightSet) -> None:
        """The approval names the number of the weights."""
        with as_web():
            approved(forged(content=CONTENT))

        [fault] = faults(real)
        assert fault.startswith("row of BONUS_WEIGHTS_APPROVED")

    def test_with_another_digest_than_that_of_the_document_are_not_in_force(
        self, real: WeightSet
    ) -> None:
        """What a certificate would print."""
        with as_web():
            weights = forged(digest=bytes(32))
            signed(weights, key_of(GIULIA))
            signed(approved(weights), key_of(LORENZO))

        [fault] = faults(real)
        assert fault.startswith(f"{weights}: found a document with another digest")

    def test_with_the_times_of_some_from_before_signatures_are_not_in_force(
        self, real: WeightSet
    ) -> None:
        """Their records name another document."""
        before = forged(content=CONTENT, set_at=EARLIER)
        for row in (before, approved(before, at=EARLIER)):
            actor = Actor(row.actor, row.actor_user_id)
            record_id = record_entry(row.entry, at=EARLIER, actor=actor)
            EarlierDecision.objects.create(record_id=record_id)
        assert weights_in_force(QUANTUM, on=NOW.date()) == before
        with as_web():
            approved(forged(set_at=EARLIER, in_force_from=NOW.date()), at=EARLIER)

        assert weights_in_force(QUANTUM, on=NOW.date()) == before

    def test_are_not_set_or_approved_without_a_key(self, real: WeightSet) -> None:
        """Nothing is written."""
        with pytest.raises(SignatureRequired):
            set_weights(
                content=OTHER,
                in_force_from=NOW.date(),
                reason="x",
                at=NOW,
                actor=Actor(GIULIA.name, GIULIA.user_id),
            )
        weights = set_weights(
            content=OTHER, in_force_from=NOW.date(), reason="x", at=NOW, actor=GIULIA
        )
        with pytest.raises(SignatureRequired):
            approve_weights(
                weights_id=weights.pk, at=NOW, actor=Actor(LORENZO.name, LORENZO.user_id)
            )

        assert WeightSet.objects.count() == 2
        assert WeightSetApproval.objects.count() == 1


@pytest.mark.parametrize(
    ("place", "guard", "passing", "attack"),
    [
        (
            SignatureVerifier,
            "verify_row",
            True,
            TestWeights.test_of_unsigned_rows_are_not_in_force,
        ),
        (
            verification,
            "_has_its_digest",
            True,
            TestWeights.test_with_another_digest_than_that_of_the_document_are_not_in_force,
        ),
        (
            verify_signatures_module,
            "_agrees",
            True,
            TestWeights.test_with_the_times_of_some_from_before_signatures_are_not_in_force,
        ),
        (
            verification,
            "is_same_person",
            False,
            TestWeights.test_that_one_person_set_and_approved_are_not_in_force,
        ),
    ],
)
def test_without_its_guard_an_attack_succeeds(
    real: WeightSet, place: Any, guard: str, passing: object, attack: Attack
) -> None:
    """The forged weights are in force."""
    succeeds_without(place, guard, attack, TestWeights(), real, passing=passing)
