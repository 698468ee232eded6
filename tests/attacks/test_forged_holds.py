"""Legal holds that are lifted, or placed, without a signature: still in force, and named."""

from datetime import date
from functools import partial
from typing import Final

import pytest

from compliance.retention import legal_holds
from compliance.retention.legal_holds import (
    KNOWN,
    NotByAnother,
    holds_in_force,
    lift_hold,
    place_hold,
)
from compliance.retention.models import LegalHold, LegalHoldLift
from compliance.signatures.sign_decision import SignatureRequired, record_decision
from compliance.signatures.verify_rows import verify_rows
from compliance.signatures.verify_signatures import verify_signatures
from compliance.trail.actor import Actor
from compliance.trail.record import record_entry
from tests.attacks.forgeries import as_owner, as_web
from tests.attacks.guards import Attack, Guard, succeeds_without
from tests.casino_in_play import NOW
from tests.payouts.settlement.resettlement_scenarios import GIULIA, LORENZO
from tests.signers import FirstKey, signing

pytestmark = pytest.mark.django_db

DAY: Final = date(2020, 3, 9)
UNSIGNED: Final = Actor(GIULIA.name, GIULIA.user_id)


@pytest.fixture
def hold(db: None) -> LegalHold:
    """A hold that Lorenzo signed; Giulia has a key as well."""
    KNOWN.forget()
    assert isinstance(GIULIA.signer, FirstKey)
    GIULIA.signer.approve()
    return place_hold(
        first_day=DAY, last_day=DAY, about="p-1", reference="12/2026", at=NOW, actor=LORENZO
    )


def lifted(hold: LegalHold) -> LegalHoldLift:
    """A row of its lifting in Giulia's name."""
    return LegalHoldLift.objects.create(
        hold=hold,
        reason="over",
        lifted_at=NOW,
        actor=GIULIA.name,
        actor_user_id=GIULIA.user_id or 0,
    )


def faults() -> list[str]:
    """What ``verify_trail`` names about signed decisions."""
    found: list[str] = []
    verify_rows(found.append)
    verify_signatures(found.append)
    return found


def test_lifted_by_signature_is_over(hold: LegalHold) -> None:
    """The control."""
    lift_hold(hold_id=hold.pk, reason="over", at=NOW, actor=GIULIA)

    assert not holds_in_force().exists()
    assert faults() == []


def test_lifted_by_unsigned_rows_is_in_force(hold: LegalHold) -> None:
    """Row and audit record by SQL of the web role."""
    with as_web():
        record_entry(lifted(hold).entry, at=NOW, actor=UNSIGNED)

    assert list(holds_in_force()) == [hold]
    assert len(faults()) == 2  # the row, and its record


def test_lifted_by_a_row_alone_is_in_force(hold: LegalHold) -> None:
    """Without an audit record."""
    with as_web():
        lifted(hold)

    assert list(holds_in_force()) == [hold]
    unsigned = f"row of HOLD_LIFTED of hold:{hold} by {GIULIA.name}"
    assert faults() == [f"{unsigned}: found no audit record of it"]


@pytest.mark.parametrize("name", [LORENZO.name, "Lorenzo  FERRI"])
def test_lifted_by_its_placer_is_in_force(hold: LegalHold, name: str) -> None:
    """The service refuses it, and where the trigger is gone, his signature lifts nothing."""
    placer = signing(name, 99)
    with pytest.raises(NotByAnother):
        lift_hold(hold_id=hold.pk, reason="over", at=NOW, actor=placer)
    with as_owner():
        lift = LegalHoldLift.objects.create(
            hold=hold, reason="over", lifted_at=NOW, actor=name, actor_user_id=99
        )
        record_decision(lift.entry, at=NOW, actor=placer)

    assert list(holds_in_force()) == [hold]


def test_is_neither_placed_nor_lifted_without_a_signature(hold: LegalHold) -> None:
    """The services answer with the text and write nothing."""
    with pytest.raises(SignatureRequired):
        lift_hold(hold_id=hold.pk, reason="over", at=NOW, actor=UNSIGNED)
    with pytest.raises(SignatureRequired):
        place_hold(
            first_day=DAY, last_day=None, about="p-2", reference="13", at=NOW, actor=UNSIGNED
        )

    assert list(LegalHold.objects.all()) == [hold]
    assert not LegalHoldLift.objects.exists()


@pytest.mark.parametrize(
    "attack", [test_lifted_by_unsigned_rows_is_in_force, test_lifted_by_a_row_alone_is_in_force]
)
def test_without_the_guard_it_is_lifted(hold: LegalHold, attack: Attack) -> None:
    """By rows."""
    succeeds_without(legal_holds.KNOWN, "are_signed", attack, hold)


GUARDS: Final = (
    Guard(
        legal_holds.lift_hold,
        "is_same_person(hold.actor, hold.actor_user_id, actor)",
        partial(test_lifted_by_its_placer_is_in_force, name="Lorenzo  FERRI"),
    ),
    Guard(
        legal_holds._is_lifted,
        "not is_same_person(hold.actor, hold.actor_user_id, row.actor)",
        partial(test_lifted_by_its_placer_is_in_force, name=LORENZO.name),
        passing="True",
    ),
)


@pytest.mark.parametrize("guard", GUARDS, ids=lambda guard: guard.condition)
def test_without_it_the_placer_lifts_it(guard: Guard, request: pytest.FixtureRequest) -> None:
    """By signature."""
    guard.is_needed(request)
    KNOWN.forget()
