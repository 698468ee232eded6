"""One administrator alone can neither take over accounts nor grant deciding roles (issue 17).

Item 9: at e70d770 one administrator with one password reset the factors and passwords of supervisor
and payments, enrolled phones for both, and paid 99,999.99 "by two persons". Each step is tried.
"""

import pytest
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount
from django.contrib.auth.models import User
from django.test import Client

from casino.access.models import AccessDecision, AccessRequest
from casino.access.single_sign_on.identities import Identity, connect
from tests.casino.backoffice.conftest import PASSWORD
from tests.casino.backoffice.people.people import (
    PEOPLE,
    REQUESTS,
    ask,
    browser_of,
    decide,
    password_on,
    roles_of,
    somebody,
)
from tests.casino.backoffice.second_factors import code_of
from tests.compliance.trail.audit_records import audit_records

pytestmark = pytest.mark.django_db

NEW_WORDS = dict.fromkeys(["password1", "password2"], "a blank shoe card")


class TestAnAdministratorAlone:
    def test_does_not_take_over_two_persons(
        self, at_ada: Client, ada: User, bruno: User, clerk: User
    ) -> None:
        """Resetting both creates requests only."""
        supervisor = somebody("supervisor", "supervisor")
        before = list(User.objects.order_by("pk").values("password", "is_active"))
        factors = set(Authenticator.objects.values_list("pk", flat=True))

        for person in (supervisor, clerk):
            ask(at_ada, ada, person, "factors")
            ask(at_ada, ada, person, "password")
            at_ada.post(f"{PEOPLE}{person.pk}/reset/")
        for row in AccessRequest.objects.all():
            decide(at_ada, ada, row)

        assert list(User.objects.order_by("pk").values("password", "is_active")) == before
        assert set(Authenticator.objects.values_list("pk", flat=True)) == factors
        assert not AccessDecision.objects.exists()

    @pytest.mark.parametrize("kind", ["factors", "password", "roles"])
    def test_requests_nothing_without_a_fresh_second_factor(
        self, at_ada: Client, ada: User, clerk: User, kind: str
    ) -> None:
        """An unattended or stolen session is not enough."""
        ask(at_ada, ada, clerk, kind, ["supervisor"], code="")
        ask(at_ada, ada, clerk, kind, ["supervisor"], code="000000")

        assert not AccessRequest.objects.exists()
        assert roles_of(clerk) == {"payments"}

    def test_does_not_decide_their_own_request(
        self, at_ada: Client, ada: User, clerk: User
    ) -> None:
        """Neither approve nor reject."""
        ask(at_ada, ada, clerk, "factors")
        [row] = AccessRequest.objects.all()

        approved = decide(at_ada, ada, row)
        rejected = decide(at_ada, ada, row, "reject")

        assert (approved.status_code, rejected.status_code) == (302, 302)
        assert not AccessDecision.objects.exists()
        assert Authenticator.objects.filter(user=clerk).exists()

    def test_does_not_become_a_second_administrator(self, at_ada: Client, ada: User) -> None:
        """A new account stays inactive until another administrator approves."""
        at_ada.post(
            f"{PEOPLE}new/",
            {
                "username": "puppet",
                "first_name": "P",
                "last_name": "Uppet",
                "email": "ada@casino.example",
                "roles": ["administrator"],
                "reason": "busy",
                "code": code_of(ada),
            },
        )

        puppet = User.objects.get(username="puppet")
        assert (puppet.is_active, puppet.has_usable_password(), roles_of(puppet)) == (
            False,
            False,
            set(),
        )

    @pytest.mark.parametrize("role", ["supervisor", "payments", "compliance", "administrator"])
    def test_gives_no_deciding_role(
        self, at_ada: Client, ada: User, clerk: User, role: str
    ) -> None:
        """Neither by the roles form nor to an auditor."""
        auditor = somebody("auditor", "auditor")

        ask(at_ada, ada, auditor, "roles", [role])
        ask(at_ada, ada, clerk, "roles", [role])

        assert (roles_of(auditor), roles_of(clerk)) == ({"auditor"}, {"payments"})

    def test_takes_no_deciding_role_away(self, at_ada: Client, ada: User, clerk: User) -> None:
        """Roles of the other administrator are protected."""
        ask(at_ada, ada, clerk, "roles", [])

        assert roles_of(clerk) == {"payments"}

    @pytest.mark.parametrize("page", ["user/{}/change/", "user/{}/password/", "user/add/", "user/"])
    def test_finds_no_page_of_the_framework(self, at_ada: Client, clerk: User, page: str) -> None:
        """Django's own pages of users and groups would change them at once."""
        for address in (f"/admin/auth/{page.format(clerk.pk)}", "/admin/auth/group/1/change/"):
            assert at_ada.post(address, {"username": "clerk"}).status_code == 404

    def test_does_not_reopen_a_closed_decider(self, at_ada: Client, ada: User, clerk: User) -> None:
        """Reopening would give a new password."""
        at_ada.post(f"{PEOPLE}{clerk.pk}/close/", {"code": code_of(ada)})

        ask(at_ada, ada, clerk, "reopen")

        assert not User.objects.get(pk=clerk.pk).is_active

    def test_gains_nothing_by_preparing_an_account_before_its_role(
        self, at_ada: Client, at_bruno: Client, ada: User, bruno: User
    ) -> None:
        """The approval of a role ends the account's former password, phone and identity."""
        auditor = somebody("auditor", "auditor")
        known = password_on(ask(at_ada, ada, auditor, "password"))
        logged_in = browser_of(auditor)
        assert connect(auditor, Identity("https://id.example", "ada"))
        half = password_on(ask(at_ada, ada, auditor, "roles", ["payments"]))
        [row] = AccessRequest.objects.all()

        decide(at_bruno, bruno, row)

        auditor.refresh_from_db()
        assert roles_of(auditor) == {"payments"}
        assert not auditor.check_password(known)
        assert not auditor.check_password(half)
        assert not Authenticator.objects.filter(user=auditor).exists()
        assert not SocialAccount.objects.exists()
        assert [actor for actor, *_ in audit_records("IDENTITY_DISCONNECTED")] == ["bruno"]
        assert logged_in.get("/admin/")["Location"].startswith("/admin/login/")

    def test_knows_half_of_a_password_at_most(
        self, at_ada: Client, at_bruno: Client, ada: User, bruno: User, clerk: User
    ) -> None:
        """Requester and approver each get one half."""
        first = password_on(ask(at_ada, ada, clerk, "password"))
        [row] = AccessRequest.objects.all()
        second = password_on(decide(at_bruno, bruno, row))

        clerk.refresh_from_db()
        assert [clerk.check_password(password) for password in (first, second, PASSWORD)] == [
            False
        ] * 3
        assert clerk.check_password(f"{first}-{second}")
        assert first not in row.sealed_half

    def test_finds_no_reset_by_mail(self, at_ada: Client, ada: User, clerk: User) -> None:
        """No page sends a reset link."""
        form = {"first_name": "C", "last_name": "K", "email": "ada@casino.example"}
        at_ada.post(f"{PEOPLE}{clerk.pk}/details/", {**form, "code": code_of(ada)})

        places = ("/admin/password_reset/", "/accounts/password/reset/", "/password_reset/")
        answers = [Client().post(place, {"email": "ada@casino.example"}) for place in places]

        assert User.objects.get(pk=clerk.pk).email == "ada@casino.example"
        assert {answer.status_code for answer in answers} <= {302, 404}
        assert audit_records("PASSWORD_RESET") == []

    def test_does_not_decide_through_an_auditor(self, at_ada: Client, ada: User) -> None:
        """An auditor's account has no deciding permission."""
        auditor = somebody("auditor", "auditor")
        ask(at_ada, ada, auditor, "password")
        ask(at_ada, ada, auditor, "factors")

        answer = browser_of(auditor).get(REQUESTS)

        assert answer.status_code == 302
        assert not User.objects.get(pk=auditor.pk).has_perm("casino.decide_access")


class TestTheRequester:
    def test_former_administrators_requests_are_not_carried_out(
        self, at_ada: Client, at_bruno: Client, ada: User, bruno: User, clerk: User
    ) -> None:
        """Requests of former administrators are not carried out."""
        ask(at_ada, ada, clerk, "factors")
        [row] = AccessRequest.objects.all()
        at_bruno.post(f"{PEOPLE}{ada.pk}/close/", {"code": code_of(bruno)})

        decide(at_bruno, bruno, row)

        assert Authenticator.objects.filter(user=clerk).exists()
        assert not AccessDecision.objects.exists()
