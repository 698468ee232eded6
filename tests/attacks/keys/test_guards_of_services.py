"""Each guard of the services of signing keys is needed: without it an attack on them succeeds."""

from types import ModuleType
from typing import Final

import pytest
from django.db import IntegrityError

from compliance.signatures import manage_keys, queries, sign_decision
from compliance.signatures.assertions import Assertion, InvalidAssertion
from compliance.signatures.manage_keys import HolderCannotApprove, register_key, revoke_key
from compliance.signatures.queries import KeyNotInForce
from compliance.signatures.software_key import SoftwareKey
from tests.attacks.guards import Guard, fixtures_of, succeeds_without_trigger, unguarded, weakened
from tests.attacks.keys.test_forged_browser_keys import GUARDS as OF_BROWSERS
from tests.compliance.signatures.test_manage_keys import TestAKey as _Keys
from tests.compliance.signatures.test_manage_keys import TestTheFirstKeys as _FirstKeys
from tests.compliance.signatures.test_manage_keys import giulia
from tests.signers import AT, HOST, FirstKey, Person, rooted

pytestmark = pytest.mark.django_db
__all__ = ["giulia"]  # a fixture of the attacks' own tests


class OtherText(FirstKey):
    """Signs something else than what is decided."""

    def sign(self, text: str) -> Assertion:
        """Of another text."""
        return self.key.sign(f"{text} ")


def test_a_program_registers_no_key() -> None:
    """Nobody could say whose it is."""
    key = SoftwareKey.generate()
    with pytest.raises(HolderCannotApprove):
        register_key(
            public=key.public, credential_id=key.credential_id, label="x", at=AT, actor=HOST
        )


def test_a_key_signs_for_its_holder_alone(giulia: Person) -> None:
    """Marco decides with Giulia's key."""
    marco = rooted("Marco", 2)
    with pytest.raises(KeyNotInForce):
        revoke_key(
            key_id=marco.row.id, note="x", at=AT, actor=marco.actor._replace(signer=giulia.key)
        )


def test_a_signature_is_of_what_is_decided(giulia: Person) -> None:
    """The person saw another text."""
    signer = OtherText(giulia.actor, giulia.key)
    with pytest.raises(InvalidAssertion):
        revoke_key(
            key_id=giulia.row.id, note="x", at=AT, actor=giulia.actor._replace(signer=signer)
        )


GUARDS: Final = (
    # Rows of keys without a person, or with a known number, are refused by the table as well.
    Guard(
        manage_keys.register_key,
        "actor.user_id is None",
        test_a_program_registers_no_key,
        noticed_by=IntegrityError,
    ),
    Guard(
        manage_keys.register_key,
        "SigningKey.objects.filter(pk=key.id).exists()",
        _Keys().test_is_registered_once,
        noticed_by=IntegrityError,
    ),
    Guard(manage_keys.root_key, "len(holders) >= _ROOTS", _FirstKeys().test_are_two_persons),
    Guard(manage_keys._lock, "status not in needed", _Keys().test_is_rejected_for_good),
    # The table takes no approval of a program, and its trigger none of the holder.
    Guard(
        manage_keys._require_another,
        "actor.user_id is None",
        _Keys().test_is_not_approved_by_its_holder,
        noticed_by=IntegrityError,
    ),
    Guard(
        manage_keys._require_another,
        "is_same_person(key.person_name, key.person_id, actor)",
        _Keys().test_is_not_approved_by_its_holder,
        noticed_by=IntegrityError,
    ),
    Guard(
        manage_keys._require_another,
        "is_same_person(step.actor, step.actor_user_id, actor)",
        _Keys().test_is_not_approved_twice_by_one_person,
        noticed_by=IntegrityError,
    ),
    Guard(manage_keys._reason, "not note.strip()", _Keys().test_is_rejected_for_good),
    Guard(
        sign_decision.create_signed_step,
        "record_decision(step.entry, at=at, actor=actor)",
        _Keys().test_is_not_approved_without_a_signature,
        passing="None",
    ),
    Guard(
        sign_decision._Together.sign,
        "self._signer is None",
        _Keys().test_is_not_approved_without_a_signature,
        noticed_by=AttributeError,
    ),
    Guard(
        sign_decision._sign,
        "verify_assertion(assertion, text=text, key=key.public)",
        test_a_signature_is_of_what_is_decided,
        passing="None",
    ),
    Guard(
        queries.keys_of,
        "SigningKey.objects.filter(person_id=person_id)",
        test_a_key_signs_for_its_holder_alone,
        passing="SigningKey.objects.all()",
    ),
    Guard(
        queries.key_in_force,
        "key.is_software and (not settings.SOFTWARE_KEYS)",
        _Keys().test_of_the_demo_signs_in_a_demo_only,
    ),
    Guard(
        queries.key_in_force,
        "not period_of(key).contains(at)",
        _Keys().test_waits_for_another_person,
    ),
    Guard(
        queries.KeyPeriod.contains,
        "self.begins_at <= at",
        _Keys().test_signs_a_day_after_its_approval,
        passing="True",
    ),
)


@pytest.mark.parametrize("guard", GUARDS, ids=lambda guard: guard.condition)
def test_without_it_its_attack_succeeds(guard: Guard, request: pytest.FixtureRequest) -> None:
    """The decision is stored, or only the table refuses it."""
    guard.is_needed(request)


def test_without_service_and_trigger_a_holder_approves(request: pytest.FixtureRequest) -> None:
    """Both refuse it, so that neither alone is missed."""
    attack = _Keys().test_is_not_approved_by_its_holder
    condition = "is_same_person(key.person_name, key.person_id, actor)"
    with weakened(manage_keys._require_another, condition):
        succeeds_without_trigger(
            "signatures_signingkeystep",
            "signing_key_approved_by_another",
            attack,
            **fixtures_of(attack, request),
        )


@pytest.mark.parametrize("module", [manage_keys, queries, sign_decision])
def test_the_list_is_complete(module: ModuleType) -> None:
    """Each condition under which these modules refuse something is in it."""
    assert unguarded(module, (*GUARDS, *OF_BROWSERS)) == set()
