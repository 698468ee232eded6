"""Money that a worker pays without verifying who decided: the next reconciliation names it."""

from collections.abc import Callable
from datetime import date
from typing import Any, Final

import pytest
from django.db import transaction

from compliance.storage.database_roles.role import DatabaseRole
from payouts.cases.credit_goodwill import credit_goodwill
from payouts.cases.models import CaseStep, CaseWork
from payouts.cases.remedies import Remedy
from payouts.cases.verify_case import ApprovedProposal
from payouts.reconciliation.checks import decisions
from payouts.reconciliation.checks.messages import difference_message
from payouts.reconciliation.reconcile import Scope
from payouts.settlement.four_eyes import four_eyes_decision
from payouts.settlement.resettle import Resettlement
from payouts.settlement.resettle_round import resettle_round
from payouts.settlement.void_round import void_round
from tests.attacks.forgeries import as_role, faults, forged_credit
from tests.attacks.guards import Guard
from tests.casino_in_play import NOW
from tests.payouts.cases.case_scenarios import decided
from tests.payouts.reconciliation.five_games import differences
from tests.payouts.settlement.resettlement_scenarios import GIULIA, LORENZO, stored

DAY: Final = date(2026, 11, 21)


@pytest.mark.usefixtures("small_casino")
def test_a_credit_that_nobody_signed_is_named() -> None:
    """The worker's role posts it in full, so that all sums agree."""
    case = forged_credit()
    proposal = CaseStep.objects.get(case=case, action="proposed")
    by = four_eyes_decision(actor=GIULIA, approved_by=LORENZO, reason="Seen.", at=NOW)
    paid = {"customer_id": proposal.customer_id or 0, "cents": proposal.cents or 0}
    with transaction.atomic(), as_role(DatabaseRole.WORKER):
        credit_goodwill(case=case, by=by, **paid)

    [named] = map(difference_message, differences())
    assert named.startswith(f"Signatures of a decision, case {case}: found error")
    assert f"proposed by {GIULIA.name}: found no signature" in named


def settle_as_worker(settle_again: Callable[..., Resettlement], *, after: int) -> None:
    """The worker's role settles r-1 again, in the name of two persons."""
    by: dict[str, Any] = {"reason": "Seen.", "actor": GIULIA, "approved_by": LORENZO}
    with transaction.atomic(), as_role(DatabaseRole.WORKER):
        settle_again(round_id=stored().id, after=after, at=NOW, **by)


def named() -> list[str]:
    """What a reconciliation of the day of the rounds names, which closing it requires."""
    return [difference_message(row) for row in differences(Scope(first_day=DAY, last_day=DAY))]


@pytest.mark.usefixtures("small_casino")
def test_a_void_without_a_case_is_named() -> None:
    """All books agree, and the audit record names two persons."""
    settle_as_worker(void_round, after=1)

    [difference] = named()
    unsigned = f"found approved by {LORENZO.name}; needed the signatures of those who decided"
    assert difference == f"Signatures of a decision, round r-1 · settlement 2: {unsigned}"


@pytest.mark.slow
@pytest.mark.usefixtures("small_casino")
def test_a_case_accounts_for_its_own_settlement_alone() -> None:
    """Two persons voided the round; the worker pays it again, and voids it in their name."""
    case, outcomes = decided("malfunction", "r-1", remedy=Remedy.VOID)
    assert (outcomes, named(), faults()) == ([("done", 2)], [], [])
    settle_as_worker(resettle_round, after=2)
    settle_as_worker(void_round, after=3)
    with as_role(DatabaseRole.WORKER):
        CaseWork.objects.filter(run_id=case.pk).update(sequence=4)

    assert len(named()) == 2  # the second settlement, and the third
    assert f"{case}: found another settlement than it made" in faults()


GUARDS: Final = (
    Guard(
        decisions.check_decided_settlements,
        "booked.approved_by is not None",
        test_a_void_without_a_case_is_named,
    ),
    Guard(
        ApprovedProposal.require_settled,
        "sequence != planned.after + 1",
        test_a_case_accounts_for_its_own_settlement_alone,
    ),
)


@pytest.mark.django_db
@pytest.mark.parametrize("guard", GUARDS, ids=lambda guard: guard.condition)
def test_without_its_guard_it_is_not_named(guard: Guard, request: pytest.FixtureRequest) -> None:
    """By anything else."""
    guard.is_needed(request)
