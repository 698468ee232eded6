"""Rule sets that nobody signed as the software has them: shown on *Today*, and named."""

from dataclasses import replace
from functools import partial
from typing import Final

import pytest

from compliance.signatures.models import DecisionSignature, EarlierDecision
from compliance.signatures.sign_decision import SignatureRequired
from compliance.signatures.verify_signatures import verify_signatures
from compliance.storage.database_roles.role import DatabaseRole
from compliance.trail.actor import Actor
from compliance.trail.models import AuditRecord
from compliance.trail.record import Entry, record_entry
from rounds.rules.catalogue import RULE_SETS, Catalogue, catalogue_of
from rounds.services import sign_rules as service
from rounds.services.put_rules_in_force import put_rules_in_force
from rounds.services.sign_rules import (
    KNOWN,
    NothingToSign,
    sign_rules,
    signature_of,
    unsigned_rule_sets,
    verify_rule_sets,
)
from tests.attacks.forgeries import as_role, as_web
from tests.attacks.guards import Guard, unguarded
from tests.casino_in_play import NOW
from tests.payouts.settlement.resettlement_scenarios import GIULIA, LORENZO
from tests.signers import FirstKey

pytestmark = pytest.mark.django_db

RULES: Final = "baccarat/1"
RELEASE: Final = Actor("release")
OTHER: Final = replace(RULE_SETS[RULES], decks=6)
CHANGED: Final[Catalogue] = {**RULE_SETS, **catalogue_of(OTHER)}


@pytest.fixture(autouse=True)
def _released(db: None) -> None:
    """A release whose rule sets are recorded; Giulia and Lorenzo have keys."""
    KNOWN.forget()
    put_rules_in_force(at=NOW, actor=RELEASE)
    for actor in (GIULIA, LORENZO):
        assert isinstance(actor.signer, FirstKey)
        actor.signer.approve()


def sign_all(catalogue: Catalogue = RULE_SETS) -> None:
    """Lorenzo signs every rule set."""
    for name in unsigned_rule_sets(catalogue):
        sign_rules(name=name, at=NOW, actor=LORENZO, catalogue=catalogue)


def forged(role: DatabaseRole = DatabaseRole.WEB, *, rules: str = RULES) -> AuditRecord:
    """A record of Lorenzo's signature by SQL of a role."""
    signed = RULE_SETS[rules]
    details = {
        "digest": signed.digest.hex(),
        "in_force_from": str(signed.in_force_from),
        "sheet": signed.sheet,
    }
    entry = Entry("RULES_SIGNED", f"rules:{rules}", details)
    with as_role(role):
        record_id = record_entry(entry, at=NOW, actor=Actor(LORENZO.name, LORENZO.user_id))
    return AuditRecord.objects.get(pk=record_id)


def named() -> list[str]:
    """What ``verify_trail`` names about rule sets and signed decisions."""
    found: list[str] = []
    verify_rule_sets(found.append)
    verify_signatures(found.append)
    return found


def test_of_a_release_are_named_until_a_person_signs_them() -> None:
    """Each by its name and digest."""
    assert unsigned_rule_sets() == list(RULE_SETS)
    digest = RULE_SETS[RULES].digest.hex()
    assert f"rules:{RULES}: found no signature of digest {digest}" in named()

    sign_all()

    assert unsigned_rule_sets() == []
    assert named() == []
    signature = signature_of(RULE_SETS[RULES])
    assert signature is not None
    assert signature.actor == LORENZO.name
    with pytest.raises(NothingToSign):
        sign_rules(name=RULES, at=NOW, actor=GIULIA)


def test_that_changed_after_the_signature_are_unsigned() -> None:
    """Whether the change is recorded or not."""
    sign_all()

    assert unsigned_rule_sets(CHANGED) == [RULES]
    put_rules_in_force(at=NOW, actor=RELEASE, catalogue=CHANGED)
    assert unsigned_rule_sets(CHANGED) == [RULES]
    sign_all(CHANGED)
    assert unsigned_rule_sets(CHANGED) == []


@pytest.mark.parametrize("role", [DatabaseRole.WEB, DatabaseRole.WORKER])
def test_that_a_record_says_a_person_signed_are_unsigned(role: DatabaseRole) -> None:
    """The record is named, too."""
    forged(role)

    assert RULES in unsigned_rule_sets()
    assert len(named()) == len(RULE_SETS) + 1


def test_are_signed_despite_a_record_that_says_nothing() -> None:
    """By SQL anything can be written, such as a text without a digest."""
    record = Entry("RULES_SIGNED", f"rules:{RULES}", {})
    with as_web():
        record_entry(record, at=NOW, actor=Actor(LORENZO.name, LORENZO.user_id))
    sign_all()

    assert unsigned_rule_sets() == []


def test_are_signed_by_the_record_that_says_so() -> None:
    """Not by one in the same name and of the same time that says otherwise."""
    said = Entry("RULES_SIGNED", f"rules:{RULES}", {"digest": OTHER.digest.hex()})
    with as_web():
        record_entry(said, at=NOW, actor=Actor(LORENZO.name, LORENZO.user_id))
    sign_rules(name=RULES, at=NOW, actor=LORENZO)

    signature = signature_of(RULE_SETS[RULES])
    assert signature is not None
    assert signature.details["digest"] == RULE_SETS[RULES].digest.hex()


def test_with_a_signature_of_another_rule_set_are_unsigned() -> None:
    """The text names the rule set and its digest."""
    sign_rules(name="blackjack/1", at=NOW, actor=LORENZO)
    replayed = DecisionSignature.objects.get()
    record = forged()
    with as_web():
        replayed.record_id, replayed.signed_with = record.pk, [record.pk]
        replayed.save(force_insert=True)

    assert RULES in unsigned_rule_sets()
    assert any("RULES_SIGNED" in fault for fault in named())


def test_with_the_signature_of_another_person_are_unsigned() -> None:
    """Giulia's, stored again as Lorenzo's."""
    sign_rules(name=RULES, at=NOW, actor=GIULIA)
    replayed = DecisionSignature.objects.get()
    assert RULES not in unsigned_rule_sets()
    record = forged()
    with as_web():
        replayed.record_id, replayed.signed_with = record.pk, [record.pk]
        replayed.save(force_insert=True)

    signature = signature_of(RULE_SETS[RULES])
    assert signature is not None
    assert signature.actor == GIULIA.name
    assert any("another person's key" in fault for fault in named())


def test_from_before_signatures_count_until_they_change() -> None:
    """A migration lists their records."""
    records = AuditRecord.objects.filter(action="RULES_PUT_IN_FORCE")
    EarlierDecision.objects.bulk_create(EarlierDecision(record_id=row.pk) for row in records)

    assert unsigned_rule_sets() == []
    assert named() == []
    assert unsigned_rule_sets(CHANGED) == [RULES]


def test_are_not_signed_without_a_key() -> None:
    """Nothing is written."""
    with pytest.raises(SignatureRequired):
        sign_rules(name=RULES, at=NOW, actor=Actor(LORENZO.name, LORENZO.user_id))

    assert not AuditRecord.objects.filter(action="RULES_SIGNED").exists()


GUARDS: Final = (
    Guard(
        service._is_genuine,
        "KNOWN.are_signed(SignedRow(entry, record.at, actor))",
        partial(test_that_a_record_says_a_person_signed_are_unsigned, role=DatabaseRole.WEB),
        passing="True",
    ),
    Guard(
        service._signature_among,
        "record.details['digest'] == rules.digest.hex()",
        test_from_before_signatures_count_until_they_change,
        passing="True",
    ),
    Guard(
        service._is_genuine,
        "EarlierDecision.objects.filter(pk=record.pk).exists()",
        test_of_a_release_are_named_until_a_person_signs_them,
        passing="True",
    ),
    Guard(
        service.sign_rules,
        "name not in unsigned_rule_sets(catalogue)",
        test_of_a_release_are_named_until_a_person_signs_them,
    ),
    Guard(
        service.sign_rules,
        "record_decision(_entry(catalogue[name]), at=at, actor=actor)",
        test_are_not_signed_without_a_key,
        passing="None",
    ),
)


@pytest.mark.parametrize("guard", GUARDS, ids=lambda guard: guard.condition)
def test_without_its_guard_an_attack_succeeds(guard: Guard, request: pytest.FixtureRequest) -> None:
    """The rule set counts as signed."""
    guard.is_needed(request)
    KNOWN.forget()


def test_the_list_of_guards_is_complete() -> None:
    """Each condition under which a signature is refused is in it."""
    assert unguarded(service, GUARDS) == set()
