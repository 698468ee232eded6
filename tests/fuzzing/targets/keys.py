"""Signatures and keys that strangers send: of authenticators, browsers and studios."""

import json
from base64 import b64encode, urlsafe_b64encode
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any, Final

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

import tests.fuzzing.django_setup  # noqa: F401  before models are imported
from compliance.signatures.assertions import (
    InvalidAssertion,
    PublicKey,
    base64url,
    parse_assertion,
    verify_assertion,
)
from compliance.signatures.software_key import SoftwareKey
from rounds.signatures.batch_lines import Place, checked_payload
from rounds.signatures.exceptions import InvalidSignature
from rounds.signatures.message_signature import ContentDigests, parse_message_signature
from rounds.signatures.public_keys import (
    InvalidPublicKey,
    is_signed,
    key_id_of,
    raw_public_key,
    read_public_key,
)
from rounds.signatures.web_signature import parse_web_signature, sign_payload
from tests.browser_keys import BrowserKey, browser_answer_of
from tests.fuzzing.json_mutation import JsonMutation
from tests.fuzzing.target import Target

_TEXT: Final = '[1,"Giulia",7,"CASE_APPROVED","case:C-000001",{}]'
_AT: Final = datetime(2026, 11, 21, 21, 30, tzinfo=UTC)
_BODY: Final = b'{"feed":"round/1"}'
_PRIVATE: Final = ec.derive_private_key(7, ec.SECP256R1())
_PERSON: Final = SoftwareKey(_PRIVATE, site="localhost", origin="http://localhost")
_BROWSER: Final = BrowserKey(_PRIVATE, site="localhost", origin="http://localhost")
_STUDIO: Final = Ed25519PrivateKey.from_private_bytes(bytes([1]) * 32)
_STUDIO_KEY: Final = raw_public_key(_STUDIO.public_key())
_COVERED: Final = {"@method": "POST", "@path": "/api/v1/rounds"}


def check(data: bytes) -> None:
    """One JSON object with what is sent in each place; a part that is not there is not read."""
    try:
        sent = json.loads(data)
    except (ValueError, RecursionError):
        sent = {"answer": data.decode(errors="replace"), "public_key": data.decode("latin-1")}
    for name, read in _READERS.items():
        if isinstance(sent, dict) and name in sent:
            read(sent[name])


def _check_answer(value: Any) -> None:
    """What is accepted as a person's signature is what that person signed."""
    answer = value if isinstance(value, str) else json.dumps(value)
    try:
        assertion = parse_assertion(answer)
    except InvalidAssertion:
        return
    for key in (_PERSON, _BROWSER):
        if _is_accepted(assertion, key.public):
            signed = key.sign(_TEXT)
            assert assertion.authenticator_data == signed.authenticator_data
            client, expected = json.loads(assertion.client_data), json.loads(signed.client_data)
            assert client == expected


def _is_accepted(assertion: Any, key: PublicKey) -> bool:
    try:
        verify_assertion(assertion, text=_TEXT, key=key)
    except InvalidAssertion:
        return False
    return True


def _check_headers(value: Any) -> None:
    """A request that counts as signed has the signed body and a text of printable ASCII."""
    given = value if isinstance(value, dict) else {}
    headers = {
        name.lower(): text.encode("latin-1", "replace").decode("latin-1")
        for name, text in given.items()
        if isinstance(text, str)
    }
    headers = {"Signature": headers.get("signature", ""), **headers}
    headers["Signature-Input"] = headers.get("signature-input", "")
    try:
        signed = parse_message_signature(headers, _COVERED.get)
        digests = ContentDigests()
        digests.update(_BODY)
        digests.check(headers.get("content-digest", ""))
    except InvalidSignature as error:
        assert error.found
        assert error.needed
        return
    assert signed.signed_text.decode("ascii").replace("\n", "").replace("\t", "").isprintable()
    if is_signed(_STUDIO_KEY, signed.signature, signed.signed_text):
        assert signed.key_id == key_id_of(_STUDIO_KEY)


def _check_lines(value: Any) -> None:
    """A line of a signature file: its parts as JSON, or the text itself."""
    try:
        signed = parse_web_signature(_compact(value))
        checked_payload(signed, Place(), latest=_AT)
    except InvalidSignature as error:
        assert error.found
        assert error.needed
        return
    assert "\0" not in signed.key_id
    signed.key_id.encode()  # the key is looked up by it
    if is_signed(_STUDIO_KEY, signed.signature, signed.signed_text):
        assert signed.payload == _payload()


def _compact(value: Any) -> bytes:
    if not isinstance(value, list) or not value:
        return str(value).encode(errors="replace")
    parts = [urlsafe_b64encode(json.dumps(part).encode()).rstrip(b"=") for part in value[:2]]
    return b".".join([*parts, str(value[-1]).encode(errors="replace")])


def _check_public_key(value: Any) -> None:
    """A studio's key has 32 octets, however it was written."""
    text = value if isinstance(value, str) else json.dumps(value)
    try:
        assert len(read_public_key(text)) == 32
    except InvalidPublicKey as error:
        assert str(error)


_READERS: Final[dict[str, Callable[[Any], None]]] = {
    "answer": _check_answer,
    "headers": _check_headers,
    "lines": _check_lines,
    "public_key": _check_public_key,
}


def _payload() -> dict[str, Any]:
    return {
        "feed": "batch/1",
        "number": 1,
        "lines": 1,
        "sha256": "0" * 64,
        "previous": None,
        "created": "2026-11-21T21:30:00Z",
    }


def seeds() -> list[bytes]:
    """A valid one of each kind."""
    signed = _PERSON.sign(_TEXT)
    response = {
        "authenticatorData": base64url(signed.authenticator_data),
        "clientDataJSON": base64url(signed.client_data),
        "signature": base64url(signed.signature),
    }
    answer = {"rawId": base64url(signed.credential_id), "response": response}
    line = sign_payload(_payload(), _STUDIO)
    head = {"alg": "EdDSA", "kid": key_id_of(_STUDIO_KEY)}
    x = base64url(_STUDIO_KEY)
    digest = ContentDigests()
    digest.update(_BODY)
    field = f"sha-256=:{b64encode(digest.sha256()).decode()}:"
    given = f'("@method" "@path" "content-type" "content-digest");created=1;keyid="{head["kid"]}"'
    values = {**_COVERED, "content-type": "application/json", "content-digest": field}
    lines = [*(f'"{name}": {text}' for name, text in values.items())]
    text = "\n".join([*lines, f'"@signature-params": {given}'])
    headers = {
        **{name: text for name, text in values.items() if name[0] != "@"},
        "signature-input": f"sig={given}",
        "signature": f"sig=:{b64encode(_STUDIO.sign(text.encode())).decode()}:",
    }
    sent: list[dict[str, Any]] = [
        {"answer": answer},
        {"answer": json.loads(browser_answer_of(_BROWSER.sign(_TEXT)))},
        {"headers": headers},
        {"lines": line},
        {"lines": [head, _payload(), line.rpartition(".")[2]]},
        {"public_key": x},
        {"public_key": {"kty": "OKP", "crv": "Ed25519", "x": x}},
    ]
    return [json.dumps(one).encode() for one in sent]


TARGET = Target(check, seeds, JsonMutation(seeds()), longest=4096)
