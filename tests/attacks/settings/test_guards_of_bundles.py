"""Each guard of bundles and of multiplier weights is needed."""

import json
from functools import partial
from types import ModuleType
from typing import Any, Final

import pytest
from django.db import DatabaseError, IntegrityError

from compliance.certification.services import set_weights as weights
from compliance.certification.services.set_weights import (
    AlreadyApproved,
    MissingReason,
    SecondPersonRequired,
    approve_weights,
    set_weights,
)
from compliance.exports.services import bundle_steps as bundles
from compliance.exports.services import require_two_signatures as two_signatures
from compliance.exports.services.bundle_steps import (
    AlreadySigned,
    BundleSuperseded,
    MissingText,
    answer_bundle,
    send_bundle,
    set_bundle_aside,
    sign_bundle,
)
from compliance.trail import steps
from compliance.trail.actor import Actor
from compliance.trail.steps import PersonRequired, StaleState, WrongStatus
from tests.attacks.guards import Refused, unguarded
from tests.casino_in_play import NOW
from tests.compliance.certification.weights.weight_documents import MULTIPLIER_DOCUMENT
from tests.compliance.exports.test_bundle_steps import LETTER, approved, made, sent
from tests.payouts.settlement.resettlement_scenarios import GIULIA, LORENZO

pytestmark = pytest.mark.django_db

NOBODY: Final = Actor("nightly job", None)
BY: Final[dict[str, Any]] = {"at": NOW, "actor": LORENZO}


def signed_by(*actors: Actor, seen: int | None = None) -> None:
    """A new bundle, signed by each of these."""
    made()
    for number, actor in enumerate(actors):
        sign_bundle(number=1, seen=number if seen is None else seen, at=NOW, actor=actor)


def replaced() -> None:
    """A bundle in whose place there is another one."""
    made(2, supersedes=made())
    sign_bundle(number=1, seen=0, **BY)


def answered(note: str = "no", reference: str = "9", *, is_received: bool = False) -> None:
    """A bundle that was sent."""
    sent()
    letter = LETTER._replace(note=note, reference=reference)
    answer_bundle(number=1, seen=3, is_received=is_received, letter=letter, **BY)


def set_aside(note: str) -> None:
    """A new bundle."""
    made()
    set_bundle_aside(number=1, seen=0, note=note, **BY)


def sent_after(seen: int) -> None:
    """An approved bundle, of which somebody saw another step last."""
    approved()
    send_bundle(number=1, seen=seen, letter=LETTER, **BY)


def sent_unsigned() -> None:
    """A bundle that nobody signed."""
    made()
    send_bundle(number=1, seen=0, letter=LETTER, **BY)


def required_of_one() -> None:
    """A bundle that one person signed."""
    signed_by(GIULIA)
    two_signatures.require_two_signatures(1)


def put_in_force(*approvers: Actor, by: Actor = GIULIA, reason: str = "new server") -> None:
    """Weights, approved by each of these."""
    content = json.dumps(MULTIPLIER_DOCUMENT)
    row = set_weights(content=content, in_force_from=NOW.date(), reason=reason, at=NOW, actor=by)
    for approver in approvers:
        approve_weights(weights_id=row.pk, at=NOW, actor=approver)


REFUSED: Final = (
    Refused(
        sign_bundle,
        "is_same_person(signature.actor, signature.actor_user_id, actor)",
        partial(signed_by, LORENZO, LORENZO),
        AlreadySigned,
        DatabaseError,
    ),
    Refused(
        set_bundle_aside,
        "not note.strip()",
        partial(set_aside, " "),
        MissingText,
        DatabaseError,
    ),
    Refused(
        answer_bundle,
        "not is_received and (not letter.note.strip())",
        partial(answered, note=" "),
        MissingText,
    ),
    Refused(bundles._lock_bundle, "successor is not None", replaced, BundleSuperseded),
    Refused(
        bundles._letter_fields,
        "not letter.reference.strip()",
        partial(answered, reference=" "),
        MissingText,
        DatabaseError,
    ),
    Refused(
        two_signatures._require_two_persons,
        "min(len(persons), len(names)) < SIGNATURES",
        required_of_one,
        two_signatures.UnsignedBundle,
    ),
    Refused(
        steps.require_latest,
        "latest.sequence != seen",
        partial(sent_after, 1),
        StaleState,
        DatabaseError,
    ),
    Refused(
        steps.require_status,
        "status not in needed",
        sent_unsigned,
        WrongStatus,
        two_signatures.UnsignedBundle,
    ),
    Refused(
        steps.require_person,
        "actor.user_id is None",
        partial(signed_by, NOBODY),
        PersonRequired,
        DatabaseError,
    ),
    Refused(
        set_weights,
        "actor.user_id is None",
        partial(put_in_force, by=NOBODY),
        SecondPersonRequired,
        IntegrityError,
    ),
    Refused(set_weights, "not reason.strip()", partial(put_in_force, reason=" "), MissingReason),
    Refused(
        approve_weights,
        "actor.user_id is None",
        partial(put_in_force, NOBODY),
        SecondPersonRequired,
        IntegrityError,
    ),
    Refused(
        approve_weights,
        "is_same_person(weights.actor, weights.actor_user_id, actor)",
        partial(put_in_force, GIULIA),
        SecondPersonRequired,
        IntegrityError,
    ),
    Refused(
        approve_weights,
        "WeightSetApproval.objects.filter(weights=weights).exists()",
        partial(put_in_force, LORENZO, LORENZO),
        AlreadyApproved,
        IntegrityError,
    ),
)


@pytest.mark.parametrize("case", REFUSED, ids=str)
def test_is_refused(case: Refused) -> None:
    """By the service; nothing is written."""
    case.is_refused()


@pytest.mark.parametrize("case", REFUSED, ids=str)
def test_without_its_guard_it_is_not(case: Refused, request: pytest.FixtureRequest) -> None:
    """It is stored, or something else refuses it."""
    case.guard.is_needed(request)


@pytest.mark.parametrize("module", [bundles, two_signatures, steps, weights])
def test_the_list_is_complete(module: ModuleType) -> None:
    """Each condition under which these services refuse something is in it."""
    assert unguarded(module, (case.guard for case in REFUSED)) == set()
