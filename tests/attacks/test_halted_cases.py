"""The halt of all cases at a forged one: it ends by two signatures and by nothing else."""

from typing import Final

import pytest
from django.db import ProgrammingError, transaction

from compliance.signatures.sign_decision import SignatureRequired
from compliance.signatures.signature_verifier import NotEntitled
from compliance.trail.actor import Actor
from compliance.trail.models import AuditRecord
from payouts.cases.halt_cases import ResumptionChanged, open_halts, resume_cases
from payouts.cases.models import (
    Case,
    CaseHalt,
    CaseHaltStep,
    CaseRun,
    GoodwillCredit,
)
from payouts.settlement.four_eyes import FourEyesRequired
from tests.attacks.forgeries import (
    as_owner,
    as_web,
    execute_without_paying,
    faults,
    forged_credit,
    key_of,
    nothing_moves,
    sign_past_services,
    signed,
)
from tests.casino_in_play import NOW
from tests.compliance.trail.lost_logs import give_role
from tests.payouts.cases.case_scenarios import (
    approve,
    credit_proposed,
    execute,
)
from tests.payouts.settlement.resettlement_scenarios import GIULIA, LORENZO
from tests.signers import signing

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("settled_rounds", "resumers")]

ANNA: Final = signing("Anna Riva", 5, roles=())


class TestAHalt:
    def test_stops_the_execution_of_every_case(self) -> None:
        """A right credit waits."""
        nothing_moves(forged_credit())
        case = credit_proposed("p-1", 200)
        approve(case)

        assert execute_without_paying(case) == [("", None)]
        assert not GoodwillCredit.objects.filter(case=case).exists()
        assert AuditRecord.objects.filter(action="CASES_HALTED").count() == 1

    def test_ends_by_two_signatures_and_refuses_the_forgery(self) -> None:
        """The right credit is paid, the forged one never."""
        forged = forged_credit()
        nothing_moves(forged)
        case = credit_proposed("p-1", 200)
        approve(case)

        for seen, actor in enumerate((GIULIA, LORENZO)):
            [halt] = open_halts()
            resume_cases(halt_id=halt.pk, seen=seen, note="Looked.", at=NOW, actor=actor)

        assert execute(case) == [("done", None)]
        assert execute(forged) == [("refused", None)]
        assert CaseRun.objects.get(case=forged).finished_at is not None
        assert not GoodwillCredit.objects.filter(case=forged).exists()

    def test_does_not_end_by_rows(self) -> None:
        """Both steps by SQL of the web role."""
        nothing_moves(forged_credit())
        [halt] = open_halts()
        with as_web():
            for sequence, (action, actor) in enumerate(
                (("proposed", GIULIA), ("resumed", LORENZO)), start=1
            ):
                CaseHaltStep.objects.create(
                    halt=halt,
                    sequence=sequence,
                    action=action,
                    note="Looked.",
                    at=NOW,
                    actor=actor.name,
                    actor_user_id=actor.user_id or 0,
                )

        assert len(open_halts()) == 1
        assert len([fault for fault in faults() if "row of CASES_RESUM" in fault]) == 2

    @pytest.mark.parametrize(
        ("action", "second"), [("proposed", LORENZO), ("resumed", GIULIA)], ids=["twice", "alone"]
    )
    def test_does_not_end_by_two_proposals_or_one_person(self, action: str, second: Actor) -> None:
        """All steps are signed; the trigger is gone."""
        nothing_moves(forged_credit())
        [halt] = open_halts()
        resume_cases(halt_id=halt.pk, seen=0, note="Looked.", at=NOW, actor=GIULIA)
        with as_owner():
            further = CaseHaltStep.objects.create(
                halt=halt,
                sequence=2,
                action=action,
                note="Looked.",
                at=NOW,
                actor=second.name,
                actor_user_id=second.user_id or 0,
            )
            signed(further, key_of(second))

        assert len(open_halts()) == 1

    @pytest.mark.parametrize(
        ("seen", "actor", "refusal"),
        [(1, GIULIA, FourEyesRequired), (0, LORENZO, ResumptionChanged)],
        ids=["alone", "unseen"],
    )
    def test_does_not_end_alone_or_unseen(
        self, seen: int, actor: Actor, refusal: type[Exception]
    ) -> None:
        """By the service: Giulia proposed it, which Lorenzo has not seen."""
        nothing_moves(forged_credit())
        [halt] = open_halts()
        resume_cases(halt_id=halt.pk, seen=0, note="Looked.", at=NOW, actor=GIULIA)

        with pytest.raises(refusal):
            resume_cases(halt_id=halt.pk, seen=seen, note="Looked.", at=NOW, actor=actor)

    @pytest.mark.parametrize("position", [0, 1])
    def test_does_not_end_by_somebody_without_a_proven_role(self, position: int) -> None:
        """Past the service, with a signature: rows of groups give nobody a role."""
        nothing_moves(forged_credit())
        [halt] = open_halts()
        persons = [GIULIA, LORENZO]
        persons[position] = ANNA
        with as_owner():
            for sequence, actor in enumerate(persons, start=1):
                row = CaseHaltStep.objects.create(
                    halt=halt,
                    sequence=sequence,
                    action="proposed" if sequence == 1 else "resumed",
                    note="Looked.",
                    at=NOW,
                    actor=actor.name,
                    actor_user_id=actor.user_id or 0,
                )
                sign_past_services(row.entry, at=NOW, actor=actor)

        assert len(open_halts()) == 1

    def test_is_not_resumed_by_somebody_without_a_proven_role(self) -> None:
        """By the service."""
        nothing_moves(forged_credit())
        [halt] = open_halts()

        with pytest.raises(NotEntitled):
            resume_cases(halt_id=halt.pk, seen=0, note="Looked.", at=NOW, actor=ANNA)

    def test_does_not_end_twice(self) -> None:
        """Two steps are all."""
        nothing_moves(forged_credit())
        [halt] = open_halts()
        for seen, actor in enumerate((GIULIA, LORENZO)):
            resume_cases(halt_id=halt.pk, seen=seen, note="Looked.", at=NOW, actor=actor)

        give_role(ANNA, "payments")
        with pytest.raises(ResumptionChanged):
            resume_cases(halt_id=halt.pk, seen=2, note="Looked.", at=NOW, actor=ANNA)

    def test_does_not_end_without_a_signature(self) -> None:
        """A person whose key is elsewhere."""
        nothing_moves(forged_credit())
        [halt] = open_halts()

        unsigned = Actor(LORENZO.name, LORENZO.user_id)
        with pytest.raises(SignatureRequired):
            resume_cases(halt_id=halt.pk, seen=0, note="Looked.", at=NOW, actor=unsigned)

    def test_is_not_removed_by_the_web_role(self) -> None:
        """Nor added."""
        nothing_moves(forged_credit())

        for attempt in (
            lambda: CaseHalt.objects.all().delete(),
            lambda: CaseHalt.objects.update(error=""),
            lambda: CaseHalt.objects.create(case=Case.objects.earliest("pk"), error="", at=NOW),
        ):
            with pytest.raises(ProgrammingError), transaction.atomic(), as_web():
                attempt()
