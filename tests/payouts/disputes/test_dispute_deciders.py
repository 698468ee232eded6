"""Disputes are decided by uninvolved people, in the service and in the database."""

import pytest
from django.db import DatabaseError, transaction

from compliance.trail.actor import Actor
from payouts.cases.decide_case import reject_case, withdraw_case
from payouts.cases.remedies import Remedy
from payouts.disputes.close_dispute import advance_remedied_dispute
from payouts.disputes.decide_dispute import DeciderInvolved
from payouts.disputes.models import Dispute, DisputeStep
from rounds.rules.ruling import Ruling
from tests.casino_in_play import NOW
from tests.payouts.cases.case_scenarios import decided, opened, propose
from tests.payouts.disputes.dispute_scenarios import (
    ANNA,
    PAOLO,
    VERBS,
    disputed,
    own_case,
    play,
    seen,
    take,
    whole,
)
from tests.payouts.settlement.resettlement_scenarios import GIULIA, LORENZO
from tests.signers import signing

pytestmark = pytest.mark.django_db
_CARLA = signing("Carla Neri", 12)


def refused(dispute: Dispute, actor: Actor) -> None:
    """Asserts that service and database refuse all three decisions."""
    for verb in ("upheld", "partly_upheld", "rejected"):
        with pytest.raises(DeciderInvolved, match=f"actor: found {actor.name}, who "):
            VERBS[verb](dispute, actor=actor)
        with pytest.raises(DatabaseError, match="another has to decide"), transaction.atomic():
            past_the_application(dispute, verb, actor)


def past_the_application(dispute: Dispute, verb: str, actor: Actor) -> DisputeStep:
    """Inserts the decision as a row."""
    return DisputeStep.objects.create(
        dispute=dispute,
        sequence=seen(dispute) + 1,
        action=verb,
        note="x",
        at=NOW,
        actor=actor.name,
        actor_user_id=actor.user_id,
    )


class TestADecision:
    @pytest.mark.parametrize(
        "actor", [ANNA, Actor("Somebody Else", ANNA.user_id), Actor("anna  CONTI".title(), 55)]
    )
    def test_is_not_taken_by_the_opener_of_the_dispute(self, actor: Actor) -> None:
        """Nor under another name or account."""
        play()
        dispute = disputed()
        take(dispute)

        with pytest.raises(DeciderInvolved):
            VERBS["rejected"](dispute, actor=actor)

    def test_is_refused_by_the_database_to_the_opener_of_the_dispute(self) -> None:
        """All three decisions."""
        play()
        dispute = disputed()
        take(dispute)

        refused(dispute, ANNA)
        refused(dispute, Actor(ANNA.name.upper(), 55))

    @pytest.mark.parametrize("actor", [GIULIA, LORENZO])
    def test_is_not_taken_by_deciders_about_the_round(self, actor: Actor) -> None:
        """Giulia opened and proposed, Lorenzo approved."""
        play()
        decided("refund", "r-1", remedy=Remedy.REFUND_BETS, ruling=Ruling(refunded=frozenset({0})))
        dispute = disputed()
        take(dispute)

        refused(dispute, actor)

    def test_is_taken_by_a_person_who_rejected_a_case_of_the_round(self) -> None:
        """A rejection moves no money."""
        play()
        case = opened("malfunction", "r-1")
        propose(case, Remedy.VOID)
        reject_case(case_id=case.pk, seen=2, note="No.", at=NOW, actor=_CARLA)
        dispute = disputed()
        take(dispute)

        whole(dispute, actor=_CARLA)

        assert seen(dispute) == 3

    def test_is_not_taken_by_a_machine_past_the_application(self) -> None:
        """The database requires an account."""
        play()
        dispute = disputed()
        take(dispute)

        with pytest.raises(DatabaseError, match="another has to decide"), transaction.atomic():
            past_the_application(dispute, "rejected", Actor("a program"))

    def test_may_be_repeated_by_the_same_person_after_a_failed_remedy(self) -> None:
        """The case opened by the decision does not count."""
        play()
        dispute = disputed()
        take(dispute)
        whole(dispute)
        case = own_case(dispute)
        withdraw_case(case_id=case.pk, seen=2, note="Wrong amount.", at=NOW, actor=GIULIA)
        assert advance_remedied_dispute(dispute_id=dispute.pk, at=NOW) is not None

        whole(dispute)

        assert [step.actor for step in dispute.steps.filter(action="upheld")] == [PAOLO.name] * 2
