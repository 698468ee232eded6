"""Roles that need two administrators and that one person signed: they are no decision.

Each record is signed, by somebody who has a key and writes past the services.
"""

from datetime import UTC, datetime
from typing import Any

import pytest
from django.contrib.auth.models import User

from casino.access.models import AccessRequest
from casino.access.requests import Kind, approve_access, reject_access, request_access
from casino.access.verification import verify_roles as verification
from compliance.signatures import requested_decisions
from compliance.signatures.sign_decision import record_decision
from compliance.trail.record import Entry
from tests.attacks.access.test_forged_roles import by, clerk, decide, faults, give, request_by
from tests.attacks.forgeries import as_web
from tests.attacks.guards import Attack, weakened

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clerk")]
__all__ = ["clerk"]  # a fixture


def in_utc(at: datetime) -> str:
    """The time as approvals state it."""
    return at.astimezone(UTC).isoformat()


def sign_record(action: str, person: User, name: str, **details: Any) -> None:
    """The record of a decision about the person's roles, signed, without a row."""
    record_decision(Entry(action, f"user:{person.pk}", details), **by(name))


def forge_request(person: User, requester: str, approver: str) -> None:
    """Records of a request for compliance and of its approval, each signed by its person."""
    said = {"kind": "roles", "roles_after": ["compliance", "payments"], "reason": "x"}
    signing = by(requester)
    record_decision(Entry("ACCESS_REQUESTED", f"user:{person.pk}", said), **signing)
    about = {"requested_by": signing["actor"].user_id, "requested_at": in_utc(signing["at"])}
    sign_record("ACCESS_APPROVED", person, approver, **said, **about)


class TestRoles:
    @pytest.mark.parametrize("action", ["ACCESS_APPROVED", "ACCESS_CHANGED"])
    def test_that_one_person_signed_are_named(self, clerk: User, action: str) -> None:
        """An administrator, who names another one: no second one signed a request."""
        about = {"requested_by": User.objects.get(username="bruno").pk}
        with as_web():
            give(clerk, "compliance")
            sign_record(action, clerk, "ada", roles_after=["compliance", "payments"], **about)

        assert len(faults()) == 1

    @pytest.mark.parametrize("requester", ["ada", "clerk"])
    def test_that_one_person_requested_and_approved_are_named(
        self, clerk: User, requester: str
    ) -> None:
        """Ada signs both, or an administrator requests other roles of their own."""
        if requester == "clerk":
            decide(clerk, "administrator")
        with as_web():
            User.groups.through.objects.filter(user=clerk).delete()
            give(clerk, "payments")
            give(clerk, "compliance")
            forge_request(clerk, requester, "ada")

        assert len(faults()) == 1

    def test_that_were_not_requested_so_are_named(self, clerk: User) -> None:
        """Bruno signed a request for another role, which is still to be decided."""
        request_access(
            request_by("bruno"), clerk, Kind.ROLES, reason="x", roles=["auditor"], **by("bruno")
        )
        [row] = AccessRequest.objects.filter(decision=None)
        said = {**row.said, "roles_after": ["compliance", "payments"]}
        about = {"requested_by": row.requested_by_id, "requested_at": in_utc(row.requested_at)}
        with as_web():
            give(clerk, "compliance")
            sign_record("ACCESS_APPROVED", clerk, "ada", **said, **about)

        assert len(faults()) == 1

    @pytest.mark.parametrize("was_approved", [True, False])
    def test_of_a_request_that_was_decided_before_are_named(
        self, clerk: User, was_approved: bool
    ) -> None:
        """Ada approves by SQL what Bruno requested: she rejected it, or approved it long ago."""
        request_access(
            request_by("bruno"), clerk, Kind.ROLES, reason="x", roles=["compliance"], **by("bruno")
        )
        [row] = AccessRequest.objects.filter(decision=None)
        if was_approved:
            approve_access(request_by("ada"), row.pk, **by("ada"))
            decide(clerk, "auditor")
        else:
            reject_access(request_by("ada"), row.pk, note="no", **by("ada"))
        about = {"requested_by": row.requested_by_id, "requested_at": in_utc(row.requested_at)}
        with as_web():
            User.groups.through.objects.filter(user=clerk).delete()
            give(clerk, "compliance")
            sign_record("ACCESS_APPROVED", clerk, "ada", **row.said, **about)

        assert len(faults()) == 1

    def test_that_two_persons_signed_agree(self, clerk: User) -> None:
        """The control of the attacks: with another requester the same records decide."""
        with as_web():
            give(clerk, "compliance")
            forge_request(clerk, "bruno", "ada")

        assert faults() == []


@pytest.mark.parametrize(
    ("function", "condition", "passing", "attack", "arguments"),
    [
        (
            verification.DecidedRoles._is_decided,
            "request is None",
            "False",
            TestRoles.test_that_one_person_signed_are_named,
            ("ACCESS_APPROVED",),
        ),
        (
            verification.DecidedRoles.roles_of,
            "step.is_by_one and is_powerful(roles | step.roles)",
            "False",
            TestRoles.test_that_one_person_signed_are_named,
            ("ACCESS_CHANGED",),
        ),
        (
            requested_decisions.request_of,
            "not is_same_person(request.actor, requester, Actor(decision.actor, decider))",
            "True",
            TestRoles.test_that_one_person_requested_and_approved_are_named,
            ("ada",),
        ),
        (
            requested_decisions.request_of,
            "decision.subject in {f'user:{requester}', f'user:{decider}'}",
            "False",
            TestRoles.test_that_one_person_requested_and_approved_are_named,
            ("clerk",),
        ),
        (
            requested_decisions.request_of,
            "said.items() >= {**request.details, **number_or_time}.items()",
            "True",
            TestRoles.test_that_were_not_requested_so_are_named,
            (),
        ),
        (
            verification.DecidedRoles._steps,
            "request in decided",
            "False",
            TestRoles.test_of_a_request_that_was_decided_before_are_named,
            (True,),
        ),
        (
            verification.DecidedRoles._steps,
            "request in decided",
            "False",
            TestRoles.test_of_a_request_that_was_decided_before_are_named,
            (False,),
        ),
    ],
)
def test_without_its_guard_one_person_decides(
    clerk: User, function: Any, condition: str, passing: str, attack: Attack, arguments: Any
) -> None:
    """No fault is found then."""
    with weakened(function, condition, passing), pytest.raises(AssertionError):
        attack(TestRoles(), clerk, *arguments)
