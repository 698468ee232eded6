"""Money that two persons signed who had no role for it: no worker pays it, and it is named."""

from datetime import timedelta
from typing import Final

import pytest
from django.contrib.auth.models import User
from django.utils import timezone

from compliance.signatures import entitlement
from compliance.trail.actor import Actor
from payouts.cases.models import Case, CaseHalt
from tests.attacks.access.test_forged_roles import give
from tests.attacks.forgeries import (
    Moved,
    approval_columns,
    as_web,
    begin_execution,
    credit_columns,
    key_of,
    nothing_moves,
    signed,
    step,
)
from tests.attacks.guards import Guard
from tests.compliance.trail.logs import append
from tests.compliance.trail.lost_logs import give_role
from tests.payouts.cases.case_scenarios import execute, opened
from tests.payouts.settlement.resettlement_scenarios import GIULIA, LORENZO
from tests.signers import with_roles

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("settled_rounds")]

ADA: Final = "Ada Villa"
_ENTITLED: Final = (
    "not all((is_entitled(account, permission, at=at, verifier=verifier) for at in times))"
)
_LATER: Final = timedelta(hours=1)
_NO_ROLE: Final = "found no role that may"


def administrator(name: str) -> Actor:
    """One with a key; the others decide about money."""
    return with_roles(name, 31 if name == ADA else 32, "administrator")


def signed_credit(proposer: Actor, approver: Actor) -> Case:
    """A credit whose rows the web role wrote, each step signed by its person."""
    with as_web():
        case = opened("goodwill", actor=Actor("Anna Riva", 5))
        proposal = step(case, 2, proposer, **credit_columns())
        approval = step(case, 3, approver, **approval_columns(proposal))
        signed(proposal, key_of(proposer))
        signed(approval, key_of(approver))
        begin_execution(case)
    return case


class TestACredit:
    @pytest.mark.parametrize("position", [0, 1])
    def test_of_an_administrator_is_not_paid(self, position: int) -> None:
        """Who has a key, and sees no money."""
        persons = [GIULIA, LORENZO]
        persons[position] = administrator(ADA)
        case = signed_credit(*persons)

        action = ("proposed", "approved")[position]
        assert nothing_moves(case).startswith(f"{case}, {action} by {ADA}: {_NO_ROLE}")

    def test_of_two_administrators_is_not_paid(self) -> None:
        """With the rights of a web host."""
        case = signed_credit(administrator(ADA), administrator("Bruno Villa"))

        assert _NO_ROLE in nothing_moves(case)

    def test_of_roles_that_rows_alone_give_is_not_paid(self) -> None:
        """The web role makes Ada a supervisor."""
        ada = administrator(ADA)
        user = User.objects.create(pk=ada.user_id, username="ada")
        with as_web():
            give(user, "supervisor")
        case = signed_credit(ada, LORENZO)

        assert _NO_ROLE in nothing_moves(case)

    def test_dated_back_by_somebody_who_left_is_not_paid(self) -> None:
        """Giulia lost her roles an hour ago, and signs a proposal of last week."""
        give_role(GIULIA, at=timezone.now() - _LATER)
        case = signed_credit(GIULIA, LORENZO)

        assert _NO_ROLE in nothing_moves(case)

    def test_of_somebody_who_left_afterwards_is_paid(self) -> None:
        """The control: what the log received while she had her role counts."""
        case = signed_credit(GIULIA, LORENZO)
        append(at=timezone.now())
        give_role(GIULIA, at=timezone.now() + _LATER)

        assert execute(case)
        assert not CaseHalt.objects.exists()


@pytest.mark.parametrize(
    "guard",
    [
        Guard(
            entitlement.require_entitled,
            _ENTITLED,
            TestACredit().test_of_roles_that_rows_alone_give_is_not_paid,
            noticed_by=Moved,
        ),
        Guard(
            entitlement.require_entitled,
            "max(row.at, _received_at(row) - LATE)",
            TestACredit().test_dated_back_by_somebody_who_left_is_not_paid,
            passing="row.at",
            noticed_by=Moved,
        ),
    ],
    ids=lambda guard: guard.condition,
)
def test_without_the_guard_it_is_paid(guard: Guard, request: pytest.FixtureRequest) -> None:
    """The workers pay then."""
    guard.is_needed(request)
