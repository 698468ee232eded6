"""A phone, a passkey, recovery codes: how a person gets them, and is rid of them.

Who has a factor already changes nothing without it; who has none says the password once more, so
that an unattended desk gives nobody a factor.
"""

import json
from typing import Any, Final

from allauth.core import context
from allauth.mfa.adapter import get_adapter
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
from allauth.mfa.utils import decrypt, encrypt
from allauth.mfa.webauthn.internal import auth as passkeys
from django.contrib.auth import authenticate
from django.contrib.auth.models import User
from django.db import transaction
from django.forms import ValidationError
from django.http import HttpRequest
from django.utils import timezone
from django.utils.safestring import SafeString, mark_safe

from payouts.pages.access_trail import record_access
from payouts.pages.confirming import is_confirmed
from payouts.pages.lockout import forgive
from payouts.pages.second_factor import (
    FORGED,
    PASSKEY,
    PHONE,
    RECOVERY,
    has_factor,
    take_phone_code,
    understood,
)

_NEW_SECRET: Final = "new_phone_secret"  # noqa: S105  a name
_LONGEST_NAME: Final = 60  # characters


def is_trusted(request: HttpRequest, person: User) -> bool:
    """Whether the person proved themself enough to change their factors."""
    if has_factor(person):
        return is_confirmed(request)
    name, password = person.get_username(), request.POST.get("password", "")
    if authenticate(request, username=name, password=password) != person:
        return False
    forgive(request, name)
    return True


def new_secret(request: HttpRequest) -> str:
    """A secret for the person's phone, kept in the session until a code of it was given."""
    secret: str = generate_totp_secret()
    request.session[_NEW_SECRET] = encrypt(secret)
    return secret


def offered_secret(request: HttpRequest) -> str:
    """The secret that was offered last; a new one where none was."""
    kept = request.session.get(_NEW_SECRET)
    return decrypt(kept) if kept else new_secret(request)


def picture_of(person: User, secret: str) -> SafeString:
    """The secret as a picture for the phone's camera."""
    adapter = get_adapter()
    drawn: str = adapter.build_totp_svg(adapter.build_totp_url(person, secret))
    return mark_safe(drawn[drawn.index("<svg") :])  # noqa: S308  drawn by us


def add_phone(request: HttpRequest, person: User, code: str) -> bool:
    """Adds the phone that shows this code; False where the code is not of the offered secret."""
    secret = offered_secret(request)
    with transaction.atomic():
        User.objects.select_for_update().get(pk=person.pk)
        if Authenticator.objects.filter(user=person, type=PHONE).exists():
            return False
        phone = TOTP.activate(person, secret).instance
        if not take_phone_code(phone, code, at=timezone.now()):
            transaction.set_rollback(True)
            return False
        record_access(request, "FACTOR_ADDED", person, {"factor": "phone"})
    del request.session[_NEW_SECRET]
    return True


def offer_passkey(request: HttpRequest, person: User) -> str:
    """What a browser is asked for a new passkey, as JSON."""
    with context.request_context(request):
        question: dict[str, Any] = passkeys.begin_registration(person, passwordless=False)
    return json.dumps(question)


def add_passkey(request: HttpRequest, person: User, answer: str, *, name: str) -> bool:
    """Adds the passkey that the browser made; False where it answers another question."""
    called = name[:_LONGEST_NAME] or "passkey"
    try:
        with context.request_context(request):
            credential = understood(answer)
            passkeys.complete_registration(credential)
    except (*FORGED, ValidationError):
        return False
    with transaction.atomic():
        passkeys.WebAuthn.add(person, called, credential)
        record_access(request, "FACTOR_ADDED", person, {"factor": "passkey", "name": called})
    return True


def make_recovery_codes(request: HttpRequest, person: User) -> list[str]:
    """Ten codes to print; those from before are worth nothing any more."""
    with transaction.atomic():
        Authenticator.objects.filter(user=person, type=RECOVERY).delete()
        codes: list[str] = RecoveryCodes.activate(person).generate_codes()
        record_access(request, "RECOVERY_CODES_MADE", person, {"number": len(codes)})
    return codes


def remove_factor(request: HttpRequest, factor: Authenticator) -> None:
    """Takes a phone or passkey away; with the last of them the recovery codes go too."""
    person = factor.user
    with transaction.atomic():
        details = {"factor": "phone" if factor.type == PHONE else "passkey"}
        if factor.type == PASSKEY:
            details["name"] = factor.wrap().name
        factor.delete()
        record_access(request, "FACTOR_REMOVED", person, details)
        if not has_factor(person):
            Authenticator.objects.filter(user=person).delete()
