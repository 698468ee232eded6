"""Cases executed beyond what two persons signed: further rounds, other remedies."""

from typing import Final

import pytest
from django.db import ProgrammingError, transaction

from compliance.signatures.models import (
    EarlierDecision,
)
from compliance.trail.models import AuditRecord
from payouts.cases.decisions import PlannedSettlement, digest_of_plan
from payouts.cases.models import (
    CaseHalt,
    CasePlan,
    CaseStep,
    CaseWork,
    GoodwillCredit,
)
from payouts.cases.remedies import Remedy
from payouts.settlement.models import Settlement
from rounds.models import Customer
from tests.attacks.forgeries import (
    CENTS,
    approval_columns,
    as_owner,
    as_web,
    begin_execution,
    faults,
    key_of,
    nothing_moves,
    signed,
    step,
)
from tests.attacks.settings.test_forged_reasons import restrict
from tests.casino_in_play import NOW
from tests.payouts.cases.case_scenarios import (
    approve,
    credit_proposed,
    execute,
    opened,
    propose,
)
from tests.payouts.settlement.resettlement_scenarios import GIULIA, LORENZO, stored
from tests.signers import signing

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("settled_rounds", "resumers")]

ANNA: Final = signing("Anna Riva", 5)


class TestAnApprovedCase:
    def test_settles_no_further_round(self) -> None:
        """A work item for r-2 in the execution of a case about r-1."""
        case = opened("malfunction", "r-1")
        propose(case, Remedy.VOID)
        approve(case)
        with as_web():
            CaseWork.objects.create(
                run_id=case.pk, number=2, round=stored("r-2"), after=1, due_at=NOW
            )

        execute(case)

        assert Settlement.objects.filter(round=stored("r-2")).count() == 1
        assert "a settlement that nobody approved" in CaseHalt.objects.get().error

    def test_settles_no_round_that_was_added_to_its_plan(self) -> None:
        """With the planned settlement to match."""
        case = opened("malfunction", "r-1")
        propose(case, Remedy.VOID)
        approve(case)
        with as_web():
            planned = CasePlan.objects.get(case=case)
            planned.pk = (case.pk, planned.sequence, 2)
            planned.round_id = stored("r-2").pk
            planned.save(force_insert=True)
            CaseWork.objects.create(
                run_id=case.pk, number=2, round=stored("r-2"), after=1, due_at=NOW
            )

        assert "another plan than both persons saw" in nothing_moves(case)

    def test_is_not_executed_by_another_remedy(self) -> None:
        """The approval of a void, stored for a proposal of the rules."""
        case = opened("malfunction", "r-1")
        proposal = propose(case, Remedy.VOID)
        with as_web():
            columns = {**approval_columns(proposal), "remedy": "real_result"}
            signed(step(case, 3, LORENZO, **columns), key_of(LORENZO))
            begin_execution(case, round=stored("r-1"), after=1)

        assert "found real_result approved, not void" in nothing_moves(case)

    def test_pays_nothing_else_than_both_persons_saw(self) -> None:
        """The plan that they signed says otherwise than the remedy does."""
        case = opened("malfunction", "r-1")
        seen = propose(case, Remedy.VOID)
        plan = CasePlan.objects.get(case=case)
        plan.pk = (case.pk, 3, 1)
        plan.payouts_cents = [cents + 1 for cents in plan.payouts_cents]
        planned = PlannedSettlement(*(getattr(plan, name) for name in PlannedSettlement._fields))
        columns = {
            "action": "proposed",
            "remedy": seen.remedy,
            "effect": seen.effect,
            "effect_digest": digest_of_plan([planned]),
        }
        with as_web():
            plan.save(force_insert=True)
            proposal = step(case, 3, GIULIA, **columns)
            signed(proposal, key_of(GIULIA))
            signed(step(case, 4, LORENZO, **approval_columns(proposal)), key_of(LORENZO))
            begin_execution(case, round=stored("r-1"), after=1)

        assert "found other payouts than were approved" in nothing_moves(case)

    def test_is_executed_as_signed_whatever_its_work_says(self) -> None:
        """The signed plan names the settlement that it follows, not the row of the work."""
        case = opened("malfunction", "r-1")
        proposal = propose(case, Remedy.VOID)
        with as_web():
            signed(step(case, 3, LORENZO, **approval_columns(proposal)), key_of(LORENZO))
            begin_execution(case, round=stored("r-1"), after=7)

        assert execute(case) == [("done", 2)]

    def test_that_the_regulator_refused_is_not_executed(self) -> None:
        """Both persons sign nevertheless, where the trigger is gone."""
        restrict()
        case = credit_proposed("p-1", CENTS)
        with as_owner():
            signed(step(case, 3, GIULIA, action="referred"), key_of(GIULIA))
            signed(step(case, 4, GIULIA, action="refused"), key_of(GIULIA))
            proposal = CaseStep.objects.get(case=case, sequence=2)
            signed(step(case, 5, LORENZO, **approval_columns(proposal)), key_of(LORENZO))
            begin_execution(case)

        assert "found no proposal that was approved" in nothing_moves(case)

    def test_that_the_regulator_is_said_to_have_allowed_is_not_executed(self) -> None:
        """Rows of the web role say so; proposal and approval are genuine."""
        restrict()
        case = credit_proposed("p-1", CENTS)
        with as_web():
            step(case, 3, GIULIA, action="referred", reference="x", on_day=NOW.date())
            step(case, 4, GIULIA, action="allowed", reference="x", on_day=NOW.date())
        approve(case, seen=4)

        assert "referred by Giulia Marchetti: found no audit record of it" in nothing_moves(case)


def test_no_decision_is_declared_as_one_from_before_signatures() -> None:
    """The web role adds no row to that list."""
    with pytest.raises(ProgrammingError, match="denied"), transaction.atomic(), as_web():
        EarlierDecision.objects.create(record_id=AuditRecord.objects.latest("id").pk)


def test_what_two_persons_signed_is_right() -> None:
    """The control: nothing is reported, and the customer has the credit."""
    case = credit_proposed("p-1", 200)
    approve(case, actor=ANNA)

    assert execute(case) == [("done", None)]
    assert faults() == []
    credit = GoodwillCredit.objects.get(case=case)
    assert (credit.customer, credit.cents) == (Customer.objects.get(pseudonym="p-1"), 200)
