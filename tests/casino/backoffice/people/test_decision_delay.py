"""A changed account decides nothing for a day: after a reset, a new role or factor (issue 17)."""

from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.test import Client
from pytest_django import Settings

from casino.access.models import AccessDecision, AccessEvent, AccessRequest
from casino.access.roles import MONEY_DECIDER_ROLES, ROLES
from tests.casino.backoffice.cases.case_forms import code_of_lorenzo, fields_of, named, proposed
from tests.casino.backoffice.conftest import PASSWORD
from tests.casino.backoffice.people.people import (
    ask,
    browser_of,
    changed,
    decide,
    password_on,
    somebody,
)
from tests.casino.backoffice.second_factors import code_of, offered, rfc_code, step_now
from tests.casino_in_play import ingest, open_table, settle
from tests.documents import baccarat_round, lines

pytestmark = pytest.mark.django_db

Kind = AccessEvent.Kind
DELAYING = [
    Kind.ACCOUNT_REOPENED,
    Kind.ROLES_CHANGED,
    Kind.PASSWORD_RESET,
    Kind.FACTORS_RESET,
    Kind.FIRST_FACTOR_ADDED,
]


def may(person: User) -> set[str]:
    """The person's permissions other than viewing."""
    permissions = User.objects.get(pk=person.pk).get_all_permissions()
    return {permission for permission in permissions if ".view_" not in permission}


class TestTheDelay:
    @pytest.mark.parametrize("role", [role for role in ROLES if role != "auditor"])
    def test_leaves_only_view_permissions(self, role: str) -> None:
        """Deciding permissions are withdrawn for every role."""
        person = somebody(role, role)
        before = may(person)
        changed(person, Kind.ROLES_CHANGED, hours_ago=1)

        after = may(person)

        assert before != set()
        assert after == set()

    @pytest.mark.parametrize("kind", DELAYING)
    def test_begins_with_every_change_by_another_person(
        self, clerk: User, kind: AccessEvent.Kind
    ) -> None:
        """A one-time password is replaced first."""
        changed(clerk, kind, hours_ago=23.9)
        changed(clerk, Kind.PASSWORD_CHANGED, hours_ago=0)

        assert may(clerk) == set()

    @pytest.mark.parametrize("kind", DELAYING)
    def test_is_over_after_a_day(self, clerk: User, kind: AccessEvent.Kind) -> None:
        """To the minute."""
        changed(clerk, kind, hours_ago=24.1)
        changed(clerk, Kind.PASSWORD_CHANGED, hours_ago=24)

        assert "payouts.approve_decision" in may(clerk)

    def test_does_not_begin_with_a_change_of_the_own_password(self, clerk: User) -> None:
        """It needs the former password and the phone."""
        changed(clerk, Kind.PASSWORD_CHANGED, hours_ago=0)

        assert "payouts.approve_decision" in may(clerk)

    def test_is_as_long_as_the_installation_says(self, clerk: User, settings: Settings) -> None:
        """The setting may be zero."""
        changed(clerk, Kind.ROLES_CHANGED, hours_ago=0)
        settings.DECISION_DELAY = timedelta()

        assert "payouts.approve_decision" in may(clerk)

    @pytest.mark.slow
    def test_refuses_a_signature_and_says_until_when(self) -> None:
        """A case is not signed by a person who was reset an hour ago."""
        open_table()
        ingest(lines(baccarat_round("r-1"), baccarat_round("r-2")))
        settle()
        giulia, lorenzo = named("Giulia", "supervisor"), named("Lorenzo", "compliance")
        case = proposed(browser_of(giulia), code=code_of(giulia))
        desk = browser_of(lorenzo)
        fields = fields_of(desk.get(f"/admin/cases/{case.pk}/"))
        changed(lorenzo, Kind.FACTORS_RESET, hours_ago=1)

        form = {**fields, "note": "Seen.", "read": "on", "code": code_of_lorenzo()}
        answer = desk.post(f"/admin/cases/{case.pk}/approve/", form)

        page = answer.content.decode()
        assert answer.status_code == 403
        assert "You cannot make decisions until" in page
        assert case.steps.filter(action="approved").count() == 0

    def test_holds_for_a_proposal_as_well(self) -> None:
        """Proposals are answered 403, too."""
        giulia = named("Giulia", "supervisor")
        changed(giulia, Kind.ROLES_CHANGED, hours_ago=1)

        answer = browser_of(giulia).get("/admin/cases/malfunction/")

        assert answer.status_code == 403

    def test_holds_for_a_new_administrator(
        self, at_ada: Client, ada: User, bruno: User, clerk: User
    ) -> None:
        """A new administrator cannot approve requests."""
        ask(at_ada, ada, clerk, "factors")
        changed(bruno, Kind.ROLES_CHANGED, hours_ago=2)

        answer = decide(browser_of(bruno), bruno, AccessRequest.objects.get())

        assert answer.status_code == 403
        assert not AccessDecision.objects.exists()

    def test_is_shown_on_every_page_meanwhile(self, clerk: User) -> None:
        """With the time at which it ends."""
        changed(clerk, Kind.ROLES_CHANGED, hours_ago=1)

        page = browser_of(clerk).get("/admin/cases/").content.decode()

        assert "You cannot make decisions until" in page


class TestAReset:
    @pytest.mark.slow
    def test_is_followed_by_enrolment_and_a_day_without_decisions(
        self, at_ada: Client, at_bruno: Client, ada: User, bruno: User, clerk: User
    ) -> None:
        """The person sets a password and a phone, then only reads."""
        first = password_on(ask(at_ada, ada, clerk, "password"))
        second = password_on(decide(at_bruno, bruno, AccessRequest.objects.get()))
        ask(at_ada, ada, clerk, "factors")
        decide(at_bruno, bruno, AccessRequest.objects.get(decision=None))
        desk = Client()
        desk.cookies["django_language"] = "en"
        one_time = f"{first}-{second}"

        desk.post("/admin/login/", {"username": "clerk", "password": one_time})
        led_on = [desk.get("/admin/cases/")["Location"]]
        words = {"old_password": one_time, "new_password1": PASSWORD, "new_password2": PASSWORD}
        desk.post("/admin/password_change/", words)
        led_on.append(desk.get("/admin/cases/")["Location"])
        code = rfc_code(offered(desk), step_now())
        desk.post("/admin/security/phone/", {"code": code, "password": PASSWORD})

        assert led_on == ["/admin/password_change/", "/admin/security/"]
        assert desk.get("/admin/cases/").status_code == 200
        assert desk.get("/admin/cases/malfunction/").status_code == 403

    def test_needs_a_password_that_is_not_the_one_time_password(self, clerk: User) -> None:
        """Two administrators know that one."""
        changed(clerk, Kind.PASSWORD_RESET, hours_ago=1)
        same = dict.fromkeys(["old_password", "new_password1", "new_password2"], PASSWORD)
        desk = browser_of(clerk)

        desk.post("/admin/password_change/", same)

        assert desk.get("/admin/")["Location"] == "/admin/password_change/"

    def test_of_the_only_phone_by_its_owner_starts_the_delay_with_the_next(
        self, clerk: User
    ) -> None:
        """A stolen session must not replace the phone and decide."""
        desk = browser_of(clerk)
        both = {"password": PASSWORD, "code": code_of(clerk)}
        desk.post("/admin/security/confirm/?both=1", both)
        factor = clerk.authenticator_set.get()  # type: ignore[attr-defined]  # of allauth
        desk.post("/admin/security/remove/", {"factor": str(factor.pk)})
        desk.cookies["django_language"] = "en"
        code = rfc_code(offered(desk), step_now())
        desk.post("/admin/security/phone/", {"code": code, "password": PASSWORD})

        assert may(clerk) == set()


def test_every_role_that_decides_needs_a_second_factor() -> None:
    """Only the auditor has no deciding permission."""
    person = somebody("auditor", "auditor")

    assert set(MONEY_DECIDER_ROLES) <= set(ROLES)
    assert may(person) == {"archive.query_archive", "payouts.reconcile"}
