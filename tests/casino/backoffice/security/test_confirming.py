"""Decisions about money need a recent second factor (issue 5, point 7)."""

from datetime import timedelta

import pytest
from axes.models import AccessAttempt
from django.contrib.auth.models import User
from django.db.models import F
from django.test import Client
from pytest_django import Settings

from casino.backoffice.security.confirmation import confirm_first, confirm_with_code, is_confirmed
from casino.backoffice.security.enrolment import make_recovery_codes
from tests.casino.backoffice.conftest import PASSWORD
from tests.casino.backoffice.second_factors import CONFIRM, HERE, code_of, request_of, wrong_code
from tests.compliance.trail.audit_records import audit_records

pytestmark = pytest.mark.django_db


class TestAConfirmation:
    def test_expires_after_five_minutes(
        self, desk: Client, signer: User, settings: Settings
    ) -> None:
        """An unattended session cannot decide."""
        request = request_of(desk, signer)
        confirm_with_code(request, code_of(signer))
        then = request.session["confirmed_at"]

        answers = []
        for seconds in (295, 301):
            request.session["confirmed_at"] = then - seconds
            answers.append(is_confirmed(request))

        assert answers == [True, False]
        assert timedelta(minutes=5) == settings.CONFIRMED_FOR

    def test_is_of_one_session(self, desk: Client, signer: User) -> None:
        """Other sessions of the person are not confirmed."""
        desk.post(CONFIRM, {"code": code_of(signer)})
        elsewhere = Client()
        elsewhere.force_login(signer)

        assert is_confirmed(request_of(desk, signer))
        assert not is_confirmed(request_of(elsewhere, signer))

    def test_from_the_future_is_none(self, desk: Client, signer: User) -> None:
        """A clock that was set back does not extend it."""
        request = request_of(desk, signer)
        confirm_with_code(request, code_of(signer))
        request.session["confirmed_at"] += 600

        assert not is_confirmed(request)


class TestAWrongCode:
    def test_is_a_failed_login(self, desk: Client, signer: User) -> None:
        """It is counted and recorded; the actor is not the account's owner."""
        confirmed = confirm_with_code(request_of(desk, signer), wrong_code(signer))

        assert not confirmed
        assert AccessAttempt.objects.get().failures_since_start == 1
        reason = {"reason": "wrong_second_factor", "account": "supervisor", "address": HERE}
        subject = f"user:{signer.pk}"
        assert audit_records("LOGIN_FAILED") == [("not logged in", subject, reason)]

    def test_locks_at_the_fifth_time(self, desk: Client, signer: User) -> None:
        """Codes cannot be guessed."""
        code = wrong_code(signer)

        answers = [desk.post(CONFIRM, {"code": code}) for _ in range(5)]

        assert [answer.status_code for answer in answers] == [200, 200, 200, 200, 429]
        assert "this account is locked for this browser until" in answers[-1].content.decode()
        assert len(audit_records("LOCKED_OUT")) == 1

    def test_locks_out_the_right_one(self, desk: Client, signer: User) -> None:
        """A right code is refused during the lock, which is recorded once."""
        for _ in range(5):
            desk.post(CONFIRM, {"code": wrong_code(signer)})

        answer = desk.post(CONFIRM, {"code": code_of(signer)})

        assert answer.status_code == 429
        assert not is_confirmed(request_of(desk, signer))
        assert (len(audit_records("LOGIN_FAILED")), len(audit_records("LOCKED_OUT"))) == (5, 1)

    def test_and_wrong_passwords_count_together(self, desk: Client, signer: User) -> None:
        """One limit for both."""
        for _ in range(3):
            Client(REMOTE_ADDR=HERE).post(
                "/admin/login/", {"username": "supervisor", "password": "wrong"}
            )

        answers = [desk.post(CONFIRM, {"code": wrong_code(signer)}) for _ in range(2)]

        assert [answer.status_code for answer in answers] == [200, 429]

    def test_is_forgiven_by_a_right_one(self, desk: Client, signer: User) -> None:
        """A success resets the count."""
        for _ in range(4):
            desk.post(CONFIRM, {"code": wrong_code(signer)})

        desk.post(CONFIRM, {"code": code_of(signer)})

        assert not AccessAttempt.objects.exists()

    def test_may_be_followed_by_a_right_one_after_the_cool_down(
        self, desk: Client, signer: User
    ) -> None:
        """As at the login."""
        for _ in range(5):
            desk.post(CONFIRM, {"code": wrong_code(signer)})
        AccessAttempt.objects.update(attempt_time=F("attempt_time") - timedelta(minutes=15))

        assert desk.post(CONFIRM, {"code": code_of(signer)}).status_code == 302

    @pytest.mark.parametrize("code", ["", "  ", "\t"])
    def test_is_not_an_empty_one(self, desk: Client, signer: User, code: str) -> None:
        """An empty form is no attempt."""
        assert not confirm_with_code(request_of(desk, signer), code)
        assert not AccessAttempt.objects.exists()

    @pytest.mark.parametrize("code", ["1\0", "x" * 60_000, "\N{ARABIC-INDIC DIGIT THREE}" * 6, "'"])
    def test_is_any_invalid_input(self, desk: Client, signer: User, code: str) -> None:
        """It is no server error and is not stored."""
        answer = desk.post(CONFIRM, {"code": code})

        assert answer.status_code == 200
        assert code not in AccessAttempt.objects.get().post_data


class TestARecoveryCode:
    def test_takes_the_phones_place_once(self, desk: Client, signer: User) -> None:
        """The number of remaining codes is recorded."""
        request = request_of(desk, signer)
        [code, *_] = make_recovery_codes(request, signer)

        answers = [confirm_with_code(request, code) for _ in range(2)]

        assert answers == [True, False]
        used = {"left": 9, "account": "supervisor", "address": HERE}
        subject = f"user:{signer.pk}"
        assert audit_records("RECOVERY_CODE_USED") == [("supervisor", subject, used)]

    def test_is_invalid_when_new_ones_are_made(self, desk: Client, signer: User) -> None:
        """New codes replace all earlier ones."""
        request = request_of(desk, signer)
        [code, *_] = make_recovery_codes(request, signer)
        make_recovery_codes(request, signer)

        assert not confirm_with_code(request, code)


class TestThePageThatAsks:
    def test_leads_back_to_where_the_person_came_from(self, desk: Client, signer: User) -> None:
        """With the query of the address."""
        back_to = "/admin/stuck/?kind=round&whose=mine"
        requested = confirm_first(request_of(desk, signer), back_to=back_to)
        page = desk.get(requested["Location"]).content.decode()

        answer = desk.post(requested["Location"], {"code": code_of(signer)})

        assert 'value="/admin/stuck/?kind=round&amp;whose=mine"' in page
        assert (answer.status_code, answer["Location"]) == (302, back_to)

    @pytest.mark.parametrize(
        ("elsewhere", "location"),
        [
            *((url, "/admin/") for url in ("https://sabot.example/", "//sabot.example", "")),
            *((url, "/admin/") for url in ("javascript:alert(1)", "\\\\a")),
            ("/\0", "/%00"),
        ],
    )
    def test_leads_to_no_other_site(
        self, desk: Client, signer: User, elsewhere: str, location: str
    ) -> None:
        """Foreign addresses in ``next`` are ignored."""
        answer = desk.post(CONFIRM, {"code": code_of(signer), "next": elsewhere})

        assert answer["Location"] == location

    def test_takes_no_password(self, desk: Client, signer: User) -> None:
        """Only second factors confirm."""
        assert desk.post(CONFIRM, {"code": PASSWORD}).status_code == 200

    def test_requires_a_login(self, client: Client) -> None:
        """Others are sent to the login."""
        answer = client.get(CONFIRM)

        assert (answer.status_code, answer["Location"].split("?")[0]) == (302, "/admin/login/")
