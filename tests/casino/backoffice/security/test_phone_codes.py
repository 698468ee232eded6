"""The code of a phone: computed by its standard, accepted once, stored encrypted (issue 5)."""

import pytest
from allauth.mfa.models import Authenticator
from django.contrib.auth.models import User
from django.test import Client
from pytest_django import Settings

from casino.access.second_factor import phone_code, use_phone_code
from casino.backoffice.security.confirmation import confirm_with_code, is_confirmed
from tests.casino.backoffice.conftest import newcomer
from tests.casino.backoffice.second_factors import (
    HERE,
    SECRET,
    code_of,
    give_phone,
    request_of,
    rfc_code,
    step_now,
)
from tests.compliance.trail.audit_records import audit_records

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

        assert use_phone_code(phone, rfc_code(SECRET, step + wrong_by), at=at)

    @pytest.mark.parametrize("wrong_by", [-2, 2])
    def test_is_refused_if_older_or_earlier(
        self, desk: Client, signer: User, wrong_by: int
    ) -> None:
        """An observed code is useless after a minute."""
        phone = Authenticator.objects.get()
        at = phone.created_at
        step = int(at.timestamp()) // 30

        assert not use_phone_code(phone, rfc_code(SECRET, step + wrong_by), at=at)

    def test_confirms_the_session(self, desk: Client, signer: User) -> None:
        """Decisions about money are possible afterwards."""
        request = request_of(desk, signer)

        before = is_confirmed(request)
        right = confirm_with_code(request, code_of(signer))

        assert (before, right, is_confirmed(request)) == (False, True, True)
        details = {"factor": "code", "account": "supervisor", "address": HERE}
        subject = f"user:{signer.pk}"
        assert audit_records("IDENTITY_CONFIRMED") == [("supervisor", subject, details)]

    def test_may_contain_a_space(self, desk: Client, signer: User) -> None:
        """Apps show 123 456."""
        code = code_of(signer)

        assert confirm_with_code(request_of(desk, signer), f" {code[:3]} {code[3:]} ")

    def test_is_accepted_once(self, desk: Client, signer: User) -> None:
        """Neither in this session nor in another can it be used again."""
        code = code_of(signer)

        first = confirm_with_code(request_of(desk, signer), code)
        again = confirm_with_code(request_of(Client(), signer), code)

        assert (first, again) == (True, False)

    def test_is_refused_after_a_later_one(self, desk: Client, signer: User) -> None:
        """An observed, unused code is useless then."""
        request, now = request_of(desk, signer), step_now()
        earlier, later = rfc_code(SECRET, now), rfc_code(SECRET, now + 1)

        answers = [confirm_with_code(request, code) for code in (later, earlier)]

        assert answers == [True, False]

    def test_of_another_person_is_wrong(self, desk: Client, signer: User) -> None:
        """A code identifies one person."""
        other = newcomer("payments")
        give_phone(other, "A" * 32)

        assert not confirm_with_code(request_of(desk, signer), code_of(other))

    def test_is_wrong_if_its_secret_cannot_be_decrypted(
        self, desk: Client, signer: User, settings: Settings
    ) -> None:
        """SECRET_KEY changed without the former one in SECRET_KEY_FALLBACKS."""
        code = code_of(signer)
        session = request_of(desk, signer)
        settings.SECRET_KEY, before = "another", settings.SECRET_KEY

        without = confirm_with_code(session, code)
        settings.SECRET_KEY_FALLBACKS = [before]
        with_fallback = confirm_with_code(session, code)

        assert (without, with_fallback) == (False, True)

    def test_secret_is_stored_encrypted(self, signer: User) -> None:
        """A copy of the database does not yield codes."""
        assert SECRET not in str(Authenticator.objects.get().data)
