"""Each guard of the form of studios' signatures is needed: without it a text passes as one."""

import base64
import hashlib
import json
from collections.abc import Mapping
from functools import partial
from typing import Any, Final

import pytest

from rounds.signatures import (
    message_signature,
    web_signature,
)
from rounds.signatures.exceptions import InvalidSignature
from rounds.signatures.message_signature import ContentDigests, parse_message_signature
from rounds.signatures.public_keys import to_base64url
from rounds.signatures.web_signature import parse_web_signature
from tests.attacks.guards import Refused

COVERED: Final = '("@method" "@path" "content-type" "content-digest")'
SIGNATURE: Final = f"a=:{base64.b64encode(bytes(64)).decode()}:"
BODY: Final = b"{}\n"


def request_with(given: str, signature: str = SIGNATURE, **fields: str) -> None:
    """Parses a signature of these parameters."""
    headers = {
        "Signature-Input": given,
        "Signature": signature,
        "content-digest": "sha-256=:AA==:",
        "content-type": "application/json",
        **fields,
    }
    parse_message_signature(headers, {"@method": "POST", "@path": "/foo"}.get)


def digests(field: str) -> None:
    """Checks a Content-Digest of the body."""
    computed = ContentDigests()
    computed.update(BODY)
    computed.check(field)


def right_digest() -> str:
    """That of the body."""
    return base64.b64encode(hashlib.sha256(BODY).digest()).decode()


def web(
    header: Mapping[str, Any] | None = None,
    payload: Any = None,
    signature: bytes = bytes(64),
    end: bytes = b"",
) -> None:
    """Parses a signature in compact form."""
    parts = [header or {"alg": "EdDSA", "kid": "k"}, {} if payload is None else payload]
    text = ".".join(to_base64url(json.dumps(part).encode()) for part in parts)
    parse_web_signature(f"{text}.{to_base64url(signature)}".encode() + end)


_given: Final = 'created=1;keyid="k"'
MESSAGES: Final = (
    Refused(
        ContentDigests.check,
        "digest != value",
        partial(digests, f"sha-256=:{right_digest()}:, sha-512=:AAAA:"),
        InvalidSignature,
    ),
    Refused(ContentDigests.check, "not given", partial(digests, "md5=:AAAA:"), InvalidSignature),
    Refused(
        parse_message_signature,
        "match is None",
        partial(request_with, f"a={COVERED};{_given}, b={COVERED};{_given}"),
        InvalidSignature,
        AttributeError,
    ),
    Refused(
        parse_message_signature,
        "missing",
        partial(request_with, f'a=("@method" "@path" "content-type");{_given}'),
        InvalidSignature,
    ),
    Refused(
        parse_message_signature,
        "len(set(names)) != len(names)",
        partial(request_with, f'a=("@method" {COVERED[1:]};{_given}'),
        InvalidSignature,
    ),
    Refused(
        message_signature._parameters,
        "len(parameters) != len(pairs)",
        partial(request_with, f"a={COVERED};created=2;{_given}"),
        InvalidSignature,
    ),
    Refused(
        message_signature._parameters,
        "name not in parameters",
        partial(request_with, f"a={COVERED};created=1"),
        InvalidSignature,
        KeyError,
    ),
    Refused(
        message_signature._parameters,
        "parameters.get('alg', ALGORITHM) != ALGORITHM",
        partial(request_with, f'a={COVERED};{_given};alg="hmac-sha256"'),
        InvalidSignature,
    ),
    Refused(
        message_signature._value,
        "value is None",
        partial(request_with, f'a=("absent" {COVERED[1:]};{_given}'),
        InvalidSignature,
        AttributeError,
    ),
    Refused(
        message_signature._value,
        "not value.isascii()",
        partial(request_with, f'a=("fold" {COVERED[1:]};{_given}', fold="é"),
        InvalidSignature,
        UnicodeEncodeError,
    ),
    Refused(
        message_signature._value,
        "not value.replace('\\t', ' ').isprintable()",
        partial(request_with, f'a=("fold" {COVERED[1:]};{_given}', fold='x\n"@method": GET'),
        InvalidSignature,
    ),
    Refused(
        message_signature._signature,
        "match is None",
        partial(request_with, f"a={COVERED};{_given}", "a=::"),
        InvalidSignature,
        TypeError,
    ),
    Refused(
        message_signature._signature,
        "match[1] != label",
        partial(request_with, f"a={COVERED};{_given}", f"b{SIGNATURE[1:]}"),
        InvalidSignature,
    ),
    Refused(
        message_signature._signature,
        "value is None",
        partial(request_with, f"a={COVERED};{_given}", "a=:A:"),
        InvalidSignature,
        TypeError,
    ),
    Refused(
        message_signature._signature,
        "len(value) != _SIGNATURE_BYTES",
        partial(request_with, f"a={COVERED};{_given}", "a=:AAAA:"),
        InvalidSignature,
    ),
)
WEB: Final = (
    Refused(
        parse_web_signature, "len(parts) != _PARTS", partial(web, end=b".e30"), InvalidSignature
    ),
    Refused(
        parse_web_signature,
        "header.get('alg') not in ALGORITHMS",
        partial(web, {"alg": "none", "kid": "k"}),
        InvalidSignature,
    ),
    Refused(
        parse_web_signature,
        "not isinstance(key_id, str)",
        partial(web, {"alg": "EdDSA", "kid": 5}),
        InvalidSignature,
        AttributeError,
    ),
    Refused(
        parse_web_signature,
        "key_id.isascii()",
        partial(web, {"alg": "EdDSA", "kid": "\xe9"}),
        InvalidSignature,
        passing="True",
    ),
    Refused(
        parse_web_signature,
        "key_id.isprintable()",
        partial(web, {"alg": "EdDSA", "kid": "a\0"}),
        InvalidSignature,
        passing="True",
    ),
    Refused(
        parse_web_signature,
        "header.keys() - {'alg', 'kid', 'typ'}",
        partial(web, {"alg": "EdDSA", "kid": "k", "crit": ["b64"], "b64": False}),
        InvalidSignature,
    ),
    Refused(
        parse_web_signature,
        "len(signature) != SIGNATURE_BYTES",
        partial(web, signature=bytes(63)),
        InvalidSignature,
    ),
    Refused(
        web_signature._object,
        "not isinstance(value, dict)",
        partial(web, payload=[]),
        InvalidSignature,
    ),
)
WELL_FORMED: Final = (*MESSAGES, *WEB)


@pytest.mark.parametrize("case", WELL_FORMED, ids=str)
def test_is_refused(case: Refused) -> None:
    """As no signature."""
    case.is_refused()


@pytest.mark.parametrize("case", WELL_FORMED, ids=str)
def test_without_its_guard_it_is_not(case: Refused, request: pytest.FixtureRequest) -> None:
    """It is a signature then, or an error of the server."""
    case.guard.is_needed(request)
