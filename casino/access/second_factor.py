"""Second factors: codes of a phone (RFC 6238), passkeys, recovery codes.

The rows are those of django-allauth. Every wrong attempt counts as a failed login, and an account
that is locked from an address verifies nothing from there.
"""

import secrets
import string
from base64 import b32decode, b32encode
from datetime import datetime
from hmac import compare_digest
from typing import Final

from allauth.mfa.models import Authenticator
from allauth.mfa.utils import decrypt, encrypt
from cryptography.hazmat.primitives.hashes import SHA1
from cryptography.hazmat.primitives.twofactor.hotp import HOTP
from django.contrib.auth.models import User
from django.contrib.auth.signals import user_login_failed
from django.db import transaction
from django.forms import ValidationError
from django.http import HttpRequest
from django.utils import timezone

from casino.access.audit import record_access
from casino.access.lockout_by_address import is_locked, reset_failures
from casino.access.passkeys import INVALID_ANSWER, verified_passkey

PHONE: Final = Authenticator.Type.TOTP
PASSKEY: Final = Authenticator.Type.WEBAUTHN
RECOVERY: Final = Authenticator.Type.RECOVERY_CODES

STEP_SECONDS: Final = 30  # of RFC 6238
_TOLERANCE: Final = (-1, 0, 1)  # steps by which a phone's clock may be wrong
_SECRET_BYTES: Final = 20  # RFC 4226, section 4: as long as the output of SHA-1
_DIGITS: Final = 6
_SEED_BYTES: Final = 40
_LONGEST_CODE: Final = 20  # characters; codes have six or eight, and users add separators
_SEPARATORS: Final = str.maketrans("", "", string.punctuation + string.whitespace)


def has_factor(person: User) -> bool:
    """Whether the person has a phone or a passkey."""
    return bool(Authenticator.objects.filter(user=person, type__in=(PHONE, PASSKEY)).exists())


def has_passkey(person: User) -> bool:
    """Whether the person has a passkey."""
    return bool(Authenticator.objects.filter(user=person, type=PASSKEY).exists())


def verify_code(request: HttpRequest, person: User, code: str) -> bool:
    """Whether this is a code of the person's phone, or a recovery code. Each works once.

    An empty code is no attempt.
    """
    if not code.strip():
        return False
    if is_locked(request, person.get_username()):
        return _failed(request, person, locked=True)
    try:
        with transaction.atomic():
            is_valid = _use_code(request, person, code[:_LONGEST_CODE])
    except ValidationError:  # its secret cannot be decrypted
        is_valid = False
    return _succeeded(request, person) if is_valid else _failed(request, person)


def verify_passkey(request: HttpRequest, person: User, answer: str) -> bool:
    """Whether one of the person's passkeys answers the challenge that was started last."""
    if is_locked(request, person.get_username()):
        return _failed(request, person, locked=True)
    try:
        verified_passkey(request, person, answer).record_usage()
    except INVALID_ANSWER:
        return _failed(request, person)
    return _succeeded(request, person)


def new_phone_secret() -> str:
    """A random secret in Base32, as phones take it."""
    return b32encode(secrets.token_bytes(_SECRET_BYTES)).decode()


def store_phone(person: User, secret: str) -> Authenticator:
    """Adds a phone with this secret to the person's factors."""
    data = {"secret": encrypt(secret)}
    phone: Authenticator = Authenticator.objects.create(user=person, type=PHONE, data=data)
    return phone


def store_recovery_codes(person: User) -> list[str]:
    """Gives the person ten new recovery codes; the former must be deleted before."""
    data = {"seed": encrypt(secrets.token_hex(_SEED_BYTES)), "used_mask": 0}
    factor = Authenticator.objects.create(user=person, type=RECOVERY, data=data)
    codes: list[str] = factor.wrap().generate_codes()
    return codes


def use_phone_code(factor: Authenticator, code: str, *, at: datetime) -> bool:
    """Whether the code is valid now and later than the last one used. Marks it as used."""
    secret = decrypt(factor.data["secret"])
    given = code.translate(_SEPARATORS).encode(errors="replace")
    now = int(at.timestamp()) // STEP_SECONDS
    for step in (now + offset for offset in _TOLERANCE):
        is_later = step > factor.data.get("last_step", 0)
        if is_later and compare_digest(given, phone_code(secret, step).encode()):
            factor.data["last_step"] = step
            factor.last_used_at = at
            factor.save(update_fields=["data", "last_used_at"])
            return True
    return False


def phone_code(secret: str, step: int) -> str:
    """The code of a phone with this secret in one of the steps of half a minute."""
    key = b32decode(secret, casefold=True)
    hotp = HOTP(key, _DIGITS, SHA1(), enforce_key_length=False)  # noqa: S303  RFC 6238 names it
    return hotp.generate(step).decode()


def _use_code(request: HttpRequest, person: User, code: str) -> bool:
    """Locks the factors, so that a code sent twice at the same time is accepted once."""
    factors = Authenticator.objects.select_for_update().filter(user=person).order_by("pk")
    by_kind = {factor.type: factor for factor in factors}
    if PHONE in by_kind and use_phone_code(by_kind[PHONE], code, at=timezone.now()):
        return True
    if RECOVERY not in by_kind:
        return False
    recovery = by_kind[RECOVERY].wrap()
    if not recovery.validate_code(code):
        return False
    left = len(recovery.get_unused_codes())
    record_access(request, "RECOVERY_CODE_USED", person, {"left": left})
    return True


def _succeeded(request: HttpRequest, person: User) -> bool:
    reset_failures(request, person.get_username())
    return True


def _failed(request: HttpRequest, person: User, *, locked: bool = False) -> bool:
    request.axes_locked_out = locked  # type: ignore[attr-defined]  # read by django-axes
    account = {"username": person.get_username()}
    user_login_failed.send(
        __name__, credentials=account, request=request, reason="wrong_second_factor"
    )
    return False
