"""Who decides about money proves again who they are (issue 5, point 7)."""

from datetime import timedelta

import pytest
from allauth.mfa.models import Authenticator
from axes.models import AccessAttempt
from django.contrib.auth.models import User
from django.db.models import F
from django.test import Client
from pytest_django import Settings

from casino.doors.enrolling import make_recovery_codes
from payouts.pages.confirming import confirm_first, confirm_with_code, is_confirmed
from payouts.pages.second_factor import phone_code, take_phone_code
from tests.pages.conftest import PASSWORD, person
from tests.pages.factors import (
    CONFIRM,
    HERE,
    SECRET,
    code_of,
    give_phone,
    recorded,
    request_of,
    rfc_code,
    step_now,
    wrong_code,
)

pytestmark = pytest.mark.django_db


class TestTheCodeOfAPhone:
    @pytest.mark.parametrize(
        ("seconds", "code"),
        [
            (59, "287082"),
            (1_111_111_109, "081804"),
            (1_111_111_111, "050471"),
            (1_234_567_890, "005924"),
            (2_000_000_000, "279037"),
            (20_000_000_000, "353130"),
        ],
    )
    def test_is_that_of_the_standard(self, seconds: int, code: str) -> None:
        """RFC 6238, Appendix B, its last six digits."""
        assert phone_code(SECRET, seconds // 30) == rfc_code(SECRET, seconds // 30) == code

    @pytest.mark.parametrize("wrong_by", [-1, 0, 1])
    def test_may_be_half_a_minute_old_or_early(
        self, desk: Client, signer: User, wrong_by: int
    ) -> None:
        """Phones' clocks differ, and people type slowly."""
        phone = Authenticator.objects.get()
        at = phone.created_at
        step = int(at.timestamp()) // 30

        assert take_phone_code(phone, rfc_code(SECRET, step + wrong_by), at=at)

    @pytest.mark.parametrize("wrong_by", [-2, 2])
    def test_is_refused_when_it_is_older_or_earlier(
        self, desk: Client, signer: User, wrong_by: int
    ) -> None:
        """Whoever looked over a shoulder has no minutes."""
        phone = Authenticator.objects.get()
        at = phone.created_at
        step = int(at.timestamp()) // 30

        assert not take_phone_code(phone, rfc_code(SECRET, step + wrong_by), at=at)

    def test_confirms_the_session(self, desk: Client, signer: User) -> None:
        """From then on money may be decided about."""
        request = request_of(desk, signer)

        before = is_confirmed(request)
        right = confirm_with_code(request, code_of(signer))

        assert (before, right, is_confirmed(request)) == (False, True, True)
        details = {"factor": "code", "account": "supervisor", "address": HERE}
        subject = f"user:{signer.pk}"
        assert recorded("IDENTITY_CONFIRMED") == [("supervisor", subject, details)]

    def test_may_be_parted_as_the_phone_shows_it(self, desk: Client, signer: User) -> None:
        """Apps write 123 456."""
        code = code_of(signer)

        assert confirm_with_code(request_of(desk, signer), f" {code[:3]} {code[3:]} ")

    def test_is_taken_once(self, desk: Client, signer: User) -> None:
        """Whoever saw it typed cannot type it again, in this session or another."""
        code = code_of(signer)

        first = confirm_with_code(request_of(desk, signer), code)
        again = confirm_with_code(request_of(Client(), signer), code)

        assert (first, again) == (True, False)

    def test_is_not_taken_after_a_later_one(self, desk: Client, signer: User) -> None:
        """One that was seen and kept back is worth nothing either."""
        request, now = request_of(desk, signer), step_now()
        earlier, later = rfc_code(SECRET, now), rfc_code(SECRET, now + 1)

        answers = [confirm_with_code(request, code) for code in (later, earlier)]

        assert answers == [True, False]

    def test_of_somebody_else_is_wrong(self, desk: Client, signer: User) -> None:
        """A code proves one person."""
        other = person("payments")
        give_phone(other, "A" * 32)

        assert not confirm_with_code(request_of(desk, signer), code_of(other))

    def test_is_wrong_when_its_seal_cannot_be_opened(
        self, desk: Client, signer: User, settings: Settings
    ) -> None:
        """Another SECRET_KEY without the one before among SECRET_KEY_FALLBACKS."""
        code = code_of(signer)
        session = request_of(desk, signer)
        settings.SECRET_KEY, before = "another", settings.SECRET_KEY

        without = confirm_with_code(session, code)
        settings.SECRET_KEY_FALLBACKS = [before]
        with_fallback = confirm_with_code(session, code)

        assert (without, with_fallback) == (False, True)

    def test_is_kept_sealed(self, signer: User) -> None:
        """A copy of the database is no copy of the phone."""
        assert SECRET not in str(Authenticator.objects.get().data)


class TestAConfirmation:
    def test_is_over_after_five_minutes(
        self, desk: Client, signer: User, settings: Settings
    ) -> None:
        """Whoever left the desk then finds a session that decides about nothing."""
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
        """Not of the person's other desks."""
        desk.post(CONFIRM, {"code": code_of(signer)})
        elsewhere = Client()
        elsewhere.force_login(signer)

        assert is_confirmed(request_of(desk, signer))
        assert not is_confirmed(request_of(elsewhere, signer))

    def test_from_the_future_is_none(self, desk: Client, signer: User) -> None:
        """A clock that was set back prolongs nothing."""
        request = request_of(desk, signer)
        confirm_with_code(request, code_of(signer))
        request.session["confirmed_at"] += 600

        assert not is_confirmed(request)


class TestAWrongCode:
    def test_is_a_failed_login(self, desk: Client, signer: User) -> None:
        """Counted and recorded; who is at the desk is not proven to be the account's owner."""
        confirmed = confirm_with_code(request_of(desk, signer), wrong_code(signer))

        assert not confirmed
        assert AccessAttempt.objects.get().failures_since_start == 1
        reason = {"reason": "wrong_second_factor", "account": "supervisor", "address": HERE}
        subject = f"user:{signer.pk}"
        assert recorded("LOGIN_FAILED") == [("not logged in", subject, reason)]

    def test_locks_the_fifth_time(self, desk: Client, signer: User) -> None:
        """A million codes cannot be tried."""
        code = wrong_code(signer)

        answers = [desk.post(CONFIRM, {"code": code}) for _ in range(5)]

        assert [answer.status_code for answer in answers] == [200, 200, 200, 200, 429]
        assert "this account is locked from here until" in answers[-1].content.decode()
        assert len(recorded("LOCKED_OUT")) == 1

    def test_locks_out_the_right_one(self, desk: Client, signer: User) -> None:
        """Else guessing could go on; the next is recorded as refused."""
        for _ in range(5):
            desk.post(CONFIRM, {"code": wrong_code(signer)})

        answer = desk.post(CONFIRM, {"code": code_of(signer)})

        assert answer.status_code == 429
        assert not is_confirmed(request_of(desk, signer))
        assert recorded("LOGIN_FAILED")[-1][2]["reason"] == "locked_out"

    def test_and_wrong_passwords_are_one_count(self, desk: Client, signer: User) -> None:
        """Two ways to guess are not twice as many guesses."""
        for _ in range(3):
            Client(REMOTE_ADDR=HERE).post(
                "/admin/login/", {"username": "supervisor", "password": "wrong"}
            )

        answers = [desk.post(CONFIRM, {"code": wrong_code(signer)}) for _ in range(2)]

        assert [answer.status_code for answer in answers] == [200, 429]

    def test_is_forgiven_by_a_right_one(self, desk: Client, signer: User) -> None:
        """Mistakes of the day do not add up."""
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
    def test_is_more_than_nothing(self, desk: Client, signer: User, code: str) -> None:
        """A form that was sent too early is no attempt."""
        assert not confirm_with_code(request_of(desk, signer), code)
        assert not AccessAttempt.objects.exists()

    @pytest.mark.parametrize("code", ["1\0", "x" * 60_000, "\N{ARABIC-INDIC DIGIT THREE}" * 6, "'"])
    def test_is_whatever_is_no_code(self, desk: Client, signer: User, code: str) -> None:
        """Never an error of ours, and nothing of it is kept."""
        answer = desk.post(CONFIRM, {"code": code})

        assert answer.status_code == 200
        assert code not in AccessAttempt.objects.get().post_data


class TestARecoveryCode:
    def test_takes_the_phones_place_once(self, desk: Client, signer: User) -> None:
        """For the day on which the phone is lost; how many are left is on record."""
        request = request_of(desk, signer)
        [code, *_] = make_recovery_codes(request, signer)

        answers = [confirm_with_code(request, code) for _ in range(2)]

        assert answers == [True, False]
        used = {"left": 9, "account": "supervisor", "address": HERE}
        subject = f"user:{signer.pk}"
        assert recorded("RECOVERY_CODE_USED") == [("supervisor", subject, used)]

    def test_is_worth_nothing_when_new_ones_are_made(self, desk: Client, signer: User) -> None:
        """A sheet that was lost is replaced."""
        request = request_of(desk, signer)
        [code, *_] = make_recovery_codes(request, signer)
        make_recovery_codes(request, signer)

        assert not confirm_with_code(request, code)


class TestThePageThatAsks:
    def test_leads_back_to_where_the_person_came_from(self, desk: Client, signer: User) -> None:
        """With all that stood in the address."""
        back_to = "/admin/stuck/?kind=round&whose=mine"
        asked = confirm_first(request_of(desk, signer), back_to=back_to)
        page = desk.get(asked["Location"]).content.decode()

        answer = desk.post(asked["Location"], {"code": code_of(signer)})

        assert 'value="/admin/stuck/?kind=round&amp;whose=mine"' in page
        assert (answer.status_code, answer["Location"]) == (302, back_to)

    @pytest.mark.parametrize(
        "elsewhere",
        ["https://sabot.example/", "//sabot.example", "javascript:alert(1)", "\\\\a", "/\0", ""],
    )
    def test_leads_to_no_other_site(self, desk: Client, signer: User, elsewhere: str) -> None:
        """The address may have been made by somebody else."""
        answer = desk.post(CONFIRM, {"code": code_of(signer), "next": elsewhere})

        assert answer["Location"].startswith("/admin/") or answer["Location"] == "/%00"

    def test_leads_to_enrolment_where_there_is_no_factor(self, client: Client) -> None:
        """A password alone decides about no money; the page says so and how to go on."""
        client.force_login(person("payments"))
        client.cookies["django_language"] = "en"

        page = client.get(f"{CONFIRM}?next=/admin/stuck/").content.decode()

        assert "A password alone decides about no money" in page
        assert 'href="/admin/security/?next=%2Fadmin%2Fstuck%2F"' in page
        assert 'name="code"' not in page

    def test_takes_no_password(self, desk: Client, signer: User) -> None:
        """Something that was typed a minute ago proves nothing new."""
        assert desk.post(CONFIRM, {"code": PASSWORD}).status_code == 200

    def test_is_for_those_who_have_logged_in(self, client: Client) -> None:
        """Nobody else has a session to confirm."""
        answer = client.get(CONFIRM)

        assert (answer.status_code, answer["Location"].split("?")[0]) == (302, "/admin/login/")
