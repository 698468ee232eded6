"""A login through the identity provider replaces the password, and nothing else (issue 23)."""

from datetime import timedelta

import pytest
from allauth.socialaccount.models import SocialAccount
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from casino.access.account_status import add_event
from casino.access.end_sessions import end_sessions_of
from casino.access.models import AccessEvent, LoginFailure, OpenSession
from casino.backoffice.security.confirmation import is_confirmed
from tests.casino.backoffice.conftest import PASSWORD, newcomer
from tests.casino.backoffice.people.people import somebody
from tests.casino.backoffice.second_factors import HERE, code_of, request_of, wrong_code
from tests.casino.backoffice.single_sign_on.openid_peer import Peer
from tests.casino.backoffice.single_sign_on.sign_on import (
    BACK,
    BEGIN,
    STEP,
    both_steps,
    browser,
    connected,
    first_step,
    is_in,
    led,
    said_on,
)
from tests.compliance.trail.audit_records import audit_records

pytestmark = pytest.mark.django_db


class TestTheLoginPage:
    def test_leads_to_the_provider(self, peer: Peer) -> None:
        """By a page, because the policy of pages lets no form lead to another site."""
        client = browser()
        page = client.get("/admin/login/?next=/admin/board/").content.decode()

        answer = client.post(BEGIN, {"next": "/admin/board/"})

        assert "Log in with Casino ID" in page
        assert '<input type="hidden" name="next" value="/admin/board/">' in page
        assert "form-action 'self';" in answer["Content-Security-Policy"]
        assert f"{peer.issuer}/authorize?" in answer.content.decode()

    def test_asks_for_nothing_but_who_it_is(self, peer: Peer) -> None:
        """No name, no e-mail address and no group is asked for."""
        address = led(browser())

        assert "scope=openid&" in address + "&"
        assert all(part in address for part in ("nonce=", "state=", "code_challenge="))

    def test_has_no_button_without_a_provider(self, db: None) -> None:
        """And the addresses are not there."""
        client = browser()

        assert "sso" not in client.get("/admin/login/").content.decode()
        assert (client.post(BEGIN).status_code, client.get(BACK).status_code) == (404, 404)

    def test_speaks_italian(self, peer: Peer) -> None:
        """By default, as all pages."""
        client = Client()

        assert "Accedi con Casino ID" in client.get("/admin/login/").content.decode()
        assert "ID ti conosce, ma" in first_step(client, peer, "nobody").content.decode()


class TestALogin:
    def test_asks_for_the_second_factor(self, peer: Peer, giulia: User) -> None:
        """The provider alone logs nobody in."""
        client = browser()

        answer = first_step(client, peer)
        page = client.get(answer["Location"]).content.decode()

        assert answer["Location"] == f"{STEP}?next=%2Fadmin%2F"
        assert "Casino ID logged you in as giulia." in page
        assert not is_in(client)
        assert client.get("/admin/")["Location"].startswith("/admin/login/")
        assert audit_records("LOGGED_IN") == []

    def test_is_recorded_with_both_steps(self, peer: Peer, giulia: User) -> None:
        """The record says how; the session is confirmed, as after a password."""
        client = browser()

        answer = both_steps(client, peer, giulia)

        assert (answer["Location"], is_in(client)) == ("/admin/", True)
        assert is_confirmed(request_of(client, giulia))
        known = {"account": "giulia", "address": HERE, "factor": "code"}
        details = {**known, "method": "openid_connect"}
        assert audit_records("LOGGED_IN") == [("giulia", f"user:{giulia.pk}", details)]

    def test_leads_to_the_requested_page(self, peer: Peer, giulia: User) -> None:
        """``next`` is kept in the session."""
        answer = first_step(browser(), peer, next="/admin/board/")

        assert answer["Location"] == f"{STEP}?next=%2Fadmin%2Fboard%2F"

    def test_makes_the_browser_known(self, peer: Peer, giulia: User) -> None:
        """As a login with a password does."""
        client = browser()
        both_steps(client, peer, giulia)

        assert f"known_browser_{giulia.pk}" in client.cookies

    def test_gives_the_session_new_keys(self, peer: Peer, giulia: User) -> None:
        """After the first step and after the second: who planted the cookie has nothing."""
        client = browser()
        address = led(client)
        before = client.session.session_key
        step = client.get(BACK, peer.log_in(address, "8f1c-giulia"))["Location"]
        between = client.session.session_key
        client.post(step, {"code": code_of(giulia)})

        assert len({before, between, client.session.session_key}) == 3
        assert OpenSession.objects.count() == 1

    def test_proves_no_password(self, peer: Peer, giulia: User) -> None:
        """Changes of how the person logs in ask for it, and for the second factor again."""
        client = browser()
        both_steps(client, peer, giulia)

        answer = client.get("/admin/security/passkey/")

        assert answer["Location"].endswith("confirm/?next=%2Fadmin%2Fsecurity%2Fpasskey%2F&both=1")

    def test_gives_no_role_and_no_more_time(self, peer: Peer, giulia: User) -> None:
        """Whatever the provider claims; the decision delay goes on."""
        add_event(giulia, AccessEvent.Kind.ROLES_CHANGED)
        peer.changed = {"groups": ["administrator"], "roles": ["administrator"], "email": "g@x"}
        client = browser()

        both_steps(client, peer, giulia)

        assert set(giulia.groups.values_list("name", flat=True)) == {"supervisor"}
        assert client.get("/admin/cases/credit/").status_code == 403
        assert User.objects.get(pk=giulia.pk).email == ""

    def test_ends_as_others_do(self, peer: Peer, giulia: User) -> None:
        """Sessions of the person are ended without the provider."""
        client = browser()
        both_steps(client, peer, giulia)

        end_sessions_of(request_of(browser(), giulia), giulia)

        assert client.get("/admin/")["Location"].startswith("/admin/login/")

    def test_wrong_codes_are_counted(self, peer: Peer, giulia: User) -> None:
        """Five, and the account is locked there, also for the provider's logins."""
        client = browser()
        for _ in range(5):
            client.post(first_step(client, peer)["Location"], {"code": wrong_code(giulia)})

        answer = first_step(client, peer)

        assert answer.status_code == 429
        assert "locked for this browser until" in said_on(answer)

    def test_with_a_password_is_still_possible(self, peer: Peer, giulia: User) -> None:
        """Unless it is declared otherwise."""
        form = {"username": "giulia", "password": PASSWORD}

        assert browser().post("/admin/login/", form)["Location"].startswith(STEP)


class TestAnAccountThatIsNotReady:
    def test_with_a_one_time_password_uses_it_first(self, peer: Peer, giulia: User) -> None:
        """Its two halves prove that two administrators agreed."""
        add_event(giulia, AccessEvent.Kind.PASSWORD_RESET)
        client = browser()

        answer = first_step(client, peer)

        assert answer.status_code == 403
        assert "one-time password. Log in with it first" in said_on(answer)
        assert client.get(STEP)["Location"] == "/admin/login/"

    def test_without_a_second_factor_adds_one_first(self, peer: Peer) -> None:
        """Else the provider alone would open the account."""
        connected(newcomer("auditor"), peer)
        client = browser()

        answer = first_step(client, peer)

        assert answer.status_code == 403
        assert "has no second factor. Log in with your password" in said_on(answer)
        assert not is_in(client)


class TestAnUnknownIdentity:
    def test_learns_what_to_do(self, peer: Peer, giulia: User) -> None:
        """No account is made."""
        before = User.objects.count()

        answer = first_step(browser(), peer, "a stranger")

        assert answer.status_code == 403
        assert "no open account here is connected with you" in said_on(answer)
        assert User.objects.count() == before

    def test_is_recorded_by_a_digest(self, peer: Peer) -> None:
        """Nothing of what the provider calls the person is stored."""
        first_step(browser(), peer, "m.rossi@casino.example")

        [(actor, subject, details)] = audit_records("LOGIN_FAILED")
        assert (actor, subject) == ("not logged in", "user:unknown")
        assert (details["reason"], details["address"]) == ("unknown_identity", HERE)
        assert len(details["identity"]) == 64
        assert set(details) == {"reason", "address", "identity"}
        assert LoginFailure.objects.get().origin == HERE

    def test_is_the_same_person_each_time(self, peer: Peer) -> None:
        """So that attempts can be told apart."""
        for subject in ("one", "one", "two"):
            first_step(browser(), peer, subject)

        digests = [details["identity"] for *_, details in audit_records("LOGIN_FAILED")]
        assert len(set(digests)) == 2

    def test_is_not_found_by_its_address_or_name(self, peer: Peer) -> None:
        """An e-mail address may have been given to somebody else."""
        somebody("marco", "supervisor", email="marco@casino.example")
        peer.changed = {
            "email": "marco@casino.example",
            "email_verified": True,
            "preferred_username": "marco",
        }
        client = browser()

        answers = [first_step(client, peer, name) for name in ("marco", "marco@casino.example")]

        assert [answer.status_code for answer in answers] == [403, 403]

    def test_of_another_provider_is_unknown(
        self, peer: Peer, giulia: User, settings: Settings
    ) -> None:
        """A subject means something with its issuer only."""
        SocialAccount.objects.filter(user=giulia).update(provider="https://former.example")

        assert first_step(browser(), peer).status_code == 403


class TestAProviderThatIsDown:
    def test_is_named(self, peer: Peer, caplog: pytest.LogCaptureFixture) -> None:
        """The page says so, the log says why, and nobody's failures are counted."""
        peer.description = {"issuer": "https://elsewhere.example"}

        answer = browser().post(BEGIN)

        assert answer.status_code == 503
        assert "Casino ID cannot be reached" in said_on(answer)
        assert "found https://elsewhere.example; needed http://127.0.0.1" in caplog.text
        assert not LoginFailure.objects.exists()


def test_beginnings_are_forgotten_after_ten_minutes(peer: Peer) -> None:
    """A stranger who begins many logins fills no table."""
    for _ in range(3):
        browser().post(BEGIN)
    rows = OpenSession.objects.filter(user=None)
    latest = timezone.now() + timedelta(minutes=11)
    assert [row.expire_date < latest for row in rows] == [True] * 3
    rows.update(expire_date=timezone.now())

    browser().post(BEGIN)

    assert rows.count() == 1
