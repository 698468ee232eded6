"""Second factors for tests: a phone and a security key."""

import base64
import hashlib
import hmac
import html
import json
import re
import time
from typing import Any, Final

from allauth.mfa.models import Authenticator
from allauth.mfa.utils import decrypt
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from django.conf import settings
from django.contrib.auth.models import User
from django.http import HttpRequest
from django.test import Client, RequestFactory
from fido2 import cbor
from fido2.cose import ES256

from casino.access.passkeys import store_passkey
from casino.access.second_factor import store_phone
from tests.signers import give_signing_key

SECRET: Final = base64.b32encode(b"12345678901234567890").decode()
"""The secret of RFC 6238, Appendix B."""

CONFIRM: Final = "/admin/security/confirm/"
HERE: Final = "192.0.2.7"
"""Where everybody sits."""

_STEP: Final = 30  # seconds


def rfc_code(secret: str, step: int) -> str:
    """RFC 4226, 5.3 and 5.4, in the words of the standard, six digits."""
    digest = hmac.digest(base64.b32decode(secret), step.to_bytes(8, "big"), hashlib.sha1)
    offset = digest[19] & 0xF
    number = int.from_bytes(digest[offset : offset + 4], "big") & 0x7FFFFFFF
    return f"{number % 10**6:06}"


def step_now() -> int:
    """The current time step."""
    return int(time.time()) // _STEP


def give_phone(person: User, secret: str = SECRET) -> Authenticator:
    """Enrols a phone for the person, unless there is one, and a signing key in a file."""
    if settings.SOFTWARE_KEYS:
        give_signing_key(person)
    known = Authenticator.objects.filter(user=person, type=Authenticator.Type.TOTP).first()
    phone: Authenticator = known or store_phone(person, secret)
    return phone


def code_of(person: User) -> str:
    """An unused code of the person's phone."""
    phone = Authenticator.objects.get(user=person, type=Authenticator.Type.TOTP)
    step = max(step_now(), phone.data.get("last_step", 0) + 1)
    return rfc_code(decrypt(phone.data["secret"]), step)


def wrong_code(person: User) -> str:
    """A code that is invalid now."""
    phone = Authenticator.objects.get(user=person, type=Authenticator.Type.TOTP)
    secret, now = decrypt(phone.data["secret"]), step_now()
    near = {rfc_code(secret, now + wrong) for wrong in range(-10, 11)}
    return next(code for code in ("000000", "000001", "000002") if code not in near)


def _text(octets: bytes) -> str:
    return base64.urlsafe_b64encode(octets).decode().rstrip("=")


def _octets(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


class Passkey:
    """A security key without attestation (Web Authentication, level 2)."""

    def __init__(self) -> None:
        self.origin = "http://localhost"
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._id = hashlib.sha256(str(id(self)).encode()).digest()

    def enrol(self, question: str) -> str:
        """The response to a registration request."""
        requested = json.loads(question)["publicKey"]
        key = ES256.from_cryptography_key(self._key.public_key())  # type: ignore[no-untyped-call]
        known = len(self._id).to_bytes(2, "big") + self._id + cbor.encode(key)
        seen = self._seen(requested["rp"]["id"], flags=0x41) + bytes(16) + known
        sealed = cbor.encode({"fmt": "none", "attStmt": {}, "authData": seen})
        client = self._client("webauthn.create", requested["challenge"])
        return self._answer({"clientDataJSON": client, "attestationObject": sealed})

    def answer(self, question: str) -> str:
        """The response to an authentication request."""
        requested = json.loads(question)["publicKey"]
        seen = self._seen(requested["rpId"], flags=0x01)
        client = self._client("webauthn.get", requested["challenge"])
        signature = self._key.sign(seen + hashlib.sha256(client).digest(), ec.ECDSA(SHA256()))
        parts = {"clientDataJSON": client, "authenticatorData": seen, "signature": signature}
        return self._answer(parts)

    @staticmethod
    def _seen(site: str, *, flags: int) -> bytes:
        return hashlib.sha256(site.encode()).digest() + bytes([flags]) + bytes(4)

    def _client(self, kind: str, challenge: str) -> bytes:
        output = {"type": kind, "challenge": challenge, "origin": self.origin}
        return json.dumps(output).encode()

    def _answer(self, parts: dict[str, bytes]) -> str:
        response = {name: _text(octets) for name, octets in parts.items()}
        answer: dict[str, Any] = {"id": _text(self._id), "rawId": _text(self._id)}
        return json.dumps({**answer, "type": "public-key", "response": response})


def question_of(browser: Client, page: str) -> str:
    """The page's passkey options as JSON."""
    [question] = re.findall(r'data-passkey="([^"]+)"', browser.get(page).content.decode())
    return html.unescape(question)


def request_of(desk: Client, someone: User) -> HttpRequest:
    """A request in the session of a browser."""
    request = RequestFactory(REMOTE_ADDR=HERE).post("/admin/")
    request.session = desk.session
    request.user = someone
    return request


def give_passkey(person: User) -> Passkey:
    """Enrols a security key for the person."""
    passkey = Passkey()
    requested = {"rp": {"id": "localhost"}, "challenge": _text(bytes(32))}
    credential = json.loads(passkey.enrol(json.dumps({"publicKey": requested})))
    store_passkey(person, "desk", credential)
    return passkey


PHONE = "/admin/security/phone/"


def offered(browser: Client) -> str:
    """The secret that the page shows for manual entry."""
    page = browser.get(PHONE).content.decode()
    [shown] = re.findall(r'class="mono secret">([A-Z2-7 ]+)<', page)
    secret: str = shown.replace(" ", "")
    return secret


def forget_confirmation(browser: Client) -> None:
    """Leaves the person logged in, the second factor given too long ago."""
    session = browser.session
    for name in ("confirmed_at", "confirmed_by_both_at"):
        session.pop(name, None)
    session.save()
