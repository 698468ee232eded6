"""Cases that were decided before decisions were signed: what is added to them pays nothing."""

from typing import Any

import pytest

from compliance.signatures.models import EarlierDecision
from compliance.trail.actor import Actor
from compliance.trail.record import record_entry
from payouts.cases import run_cases
from payouts.cases.models import Case, CaseWork
from tests.attacks.forgeries import (
    Moved,
    approval_columns,
    as_web,
    begin_execution,
    credit_columns,
    execute_without_paying,
    step,
)
from tests.attacks.guards import Guard
from tests.payouts.cases.case_scenarios import opened
from tests.payouts.settlement.resettlement_scenarios import GIULIA, LORENZO, stored

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("settled_rounds")]


def decided_before(**columns: Any) -> Case:
    """A case that Giulia proposed and Lorenzo approved, as the migration lists their records."""
    case = opened("goodwill", actor=Actor("Anna Riva", 5))
    proposal = step(case, 2, GIULIA, **credit_columns(100) | columns)
    approval = step(case, 3, LORENZO, **approval_columns(proposal))
    for row in (proposal, approval):
        record = record_entry(row.entry, at=row.at, actor=Actor(row.actor, row.actor_user_id))
        EarlierDecision.objects.create(record_id=record)
    return case


def test_a_round_added_to_one_is_not_settled_again() -> None:
    """Two persons once voided other rounds; the web role adds one to the execution."""
    round_ = stored("r-1")
    void: dict[str, Any] = {"remedy": "void", "customer": None, "cents": None, "effect": {}}
    case = decided_before(**void)
    with as_web():
        begin_execution(case, round=round_, after=1)

    assert execute_without_paying(case) == [("refused", None)]
    assert "before signatures" in CaseWork.objects.get(run_id=case.pk).error


def test_a_credit_is_proposed_again() -> None:
    """Its digest would agree, but nobody can tell whether it was paid elsewhere before."""
    case = decided_before()
    with as_web():
        begin_execution(case)

    assert execute_without_paying(case) == [("refused", None)]


def test_without_the_guard_the_credit_is_paid(request: pytest.FixtureRequest) -> None:
    """So it is needed."""
    guard = Guard(
        run_cases._execute,
        "not decision.is_signed",
        test_a_credit_is_proposed_again,
        noticed_by=Moved,
    )

    guard.is_needed(request)
