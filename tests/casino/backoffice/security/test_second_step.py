"""The two-step login (issue 5, point 7)."""

from datetime import timedelta
from typing import Any

import pytest
from axes.models import AccessAttempt
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from casino.access.models import OpenSession
from casino.backoffice.security.confirmation import is_confirmed
from casino.backoffice.security.enrolment import make_recovery_codes
from tests.casino.backoffice.conftest import PASSWORD, newcomer, person
from tests.casino.backoffice.second_factors import (
    HERE,
    Passkey,
    code_of,
    give_passkey,
    question_of,
    request_of,
    wrong_code,
)
from tests.compliance.trail.audit_records import audit_records

pytestmark = pytest.mark.django_db

LOGIN = "/admin/login/"
STEP = "/admin/login/second/"


@pytest.fixture
def login_view(signer: User) -> Client:
    """A browser at the login page, for a person with a phone."""
    client = Client(REMOTE_ADDR=HERE, headers={"host": "localhost"})
    client.cookies["django_language"] = "en"
    return client


def give_password(login_view: Client, password: str = PASSWORD, back_to: str = "") -> Any:
    """The first step."""
    address = f"{LOGIN}?next={back_to}" if back_to else LOGIN
    return login_view.post(address, {"username": "supervisor", "password": password})


def is_in(login_view: Client) -> bool:
    """Whether the browser is logged in."""
    return "_auth_user_id" in login_view.session


class TestThePassword:
    def test_leads_to_the_second_step(self, login_view: Client) -> None:
        """With a second factor, the password alone is no login."""
        answer = give_password(login_view)

        assert (answer.status_code, answer["Location"]) == (302, f"{STEP}?next=%2Fadmin%2F")
        assert not is_in(login_view)
        assert audit_records("LOGGED_IN") == []

    def test_lets_in_a_person_without_a_second_factor(self, client: Client) -> None:
        """A person without a second factor is sent to set it up."""
        newcomer("supervisor")

        answer = give_password(client)

        assert (answer["Location"], is_in(client)) == ("/admin/", True)

    def test_that_is_wrong_leads_nowhere(self, login_view: Client) -> None:
        """The answer does not reveal who has a second factor."""
        answer = give_password(login_view, "wrong")

        assert answer.status_code == 200
        assert login_view.get(STEP)["Location"] == LOGIN

    def test_opens_no_page_by_itself(self, login_view: Client) -> None:
        """The session is anonymous until the second step."""
        give_password(login_view)

        assert login_view.get("/admin/")["Location"] == f"{LOGIN}?next=/admin/"


class TestTheCode:
    def test_lets_in_and_confirms(self, login_view: Client, signer: User) -> None:
        """The login confirms the session; the record names the factor."""
        answer = login_view.post(give_password(login_view)["Location"], {"code": code_of(signer)})

        assert (answer.status_code, answer["Location"]) == (302, "/admin/")
        assert is_in(login_view)
        assert is_confirmed(request_of(login_view, signer))
        known = {"account": "supervisor", "address": HERE, "factor": "code"}
        assert audit_records("LOGGED_IN") == [("supervisor", f"user:{signer.pk}", known)]

    def test_leads_to_the_requested_page(self, login_view: Client, signer: User) -> None:
        """``next`` is kept through both steps."""
        step = give_password(login_view, back_to="/admin/stuck/%3Fkind=round")["Location"]

        answer = login_view.post(step, {"code": code_of(signer)})

        assert answer["Location"] == "/admin/stuck/?kind=round"

    def test_leads_to_no_other_site(self, login_view: Client, signer: User) -> None:
        """Foreign addresses in ``next`` are ignored."""
        give_password(login_view)

        answer = login_view.post(f"{STEP}?next=https://sabot.example/", {"code": code_of(signer)})

        assert answer["Location"] == "/admin/"

    def test_rotates_the_session_key(self, login_view: Client, signer: User) -> None:
        """Against session fixation."""
        give_password(login_view)
        before = login_view.session.session_key

        login_view.post(STEP, {"code": code_of(signer)})

        assert login_view.session.session_key != before
        assert not OpenSession.objects.filter(session_key=before).exists()

    def test_that_is_wrong_is_a_failed_login(self, login_view: Client, signer: User) -> None:
        """It is shown, counted and recorded."""
        give_password(login_view)

        page = login_view.post(STEP, {"code": wrong_code(signer)}).content.decode()

        assert "The code is incorrect or was already used." in page
        assert AccessAttempt.objects.get().failures_since_start == 1
        [(actor, _subject, details)] = audit_records("LOGIN_FAILED")
        assert (actor, details["reason"]) == ("not logged in", "wrong_second_factor")

    def test_cannot_be_guessed(self, login_view: Client, signer: User) -> None:
        """Five attempts, even if the password is given again in between."""
        statuses = []
        for _ in range(5):
            give_password(login_view)
            statuses.append(login_view.post(STEP, {"code": wrong_code(signer)}).status_code)

        right = login_view.post(STEP, {"code": code_of(signer)})

        assert statuses == [200, 200, 200, 200, 429]
        assert (right.status_code, is_in(login_view)) == (429, False)
        assert "locked for this browser until" in right.content.decode()

    def test_is_worth_nothing_without_the_password(self, login_view: Client, signer: User) -> None:
        """Without the first step a code is refused."""
        answer = login_view.post(STEP, {"code": code_of(signer)})

        assert (answer["Location"], is_in(login_view)) == (LOGIN, False)


class TestTheSecondStep:
    def test_expires_after_five_minutes(self, login_view: Client, signer: User) -> None:
        """The password has to be given again."""
        give_password(login_view)
        session = login_view.session
        session["awaits_second_factor"]["until"] -= timedelta(minutes=5).total_seconds()
        session.save()

        assert login_view.post(STEP, {"code": code_of(signer)})["Location"] == LOGIN

    @pytest.mark.parametrize("change", ["password", "is_active"])
    def test_is_over_when_the_account_has_changed(
        self, login_view: Client, signer: User, change: str
    ) -> None:
        """A new password or a closed account ends it."""
        give_password(login_view)
        User.objects.update(**{change: {"password": "!", "is_active": False}[change]})

        assert login_view.post(STEP, {"code": code_of(signer)})["Location"] == LOGIN

    def test_may_be_taken_with_a_passkey(self, login_view: Client, signer: User) -> None:
        """The record names the passkey."""
        passkey = give_passkey(signer)
        give_password(login_view)

        answer = login_view.post(
            STEP, {"credential": passkey.answer(question_of(login_view, STEP))}
        )

        assert (answer["Location"], is_in(login_view)) == ("/admin/", True)
        assert audit_records("LOGGED_IN")[0][2]["factor"] == "passkey"

    def test_is_refused_with_another_persons_passkey(
        self, login_view: Client, signer: User
    ) -> None:
        """Known keys of other people are refused."""
        give_passkey(signer)
        others = give_passkey(person("payments"))
        give_password(login_view)

        login_view.post(STEP, {"credential": others.answer(question_of(login_view, STEP))})
        login_view.post(STEP, {"credential": Passkey().answer(question_of(login_view, STEP))})

        assert not is_in(login_view)

    def test_may_be_taken_with_a_recovery_code_once(self, login_view: Client, signer: User) -> None:
        """The record has the number of remaining codes."""
        [code, *_] = make_recovery_codes(request_of(login_view, signer), signer)

        tries = []
        for _ in range(2):
            login_view.logout()
            give_password(login_view)
            login_view.post(STEP, {"code": code})
            tries.append(is_in(login_view))

        assert tries == [True, False]
        assert audit_records("RECOVERY_CODE_USED")[0][2]["left"] == 9

    def test_speaks_italian(self, login_view: Client) -> None:
        """By default."""
        del login_view.cookies["django_language"]
        give_password(login_view)

        assert "Verifica in due passaggi" in login_view.get(STEP).content.decode()


class TestALogin:
    def test_replaces_an_existing_session(self, login_view: Client, signer: User) -> None:
        """Nothing of the former session is kept, confirmation included."""
        payments = person("payments")
        login_view.force_login(payments)
        session = login_view.session
        session["confirmed_at"] = timezone.now().timestamp()
        session.save()

        User.objects.filter(pk=signer.pk).update(is_staff=True)
        step = give_password(login_view)["Location"]
        login_view.post(step, {"code": code_of(signer)})

        assert login_view.session["_auth_user_id"] == str(signer.pk)
        assert OpenSession.objects.filter(user=payments).count() == 0
