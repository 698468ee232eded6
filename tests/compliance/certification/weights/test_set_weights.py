"""An operator's weights: set by one person, approved by another, used by certificates."""

import io
import json
from datetime import date, timedelta

import pytest
from django.core.management import call_command
from django.db import DatabaseError, transaction

from compliance.certification.models import WeightSet, WeightSetApproval
from compliance.certification.queries import weights_in_force
from compliance.certification.returns.weights_document import InvalidWeights
from compliance.certification.services.set_weights import (
    AlreadyApproved,
    MissingReason,
    SecondPersonRequired,
    approve_weights,
    set_weights,
)
from compliance.trail.actor import Actor
from compliance.trail.models import AuditRecord
from tests.casino_in_play import NOW
from tests.compliance.certification.weights.weight_documents import MULTIPLIER_DOCUMENT
from tests.payouts.settlement.resettlement_scenarios import GIULIA, LORENZO
from tests.rounds.rules.dealing import MEGA_FIRE_BLAZE, QUANTUM

pytestmark = pytest.mark.django_db

DAY = date(2026, 11, 20)
CONTENT = json.dumps(MULTIPLIER_DOCUMENT)


def set_by(
    actor: Actor = GIULIA, *, day: date = DAY, reason: str = "new server", content: str = CONTENT
) -> WeightSet:
    """Weights without approval."""
    return set_weights(content=content, in_force_from=day, reason=reason, at=NOW, actor=actor)


def approved(*, day: date = DAY) -> WeightSet:
    """Weights with approval."""
    weights = set_by(day=day)
    approve_weights(weights_id=weights.pk, at=NOW, actor=LORENZO)
    return weights


class TestWeightsInForce:
    def test_are_those_that_another_person_approved(self) -> None:
        """From their first day on."""
        set_by()
        assert weights_in_force(QUANTUM, on=DAY) is None
        weights = approved()

        assert weights_in_force(QUANTUM, on=DAY) == weights
        assert weights_in_force(QUANTUM, on=DAY - timedelta(days=1)) is None
        assert weights_in_force(MEGA_FIRE_BLAZE, on=DAY) is None

    def test_are_the_latest_that_have_begun(self) -> None:
        """By first day, then by time of entry."""
        approved(day=DAY + timedelta(days=1))
        before, after = approved(), approved()

        assert before.pk < after.pk
        assert weights_in_force(QUANTUM, on=DAY) == after

    @pytest.mark.slow
    def test_are_what_the_certificate_command_can_use(self) -> None:
        """On request only."""
        approved()
        out = io.StringIO()

        call_command("certify", "--json", "--in-force", QUANTUM, stdout=out)

        assert json.loads(out.getvalue())[0]["rtp"] == "98.058645"

    def test_are_recorded(self) -> None:
        """With setter, approver and digest."""
        weights = approved()

        records = AuditRecord.objects.filter(subject=f"rules:{QUANTUM}").order_by("id")
        assert [(record.action, record.actor) for record in records] == [
            ("BONUS_WEIGHTS_SET", GIULIA.name),
            ("BONUS_WEIGHTS_APPROVED", LORENZO.name),
        ]
        assert {record.details["sha256"] for record in records} == {weights.digest.hex()}
        assert records[1].details["set_by"] == GIULIA.name


class TestWhatIsRefused:
    def test_is_an_approval_by_the_same_person(self) -> None:
        """Under another name too, and by a program."""
        weights = set_by()

        for actor in (GIULIA, Actor("giulia marchetti", 9), Actor("night")):
            with pytest.raises(SecondPersonRequired):
                approve_weights(weights_id=weights.pk, at=NOW, actor=actor)
        with pytest.raises(SecondPersonRequired):
            set_by(Actor("night"))

    def test_is_the_same_in_the_database(self) -> None:
        """By a trigger."""
        weights = set_by()

        with pytest.raises(DatabaseError, match="another has to approve"), transaction.atomic():
            WeightSetApproval.objects.create(
                weights=weights, approved_at=NOW, actor="x", actor_user_id=weights.actor_user_id
            )

    def test_is_a_second_approval(self) -> None:
        """Weights are approved once."""
        with pytest.raises(AlreadyApproved):
            approve_weights(weights_id=approved().pk, at=NOW, actor=Actor("Third", 8))

    def test_is_an_invalid_document(self) -> None:
        """Nor without a reason; nothing is stored."""
        with pytest.raises(MissingReason):
            set_by(reason=" ")
        with pytest.raises(InvalidWeights):
            set_by(content="{}")

        assert not WeightSet.objects.exists()
