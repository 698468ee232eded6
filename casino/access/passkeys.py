"""Passkeys: WebAuthn level 2 by python-fido2, stored in the rows of django-allauth."""

import json
import struct
from typing import Any, Final, NamedTuple

from allauth.core import context
from allauth.mfa.adapter import get_adapter
from allauth.mfa.models import Authenticator
from django.contrib.auth.models import User
from django.http import HttpRequest
from fido2 import cbor
from fido2.server import Fido2Server
from fido2.utils import websafe_decode
from fido2.webauthn import (
    AttestedCredentialData,
    PublicKeyCredentialRpEntity,
    PublicKeyCredentialUserEntity,
    RegistrationResponse,
    ResidentKeyRequirement,
    UserVerificationRequirement,
)

from compliance.signatures.assertions import PublicKey
from compliance.signatures.signature_lines import public_key_der

_PASSKEY: Final = Authenticator.Type.WEBAUTHN
_STATE: Final = "mfa.webauthn.state"
"""The session key of the challenge that the browser has not answered yet."""

_VERIFICATION: Final = UserVerificationRequirement.PREFERRED
_OF_SIGNING_KEYS: Final = UserVerificationRequirement.REQUIRED
_LONGEST_ANSWER: Final = 20_000  # characters; a browser's has about a thousand
INVALID_ANSWER: Final = (
    AttributeError,
    LookupError,
    RecursionError,
    TypeError,
    ValueError,
    struct.error,  # of fido2, for CBOR that ends early
)
"""The exceptions for an answer that is malformed, forged or unexpected."""


def registration_options(request: HttpRequest, person: User) -> str:
    """The options of ``navigator.credentials.create`` as JSON; starts a challenge."""
    entity = get_adapter().get_public_key_credential_user_entity(person)
    options, state = _server(request).register_begin(
        user=PublicKeyCredentialUserEntity(**entity),
        credentials=_credentials(person),
        resident_key_requirement=ResidentKeyRequirement.DISCOURAGED,
        user_verification=_VERIFICATION,
        extensions={"credProps": True},
    )
    request.session[_STATE] = state
    return json.dumps(dict(options))


def verified_registration(request: HttpRequest, answer: str) -> dict[str, Any]:
    """The credential that answers the challenge, once. Raises one of INVALID_ANSWER."""
    credential = parse_answer(answer)
    _server(request).register_complete(request.session[_STATE], credential)
    del request.session[_STATE]
    return credential


class NewSigningKey(NamedTuple):
    """A credential that an authenticator, or a browser, has created for signing decisions."""

    credential_id: bytes
    public: PublicKey


def signing_key_options(request: HttpRequest, person: User) -> str:
    """The options for creating a signing key, as JSON; starts a challenge."""
    entity = get_adapter().get_public_key_credential_user_entity(person)
    options, state = _server(request).register_begin(
        user=PublicKeyCredentialUserEntity(**entity),
        resident_key_requirement=ResidentKeyRequirement.DISCOURAGED,
        user_verification=_OF_SIGNING_KEYS,
    )
    request.session[_STATE] = state
    return json.dumps(dict(options))


def verified_signing_key(request: HttpRequest, answer: str) -> NewSigningKey:
    """The signing key that answers the challenge, once. Raises one of INVALID_ANSWER."""
    server = _server(request)
    data = server.register_complete(request.session[_STATE], parse_answer(answer))
    del request.session[_STATE]
    credential = data.credential_data
    if credential is None:
        raise LookupError("the answer has no credential")
    public = PublicKey(cbor.encode(credential.public_key), server.rp.id or "")
    public_key_der(public.cose)  # fails for what is no key: no export could show it
    return NewSigningKey(credential.credential_id, public)


def answered_challenge(request: HttpRequest) -> tuple[bytes, str]:
    """The challenge of ``signing_key_options``, which is over with it, and the site."""
    challenge = websafe_decode(request.session.pop(_STATE)["challenge"])
    return challenge, _server(request).rp.id or ""


def store_passkey(person: User, name: str, credential: dict[str, Any]) -> Authenticator:
    """Adds a passkey to the person's factors."""
    passkey: Authenticator = Authenticator.objects.create(
        user=person, type=_PASSKEY, data={"name": name, "credential": credential}
    )
    return passkey


def authentication_options(request: HttpRequest, person: User) -> str:
    """The options of ``navigator.credentials.get`` as JSON; starts a challenge."""
    options, state = _server(request).authenticate_begin(
        credentials=_credentials(person), user_verification=_VERIFICATION
    )
    request.session[_STATE] = state
    return json.dumps(dict(options))


def verified_passkey(request: HttpRequest, person: User, answer: str) -> Authenticator:
    """The person's passkey that answers the challenge, once. Raises one of INVALID_ANSWER."""
    used = _server(request).authenticate_complete(
        request.session[_STATE], _credentials(person), parse_answer(answer)
    )
    del request.session[_STATE]
    for passkey in _passkeys(person):
        if _credential(passkey).credential_id == used.credential_id:
            return passkey
    raise LookupError("the passkey was removed")


def _server(request: HttpRequest) -> Fido2Server:
    with context.request_context(request):
        site = get_adapter().get_public_key_credential_rp_entity()
    return Fido2Server(PublicKeyCredentialRpEntity(**site))


def _passkeys(person: User) -> list[Authenticator]:
    return list(Authenticator.objects.filter(user=person, type=_PASSKEY))


def _credentials(person: User) -> list[AttestedCredentialData]:
    return [_credential(passkey) for passkey in _passkeys(person)]


def _credential(passkey: Authenticator) -> AttestedCredentialData:
    response = RegistrationResponse.from_dict(passkey.data["credential"]).response
    credential: AttestedCredentialData | None = (
        response.attestation_object.auth_data.credential_data
    )
    if credential is None:
        raise LookupError("the stored passkey has no credential")
    return credential


def parse_answer(answer: str) -> dict[str, Any]:
    """The browser's answer. Raises one of INVALID_ANSWER."""
    parsed = json.loads(answer[:_LONGEST_ANSWER])
    if not isinstance(parsed, dict):
        raise TypeError("an answer is a JSON object")
    return parsed
