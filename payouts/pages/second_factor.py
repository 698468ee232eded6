"""What a person has beside their password: codes of a phone, passkeys, recovery codes.

Whatever is tried and wrong counts as a failed login, and an account that is locked from an address
proves nothing from there.
"""

import json
from datetime import datetime
from typing import Any, Final

from allauth.core import context
from allauth.core.internal.cryptokit import compare_user_code
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import format_hotp_value, hotp_value
from allauth.mfa.utils import decrypt
from allauth.mfa.webauthn.internal import auth as passkeys
from django.contrib.auth.models import User
from django.contrib.auth.signals import user_login_failed
from django.db import transaction
from django.forms import ValidationError
from django.http import HttpRequest
from django.utils import timezone

from payouts.pages.access_trail import record_access
from payouts.pages.lockout import forgive, is_locked

PHONE: Final = Authenticator.Type.TOTP
PASSKEY: Final = Authenticator.Type.WEBAUTHN
RECOVERY: Final = Authenticator.Type.RECOVERY_CODES

STEP_SECONDS: Final = 30  # of RFC 6238
_TOLERANCE: Final = (-1, 0, 1)  # steps by which a phone's clock may be wrong
_LONGEST_CODE: Final = 20  # characters; ours have six and eight, and people part them
_LONGEST_ANSWER: Final = 20_000  # characters; a browser's has about a thousand
FORGED: Final = (AttributeError, LookupError, RecursionError, TypeError, ValueError)


def has_factor(person: User) -> bool:
    """Whether the person can prove themself by more than the password."""
    return bool(Authenticator.objects.filter(user=person, type__in=(PHONE, PASSKEY)).exists())


def has_passkey(person: User) -> bool:
    """Whether a browser may be asked for one."""
    return bool(Authenticator.objects.filter(user=person, type=PASSKEY).exists())


def prove_by_code(request: HttpRequest, person: User, code: str) -> bool:
    """Whether this is the code of the person's phone, or a recovery code; each is taken once.

    To say nothing is no attempt.
    """
    if not code.strip():
        return False
    if is_locked(request, person.get_username()):
        return _failed(request, person, locked=True)
    try:
        with transaction.atomic():
            taken = _take_code(request, person, code[:_LONGEST_CODE])
    except ValidationError:  # its seal cannot be opened
        taken = False
    return _proved(request, person) if taken else _failed(request, person)


def ask_for_passkey(request: HttpRequest, person: User) -> str:
    """What a browser is asked, as JSON; the question is kept in the session and answered once."""
    with context.request_context(request):
        question: dict[str, Any] = passkeys.begin_authentication(person)
    return json.dumps(question)


def prove_by_passkey(request: HttpRequest, person: User, answer: str) -> bool:
    """Whether one of the person's passkeys answered the question that was asked last."""
    if is_locked(request, person.get_username()):
        return _failed(request, person, locked=True)
    try:
        with context.request_context(request):
            told = understood(answer)
            passkeys.complete_authentication(person, told).record_usage()
    except (*FORGED, ValidationError):
        return _failed(request, person)
    return _proved(request, person)


def understood(answer: str) -> dict[str, Any]:
    """A browser's answer; raises one of the errors that a forged one does."""
    told = json.loads(answer[:_LONGEST_ANSWER])
    if not isinstance(told, dict):
        raise TypeError("an answer is an object")
    return told


def take_phone_code(factor: Authenticator, code: str, *, at: datetime) -> bool:
    """Whether the code is one of now, and later than the last that was taken; it is taken then."""
    secret = decrypt(factor.data["secret"])
    now = int(at.timestamp()) // STEP_SECONDS
    for step in (now + wrong for wrong in _TOLERANCE):
        is_later = step > factor.data.get("last_step", 0)
        if is_later and compare_user_code(actual=code, expected=phone_code(secret, step)):
            factor.data["last_step"] = step
            factor.last_used_at = at
            factor.save(update_fields=["data", "last_used_at"])
            return True
    return False


def phone_code(secret: str, step: int) -> str:
    """The code that a phone with this secret shows in one of the steps of half a minute."""
    return str(format_hotp_value(hotp_value(secret, step)))


def _take_code(request: HttpRequest, person: User, code: str) -> bool:
    """Of two who give one code at the same moment, one is late: the factors are locked."""
    factors = Authenticator.objects.select_for_update().filter(user=person).order_by("pk")
    by_kind = {factor.type: factor for factor in factors}
    if PHONE in by_kind and take_phone_code(by_kind[PHONE], code, at=timezone.now()):
        return True
    if RECOVERY not in by_kind:
        return False
    recovery = by_kind[RECOVERY].wrap()
    if not recovery.validate_code(code):
        return False
    left = len(recovery.get_unused_codes())
    record_access(request, "RECOVERY_CODE_USED", person, {"left": left})
    return True


def _proved(request: HttpRequest, person: User) -> bool:
    forgive(request, person.get_username())
    return True


def _failed(request: HttpRequest, person: User, *, locked: bool = False) -> bool:
    request.axes_locked_out = locked  # type: ignore[attr-defined]  # read by django-axes
    account = {"username": person.get_username()}
    user_login_failed.send(
        __name__, credentials=account, request=request, reason="wrong_second_factor"
    )
    return False
