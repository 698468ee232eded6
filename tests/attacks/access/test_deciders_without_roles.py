"""Money that two persons signed who had no role for it: no worker pays it, and it is named."""

from datetime import timedelta
from typing import Final

import pytest
from django.contrib.auth.models import User
from django.utils import timezone

from casino.access.roles import AUDITOR, ROLES
from casino.access.verification.verify_roles import DecidedRoles
from compliance.signatures.sign_decision import record_decision
from compliance.signatures.signature_verifier import NotEntitled, SignatureVerifier, signed_actions
from compliance.signatures.verify_signatures import verify_records
from compliance.trail.actor import Actor
from compliance.trail.models import AuditRecord
from compliance.trail.record import Entry
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
    sign_past_services,
    signed,
    step,
)
from tests.attacks.guards import Guard
from tests.casino_in_play import NOW
from tests.compliance.trail.logs import append
from tests.compliance.trail.lost_logs import give_role
from tests.payouts.cases.case_scenarios import execute, opened
from tests.payouts.settlement.resettlement_scenarios import GIULIA, LORENZO
from tests.signers import with_roles

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("settled_rounds")]

_MONEY: Final = "supervisor payments compliance"
_MAY: Final = {
    "CASE_PROPOSED CASE_REFERRED CASE_ALLOWED CASE_REFUSED CASE_WITHDRAWN": _MONEY,
    "CASE_APPROVED CASE_REJECTED CASES_RESUMPTION_PROPOSED CASES_RESUMED": _MONEY,
    "DISPUTE_UPHELD DISPUTE_PARTLY_UPHELD DISPUTE_REJECTED": "supervisor compliance",
    "SETTLEMENT_RESUMPTION_PROPOSED SETTLEMENT_RESUMED": "supervisor compliance",
    "BUNDLE_SIGNED BUNDLE_SET_ASIDE": "supervisor compliance",
    "BONUS_WEIGHTS_SET BONUS_WEIGHTS_APPROVED": "supervisor compliance",
    "STUDIO_KEY_APPROVED UNSIGNED_ROUNDS_ALLOWED HOLD_LIFTED": "supervisor compliance",
    "STUDIO_KEY_REVOKED SIGNATURES_REQUIRED": "supervisor compliance administrator",
    "STUDIO_KEY_PROPOSED UNSIGNED_ROUNDS_PROPOSED": "compliance administrator",
    "SIGNING_KEY_APPROVED SIGNING_KEY_REJECTED": "compliance administrator",
    "SIGNING_KEY_REVOKED": "compliance administrator",
    "LOG_KEY_APPROVED LOG_GAP_CONFIRMED": "compliance administrator",
    "BUNDLE_SENT BUNDLE_RECEIVED BUNDLE_REFUSED TAX_RATE_SET": "compliance",
    "DAY_CLOSED_BY_SIGNATURE DISPUTE_TERM_SET REASON_ADDED REASON_CHANGED": "compliance",
    "HOLD_PLACED RULES_SIGNED LOG_GAP_PROPOSED": "compliance",
    "TABLE_SUSPENDED TABLE_RESUMED": "supervisor",
    "LIMITS_DECIDED": "administrator",
}
MAY_DECIDE: Final = {
    action: {*roles.split()} for actions, roles in _MAY.items() for action in actions.split()
}
"""The roles that may take each signed decision."""
ADA: Final = "Ada Villa"
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
        append(at=timezone.now())
        case = signed_credit(GIULIA, LORENZO)

        assert _NO_ROLE in nothing_moves(case)

    def test_of_somebody_who_left_afterwards_is_paid(self) -> None:
        """The control: what the log received while she had her role counts."""
        case = signed_credit(GIULIA, LORENZO)
        append(at=timezone.now())
        give_role(GIULIA, at=timezone.now() + _LATER)

        assert execute(case)
        assert not CaseHalt.objects.exists()


class TestAnyDecision:
    @pytest.mark.parametrize("action", MAY_DECIDE)
    def test_counts_with_these_roles_alone(self, action: str) -> None:
        """One person of each role signs it, past the services: the others are named."""
        for number, role in enumerate(ROLES):
            person = with_roles(role, 40 + number, role)
            sign_past_services(Entry(action, "test:1", {"by": role}), at=NOW, actor=person)

        others = [role for role in ROLES if role not in MAY_DECIDE[action]]
        assert [report.partition(f" {_NO_ROLE} ")[0] for report in _named()] == [
            f"{action} of test:1 by {role}:" for role in others
        ]

    def test_is_listed_with_its_roles(self) -> None:
        """Each signed action but those about access."""
        others = signed_actions().keys() - MAY_DECIDE.keys()

        assert {action for action in others if not action.startswith("ACCESS_")} == set()

    def test_is_refused_by_its_service(self) -> None:
        """Nothing is written that no verifier would accept."""
        auditor = with_roles("Aldo Villa", 33, AUDITOR)

        with pytest.raises(NotEntitled):
            record_decision(Entry("CASE_APPROVED", "test:1", {}), at=NOW, actor=auditor)
        assert not AuditRecord.objects.filter(subject="test:1").exists()


def _named() -> list[str]:
    """What ``verify_trail`` reports about signatures of these decisions."""
    reports: list[str] = []
    verify_records(
        AuditRecord.objects.filter(subject="test:1"), reports.append, SignatureVerifier()
    )
    return reports


@pytest.mark.parametrize(
    "guard",
    [
        Guard(
            DecidedRoles.roles_for,
            "(record.at, _ANY_TIME)",
            TestACredit().test_dated_back_by_somebody_who_left_is_not_paid,
            passing="(record.at,)",
            noticed_by=Moved,
        ),
    ],
    ids=lambda guard: guard.condition,
)
def test_without_the_guard_it_is_paid(guard: Guard, request: pytest.FixtureRequest) -> None:
    """The workers pay then."""
    guard.is_needed(request)
