"""Steps of bundles that nobody signed: such a bundle is not sent, and all are named."""

from typing import Any

import pytest
from django.db import IntegrityError, transaction

from compliance.exports.models import Bundle, BundleStep
from compliance.exports.services import require_two_signatures as verification
from compliance.exports.services.bundle_steps import send_bundle, set_bundle_aside, sign_bundle
from compliance.exports.services.download_bundle import InvalidSignatures, downloadable_file
from compliance.exports.services.require_two_signatures import (
    UnsignedBundle,
    require_two_signatures,
)
from compliance.signatures.models import DecisionSignature
from compliance.signatures.sign_decision import SignatureRequired
from compliance.signatures.signature_verifier import SignatureVerifier
from compliance.signatures.verify_rows import verify_rows
from compliance.signatures.verify_signatures import verify_signatures
from compliance.trail.actor import Actor
from compliance.trail.models import AuditRecord
from compliance.trail.record import record_entry
from tests.attacks.forgeries import as_owner, as_web, key_of, signed
from tests.attacks.guards import Attack, succeeds_without
from tests.casino.api.exports.export_programs import approve, made
from tests.casino_in_play import NOW
from tests.compliance.exports.test_bundle_steps import LETTER
from tests.payouts.settlement.resettlement_scenarios import GIULIA, LORENZO
from tests.signers import FirstKey, with_roles

pytestmark = pytest.mark.django_db


@pytest.fixture
def bundle(db: None) -> Bundle:
    """The second bundle, with no steps; two persons have signed and sent the first."""
    made(1)
    approve()
    send_bundle(number=1, seen=2, letter=LETTER, at=NOW, actor=LORENZO)
    return made(2)


def forged(bundle: Bundle, sequence: int, actor: Actor, **columns: Any) -> BundleStep:
    """A row of a step without a signature; a signature of a bundle by default."""
    return BundleStep.objects.create(
        bundle=bundle,
        sequence=sequence,
        **{"action": "signed", "at": NOW, **columns},
        actor=actor.name,
        actor_user_id=actor.user_id or 0,
    )


def approve_keys() -> None:
    """The keys of both persons are in force before they sign."""
    for actor in (GIULIA, LORENZO):
        assert isinstance(actor.signer, FirstKey)
        actor.signer.approve()


def is_not_sent(bundle: Bundle) -> str:
    """Why the bundle is neither sent nor downloaded."""
    with pytest.raises(UnsignedBundle) as refusal:
        send_bundle(number=bundle.number, seen=2, letter=LETTER, at=NOW, actor=LORENZO)
    with pytest.raises(InvalidSignatures):
        downloadable_file(bundle)
    return str(refusal.value)


def faults() -> list[str]:
    """What the verifiers name."""
    found: list[str] = []
    verify_rows(found.append)
    verify_signatures(found.append)
    return found


class TestABundle:
    def test_with_signed_steps_has_no_fault(self, bundle: Bundle) -> None:
        """Each step is what its actor signed."""
        set_bundle_aside(number=2, seen=0, note="By mistake.", at=NOW, actor=GIULIA)

        assert faults() == []

    def test_with_two_unsigned_rows_is_not_sent(self, bundle: Bundle) -> None:
        """By SQL of the web role, with and without an audit record."""
        with as_web():
            row = forged(bundle, 1, GIULIA)
            record_entry(row.entry, at=NOW, actor=Actor(GIULIA.name, GIULIA.user_id))
            forged(bundle, 2, LORENZO)

        assert "found no signature" in is_not_sent(bundle)
        assert len(faults()) == 3

    def test_that_one_person_signed_for_both_is_not_sent(self, bundle: Bundle) -> None:
        """With the own key in another's name."""
        sign_bundle(number=2, seen=0, at=NOW, actor=GIULIA)
        with as_web():
            signed(forged(bundle, 2, LORENZO), key_of(GIULIA))

        assert "another person's key" in is_not_sent(bundle)
        assert len(faults()) == 2

    def test_that_administrators_signed_is_not_sent(self, bundle: Bundle) -> None:
        """They have keys, and sign nothing for the regulator."""
        for number, name in enumerate(("Ada Villa", "Bruno Villa"), start=1):
            person = with_roles(name, 30 + number, "administrator")
            with as_web():
                signed(forged(bundle, number, person), key_of(person))

        assert "found no role that may sign_bundle" in is_not_sent(bundle)

    def test_that_one_person_signed_is_not_downloaded(self, bundle: Bundle) -> None:
        """Somebody who disabled the triggers says that it was sent before."""
        sign_bundle(number=2, seen=0, at=NOW, actor=GIULIA)
        with as_owner():
            forged(bundle, 2, LORENZO, action="sent", reference="PEC 9", on_day=NOW.date())

        with pytest.raises(UnsignedBundle, match="needed the signatures of two persons"):
            require_two_signatures(bundle.number)

    def test_with_the_signatures_of_another_bundle_is_not_sent(self, bundle: Bundle) -> None:
        """The text names the bundle and its digest."""
        for sequence, actor in enumerate((GIULIA, LORENZO), start=1):
            record = AuditRecord.objects.get(
                subject="bundle:1", action="BUNDLE_SIGNED", actor=actor.name
            )
            with as_web():
                row = forged(bundle, sequence, actor)
                record_id = record_entry(row.entry, at=NOW, actor=Actor(*actor[:2]))
                replayed = DecisionSignature.objects.get(record_id=record.pk)
                replayed.record_id, replayed.signed_with = record_id, [record_id]
                replayed.save(force_insert=True)

        assert "found a signature" in is_not_sent(bundle)
        assert len(faults()) == 4

    def test_of_another_content_is_not_sent(self) -> None:
        """What both persons signed names another manifest than that of the row."""
        approve_keys()
        replaced = made(1)
        said = replaced.manifest_digest
        replaced.manifest_digest = bytes(32)
        steps = [
            BundleStep(
                bundle=replaced,
                sequence=sequence,
                action="signed",
                at=NOW,
                actor=actor.name,
                actor_user_id=actor.user_id or 0,
            )
            for sequence, actor in enumerate((GIULIA, LORENZO), start=1)
        ]
        assert said != replaced.manifest_digest
        for step, actor in zip(steps, (GIULIA, LORENZO), strict=True):
            with as_web():
                step.save(force_insert=True)
                signed(step, key_of(actor))

        assert "found no audit record of it" in is_not_sent(Bundle.objects.get())
        assert len(faults()) == 2

    def test_that_the_regulator_is_said_to_have_answered_is_named(self, bundle: Bundle) -> None:
        """A receipt in a person's name."""
        with as_web():
            letter = {"reference": "PEC 9/2026", "on_day": NOW.date()}
            forged(Bundle.objects.get(number=1), 4, LORENZO, action="received", **letter)

        [fault] = faults()
        assert fault.startswith("row of BUNDLE_RECEIVED of bundle:1 by Lorenzo Ferri")

    def test_is_signed_once_by_each(self, bundle: Bundle) -> None:
        """In the database, too."""
        forged(bundle, 1, GIULIA)

        with pytest.raises(IntegrityError), transaction.atomic(), as_web():
            forged(bundle, 2, GIULIA)

    def test_is_not_signed_without_a_key(self, bundle: Bundle) -> None:
        """Nothing is written."""
        with pytest.raises(SignatureRequired):
            sign_bundle(number=2, seen=0, at=NOW, actor=Actor(GIULIA.name, GIULIA.user_id))

        assert not BundleStep.objects.filter(bundle=bundle).exists()


@pytest.mark.parametrize(
    ("place", "guard", "attack"),
    [
        (
            SignatureVerifier,
            "verify_row",
            TestABundle.test_with_two_unsigned_rows_is_not_sent,
        ),
        (
            SignatureVerifier,
            "verify_row",
            TestABundle.test_with_the_signatures_of_another_bundle_is_not_sent,
        ),
        (
            verification,
            "_require_two_persons",
            TestABundle.test_that_one_person_signed_is_not_downloaded,
        ),
        (
            SignatureVerifier,
            "require_entitled",
            TestABundle.test_that_administrators_signed_is_not_sent,
        ),
    ],
)
def test_without_its_guard_an_attack_succeeds(
    bundle: Bundle, place: Any, guard: str, attack: Attack
) -> None:
    """The bundle is sent or downloaded."""
    succeeds_without(place, guard, attack, TestABundle(), bundle)
