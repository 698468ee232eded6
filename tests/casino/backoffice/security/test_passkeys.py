"""Passkeys confirm a session (issue 5, point 7)."""

import pytest
from django.contrib.auth.models import User
from django.test import Client

from tests.casino.backoffice.conftest import PASSWORD
from tests.casino.backoffice.second_factors import CONFIRM, Passkey, code_of, question_of
from tests.compliance.trail.audit_records import audit_records

pytestmark = pytest.mark.django_db

ENROL = "/admin/security/passkey/"


class TestAPasskey:
    def test_confirms_the_session(self, desk: Client, signer: User) -> None:
        """By the browser's response."""
        passkey = enrolled(desk)

        answer = desk.post(
            CONFIRM,
            {"credential": passkey.answer(question_of(desk, CONFIRM)), "next": "/admin/"},
        )

        assert (answer.status_code, answer["Location"]) == (302, "/admin/")
        assert audit_records("IDENTITY_CONFIRMED")[-1][2]["factor"] == "passkey"

    def test_answers_a_question_once(self, desk: Client, signer: User) -> None:
        """A response cannot be replayed."""
        passkey = enrolled(desk)
        form = {"credential": passkey.answer(question_of(desk, CONFIRM))}

        statuses = [desk.post(CONFIRM, form).status_code for _ in range(2)]

        assert statuses == [302, 200]

    def test_that_is_not_known_is_a_failed_login(self, desk: Client, signer: User) -> None:
        """Another person's key."""
        enrolled(desk)

        answer = desk.post(CONFIRM, {"credential": Passkey().answer(question_of(desk, CONFIRM))})

        assert (answer.status_code, len(audit_records("LOGIN_FAILED"))) == (200, 1)

    def test_of_another_site_is_refused(self, desk: Client, signer: User) -> None:
        """A phishing site's response is invalid here."""
        passkey = enrolled(desk)
        passkey.origin = "https://sabot.example"

        answer = desk.post(CONFIRM, {"credential": passkey.answer(question_of(desk, CONFIRM))})

        assert answer.status_code == 200

    @pytest.mark.parametrize(
        "forged",
        [
            "x",
            "null",
            "[]",
            "1",
            "{}",
            '{"response": 5}',
            '{"id": "AAAA", "rawId": "AAAA", "response": null, "type": "public-key"}',
            '{"id": "AA", "rawId": "AA", "response": {"clientDataJSON": "e30", "signature": "AA"}}',
            "[" * 10_000,
        ],
    )
    def test_that_is_forged_is_a_failed_login(
        self, desk: Client, signer: User, forged: str
    ) -> None:
        """Invalid input is no server error."""
        enrolled(desk)
        question_of(desk, CONFIRM)

        answer = desk.post(CONFIRM, {"credential": forged})

        assert (answer.status_code, len(audit_records("LOGIN_FAILED"))) == (200, 1)


def enrolled(desk: Client) -> Passkey:
    """A passkey that the supervisor added; the confirmation has expired."""
    code = code_of(User.objects.get(username="supervisor"))
    desk.post(f"{CONFIRM}?both=1", {"password": PASSWORD, "code": code})
    passkey = Passkey()
    page = "/admin/security/passkey/"
    form = {"name": "desk", "credential": passkey.enrol(question_of(desk, page))}
    assert desk.post(page, form).status_code == 200  # the recovery codes
    session = desk.session
    del session["confirmed_at"]
    session.save()
    return passkey
