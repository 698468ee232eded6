"""Requests to change access are listed, approved or rejected, and recorded."""

import pytest
from allauth.mfa.models import Authenticator
from django.contrib.auth.models import User
from django.test import Client

from casino.access.models import AccessDecision, AccessRequest
from compliance.trail.action_labels import action_label
from tests.casino.backoffice.people.people import (
    PEOPLE,
    REQUESTS,
    WHY,
    ask,
    browser_of,
    decide,
    roles_of,
    somebody,
)
from tests.casino.backoffice.second_factors import code_of
from tests.compliance.trail.audit_records import audit_records

pytestmark = pytest.mark.django_db


class TestARequest:
    def test_is_listed_with_its_details(
        self, at_ada: Client, at_bruno: Client, ada: User, clerk: User
    ) -> None:
        """Requester, person, change, time, before and after, reason."""
        ask(at_ada, ada, clerk, "roles", ["supervisor", "payments"])

        page = at_bruno.get(REQUESTS).content.decode()

        assert "Role change" in page
        assert "Payments → <b>Payments, Supervisor</b>" in page
        assert WHY in page
        assert "Requested by ada" in page
        assert f'action="{REQUESTS}{AccessRequest.objects.get().pk}/approve/"' in page

    def test_that_is_approved_is_carried_out(
        self, at_ada: Client, at_bruno: Client, ada: User, bruno: User, clerk: User
    ) -> None:
        """The record names both administrators."""
        ask(at_ada, ada, clerk, "roles", ["supervisor", "payments"])
        [row] = AccessRequest.objects.all()

        decide(at_bruno, bruno, row)

        assert roles_of(clerk) == {"supervisor", "payments"}
        [(actor, subject, details)] = audit_records("ROLES_CHANGED")
        assert (actor, subject) == ("bruno", f"user:{clerk.pk}")
        assert details["requested_by"] == "ada"
        assert (details["before"], details["after"]) == (["payments"], ["payments", "supervisor"])
        assert [record[0] for record in audit_records("ACCESS_REQUESTED")] == ["ada"]
        assert [record[0] for record in audit_records("ACCESS_APPROVED")] == ["bruno"]

    def test_about_roles_ends_the_sessions_of_the_person(
        self, at_ada: Client, ada: User, at_bruno: Client, bruno: User, clerk: User
    ) -> None:
        """When it is approved: nobody goes on with pages of a former role."""
        desk = browser_of(clerk)
        ask(at_ada, ada, clerk, "roles", ["compliance"])
        before = desk.get("/admin/security/").status_code

        decide(at_bruno, bruno, AccessRequest.objects.get())

        assert (before, desk.get("/admin/security/").status_code) == (200, 302)

    def test_that_is_rejected_changes_nothing(
        self, at_ada: Client, at_bruno: Client, ada: User, bruno: User, clerk: User
    ) -> None:
        """The reason is stored; a later approval is refused."""
        ask(at_ada, ada, clerk, "factors")
        [row] = AccessRequest.objects.all()

        decide(at_bruno, bruno, row, "reject")
        decide(at_bruno, bruno, row)

        assert Authenticator.objects.filter(user=clerk).exists()
        assert [decision.is_approved for decision in AccessDecision.objects.all()] == [False]
        [(_actor, _subject, details)] = audit_records("ACCESS_REJECTED")
        assert details["note"] == "I asked him myself"

    @pytest.mark.parametrize("verdict", ["approve", "reject"])
    def test_is_decided_with_a_fresh_second_factor(
        self, at_ada: Client, at_bruno: Client, ada: User, clerk: User, verdict: str
    ) -> None:
        """An open session is not enough."""
        ask(at_ada, ada, clerk, "factors")
        [row] = AccessRequest.objects.all()

        for code in ("", "000000"):
            form = {"reason": "x", "sure": "on", "code": code}
            at_bruno.post(f"{REQUESTS}{row.pk}/{verdict}/", form)

        assert not AccessDecision.objects.exists()

    def test_is_not_approved_without_asking_the_person(
        self, at_ada: Client, at_bruno: Client, ada: User, bruno: User, clerk: User
    ) -> None:
        """The checkbox is required."""
        ask(at_ada, ada, clerk, "factors")
        [row] = AccessRequest.objects.all()

        form = {"reason": "x", "code": code_of(bruno)}
        at_bruno.post(f"{REQUESTS}{row.pk}/approve/", form)

        assert not AccessDecision.objects.exists()

    def test_is_not_decided_by_the_person_concerned(
        self, at_ada: Client, at_bruno: Client, ada: User, bruno: User
    ) -> None:
        """Administrators cannot approve their own reset."""
        ask(at_ada, ada, bruno, "factors")
        [row] = AccessRequest.objects.all()

        decide(at_bruno, bruno, row)

        assert not AccessDecision.objects.exists()

    @pytest.mark.parametrize("role", ["supervisor", "payments", "compliance", "auditor"])
    def test_is_decided_by_administrators_only(
        self, at_ada: Client, ada: User, clerk: User, role: str
    ) -> None:
        """Other roles are answered 403."""
        ask(at_ada, ada, clerk, "factors")
        [row] = AccessRequest.objects.all()
        other = somebody("other", role)

        answer = decide(browser_of(other), other, row)

        assert answer.status_code == 403
        assert not AccessDecision.objects.exists()

    def test_blocks_other_requests_about_the_person(
        self, at_ada: Client, ada: User, clerk: User
    ) -> None:
        """Each would be approved for an outdated state."""
        ask(at_ada, ada, clerk, "factors")

        answer = ask(at_ada, ada, clerk, "password")

        assert answer.status_code == 302
        assert [row.kind for row in AccessRequest.objects.all()] == ["factors"]

    def test_of_roles_that_changed_meanwhile_is_not_carried_out(
        self, at_ada: Client, at_bruno: Client, ada: User, bruno: User, clerk: User
    ) -> None:
        """The approver saw other roles."""
        ask(at_ada, ada, clerk, "roles", ["compliance"])
        [row] = AccessRequest.objects.all()
        clerk.groups.clear()

        decide(at_bruno, bruno, row)

        assert roles_of(clerk) == set()
        assert not AccessDecision.objects.exists()

    def test_is_never_about_oneself(self, at_ada: Client, ada: User) -> None:
        """Requests about oneself are refused."""
        ask(at_ada, ada, ada, "roles", ["supervisor"])
        ask(at_ada, ada, ada, "factors")

        assert not AccessRequest.objects.exists()

    @pytest.mark.parametrize("role", ["supervisor", "payments", "compliance"])
    def test_never_makes_an_administrator_decide_about_money(
        self, at_ada: Client, ada: User, bruno: User, role: str
    ) -> None:
        """Separation of duties."""
        ask(at_ada, ada, bruno, "roles", ["administrator", role])

        assert not AccessRequest.objects.exists()

    @pytest.mark.parametrize("kind", ["create", "x", "FACTORS"])
    def test_of_an_unknown_kind_is_not_found(
        self, at_ada: Client, ada: User, clerk: User, kind: str
    ) -> None:
        """404."""
        assert ask(at_ada, ada, clerk, kind).status_code == 404

    @pytest.mark.parametrize("key", ["0", "9223372036854775808", "9" * 5000, "x", "-1"])
    def test_about_an_unknown_person_is_not_found(self, at_ada: Client, key: str) -> None:
        """404."""
        assert at_ada.post(f"{PEOPLE}{key}/change/factors/").status_code == 404

    @pytest.mark.parametrize(
        "action",
        [
            "ACCESS_REQUESTED",
            "ACCESS_APPROVED",
            "ACCESS_REJECTED",
            "ACCOUNT_CLOSED",
            "ACCOUNT_CREATED",
            "ACCOUNT_CHANGED",
            "ACCOUNT_REOPENED",
            "ADMINISTRATOR_MADE",
            "FACTORS_RESET",
            "PASSWORD_RESET",
            "ROLES_CHANGED",
        ],
    )
    def test_has_labels_for_its_actions(self, action: str) -> None:
        """For the page of audit records."""
        assert action_label(action) != action
