"""Phones, passkeys and recovery codes: adding and removing.

Changes require the password and an existing factor again (OWASP ASVS 5, 7.5.1); without a factor,
the password: an unattended desk cannot be used to add one.
"""

from typing import Final

from allauth.mfa.adapter import get_adapter
from allauth.mfa.models import Authenticator
from allauth.mfa.utils import decrypt, encrypt
from django.contrib.auth.models import User
from django.db import transaction
from django.http import HttpRequest
from django.utils import timezone
from django.utils.safestring import SafeString, mark_safe

from casino.access.account_status import add_first_factor_event
from casino.access.audit import record_access
from casino.access.end_sessions import end_sessions_of
from casino.access.lockout_by_address import knows_password
from casino.access.notices import notify_about
from casino.access.passkeys import INVALID_ANSWER, store_passkey, verified_registration
from casino.access.second_factor import (
    PASSKEY,
    PHONE,
    RECOVERY,
    has_factor,
    new_phone_secret,
    store_phone,
    store_recovery_codes,
    use_phone_code,
)
from casino.backoffice.security.confirmation import is_confirmed_by_both
from compliance.trail.people import name_of

_NEW_SECRET: Final = "new_phone_secret"  # noqa: S105  a name
_LONGEST_NAME: Final = 60  # characters


def is_trusted(request: HttpRequest, person: User) -> bool:
    """Whether the user has proved their identity sufficiently to change factors."""
    if has_factor(person):
        return is_confirmed_by_both(request)
    return knows_password(request, person, request.POST.get("password", ""))


def new_secret(request: HttpRequest) -> str:
    """A new TOTP secret, kept in the session until a code is entered."""
    secret = new_phone_secret()
    request.session[_NEW_SECRET] = encrypt(secret)
    return secret


def offered_secret(request: HttpRequest) -> str:
    """The offered secret; a new one if there is none."""
    secret = request.session.get(_NEW_SECRET)
    return decrypt(secret) if secret else new_secret(request)


def picture_of(person: User, secret: str) -> SafeString:
    """The secret as a QR code."""
    adapter = get_adapter()
    drawn: str = adapter.build_totp_svg(adapter.build_totp_url(person, secret))
    return mark_safe(drawn[drawn.index("<svg") :])  # noqa: S308  drawn by us


def add_phone(request: HttpRequest, person: User, code: str) -> bool:
    """Add the phone. False if the code does not match the offered secret."""
    secret = offered_secret(request)
    with transaction.atomic():
        User.objects.select_for_update().get(pk=person.pk)
        if Authenticator.objects.filter(user=person, type=PHONE).exists():
            return False
        is_first = not has_factor(person)
        phone = store_phone(person, secret)
        if not use_phone_code(phone, code, at=timezone.now()):
            transaction.set_rollback(True)
            return False
        _record_addition(request, person, {"factor": "phone"}, is_first=is_first)
    del request.session[_NEW_SECRET]
    return True


def add_passkey(request: HttpRequest, person: User, answer: str, *, name: str) -> bool:
    """Add the passkey. False if it answers another challenge."""
    label = name[:_LONGEST_NAME] or "passkey"
    try:
        credential = verified_registration(request, answer)
    except INVALID_ANSWER:
        return False
    with transaction.atomic():
        User.objects.select_for_update().get(pk=person.pk)
        is_first = not has_factor(person)
        store_passkey(person, label, credential)
        details = {"factor": "passkey", "name": label}
        _record_addition(request, person, details, is_first=is_first)
    return True


def _record_addition(
    request: HttpRequest, person: User, details: dict[str, str], *, is_first: bool
) -> None:
    """Notify the person and compliance; a first factor starts the decision delay.

    Other sessions of the person end, as at every change of how they log in.
    """
    record_access(request, "FACTOR_ADDED", person, details)
    end_sessions_of(request, person)
    if is_first:
        add_first_factor_event(person)
        notify_about(person, "FACTOR_ADDED", actor=name_of(person) or "", at=timezone.now())


def make_recovery_codes(request: HttpRequest, person: User) -> list[str]:
    """Ten new recovery codes; the previous ones become invalid, and other sessions end."""
    with transaction.atomic():
        Authenticator.objects.filter(user=person, type=RECOVERY).delete()
        codes = store_recovery_codes(person)
        record_access(request, "RECOVERY_CODES_MADE", person, {"number": len(codes)})
        end_sessions_of(request, person)
    return codes


def remove_factor(request: HttpRequest, factor: Authenticator) -> None:
    """Remove a phone or passkey; with the last one, also the recovery codes. Other sessions end."""
    person = factor.user
    with transaction.atomic():
        details = {"factor": "phone" if factor.type == PHONE else "passkey"}
        if factor.type == PASSKEY:
            details["name"] = factor.wrap().name
        factor.delete()
        record_access(request, "FACTOR_REMOVED", person, details)
        end_sessions_of(request, person)
        if not has_factor(person):
            Authenticator.objects.filter(user=person).delete()
