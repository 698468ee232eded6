"""Roles that persons with keys signed who were no administrators: they are no decision."""

from datetime import timedelta
from typing import Any, Final

import pytest
from django.contrib.auth.models import User
from django.utils import timezone

from casino.access.models import AccessRequest
from casino.access.requests import Kind, approve_access, request_access
from casino.access.verification import verify_roles as verification
from casino.access.verification.verify_roles import DecidedRoles
from compliance.signatures.signature_verifier import SignatureVerifier
from tests.attacks.access.test_forged_roles import by, clerk, decide, faults, give, request_by
from tests.attacks.access.test_roles_by_one_person import forge_request, sign_record
from tests.attacks.forgeries import as_web
from tests.attacks.guards import weakened
from tests.compliance.trail.logs import append

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clerk")]
__all__ = ["clerk"]  # a fixture

OTHERS: Final = {"carla": "compliance", "dario": "supervisor"}


@pytest.fixture(autouse=True)
def _others(clerk: User) -> None:
    for name, role in OTHERS.items():
        decide(User.objects.create_user(name, is_staff=True), role)


def leaves(name: str) -> None:
    """A third administrator and Ada take all roles from an administrator."""
    decide(User.objects.create_user("cesare", is_staff=True), "administrator")
    person = User.objects.get(username=name)
    request_access(request_by("ada"), person, Kind.ROLES, reason="leaves", roles=[], **by("ada"))
    approve_access(request_by("cesare"), pending(person).pk, **by("cesare"))


def pending(person: User) -> AccessRequest:
    """The request about the person that waits."""
    return AccessRequest.objects.get(person=person, decision=None)


class TestRoles:
    @pytest.mark.parametrize(
        "persons", [("carla", "dario"), ("carla", "ada"), ("ada", "carla")], ids="-".join
    )
    def test_by_persons_who_decide_about_money_are_named(
        self, clerk: User, persons: tuple[str, str]
    ) -> None:
        """Two who have keys, or one of them with one administrator."""
        with as_web():
            give(clerk, "compliance")
            forge_request(clerk, *persons)

        assert len(faults()) == 1
        assert DecidedRoles(SignatureVerifier()).roles_of(clerk.pk)[0] == {"payments"}

    def test_by_one_person_are_named(self, clerk: User) -> None:
        """A role that decides nothing needs one administrator, and Carla is none."""
        guest = User.objects.create_user("guest", is_staff=True)
        with as_web():
            give(guest, "auditor")
            sign_record("ACCESS_CHANGED", guest, "carla", roles_after=["auditor"])

        assert len(faults()) == 1

    def test_by_a_former_administrator_are_named(self, clerk: User) -> None:
        """Whose key nobody revoked."""
        leaves("bruno")
        with as_web():
            give(clerk, "compliance")
            forge_request(clerk, "bruno", "ada")

        assert len(faults()) == 1

    def test_that_a_former_administrator_dated_back_are_named(
        self, clerk: User, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """To when Bruno was one: the log received them later."""
        before = timezone.now()
        leaves("bruno")
        append()
        with as_web():
            give(clerk, "compliance")
            monkeypatch.setattr(timezone, "now", lambda: before + timedelta(microseconds=1))
            forge_request(clerk, "bruno", "ada")
            monkeypatch.undo()

        assert len(faults()) == 1

    def test_that_somebody_else_rejected_are_decided(self, clerk: User) -> None:
        """A rejection that Carla invents takes nothing from the approval of two administrators."""
        request_access(
            request_by("ada"), clerk, Kind.ROLES, reason="x", roles=["supervisor"], **by("ada")
        )
        row = pending(clerk)
        about: dict[str, Any] = {"requested_by": row.requested_by_id}
        about["requested_at"] = row.requested_at.isoformat()
        with as_web():
            sign_record("ACCESS_REJECTED", clerk, "carla", **row.said, **about)
        approve_access(request_by("bruno"), row.pk, **by("bruno"))

        assert faults() == []

    def test_by_administrators_whom_administrators_made_agree(self, clerk: User) -> None:
        """The control: a chain that begins on the host."""
        newer = User.objects.create_user("newer", is_staff=True)
        decide(newer, "administrator")
        request_access(
            request_by("newer"), clerk, Kind.ROLES, reason="x", roles=["auditor"], **by("newer")
        )
        approve_access(request_by("ada"), pending(clerk).pk, **by("ada"))
        append()
        leaves("newer")

        assert faults() == []
        assert DecidedRoles(SignatureVerifier()).roles_of(clerk.pk)[0] == {"auditor"}


def test_without_the_order_of_the_log_they_date_back(
    clerk: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By the times in the records Bruno was an administrator."""
    attack = TestRoles().test_that_a_former_administrator_dated_back_are_named
    guard = weakened(verification._leaf_of, "position is None", "True")
    with guard, pytest.raises(AssertionError):
        attack(clerk, monkeypatch)


@pytest.mark.parametrize(
    "attack",
    [TestRoles.test_by_one_person_are_named, TestRoles.test_by_a_former_administrator_are_named],
)
def test_without_the_guard_they_decide(clerk: User, attack: Any) -> None:
    """No fault is found then."""
    condition = "ADMINISTRATOR in self.roles_of(person, before=before)[0]"
    guard = weakened(verification.DecidedRoles._is_administrator, condition, "True")
    with guard, pytest.raises(AssertionError):
        attack(TestRoles(), clerk)
