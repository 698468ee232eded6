"""Signing keys that a browser makes by WebCrypto, where BROWSER_KEYS allows them.

The browser keeps the private key for its own profile and gives it to nobody, not even to the page
(``templates/static/sabot/js/browser-keys.js``). That it cannot be exported is what the page asked
for, not what the server sees: the server sees that the person who
registers has the key.
"""

import hashlib

from cryptography.hazmat.primitives.asymmetric import ec
from django.http import HttpRequest
from fido2 import cbor
from fido2.cose import ES256

from casino.access.passkeys import NewSigningKey, answered_challenge, parse_answer
from compliance.signatures.assertions import (
    BROWSER_REGISTERS,
    PublicKey,
    octets_of,
    parse_assertion,
    verify_answer,
)


def verified_browser_key(request: HttpRequest, answer: str) -> NewSigningKey:
    """The key of a browser that answers the challenge of ``signing_key_options``, once.

    Raises InvalidAssertion or one of INVALID_ANSWER.
    """
    challenge, site = answered_challenge(request)
    point = octets_of(parse_answer(answer)["publicKey"])
    public = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), point)
    cose = cbor.encode(ES256.from_cryptography_key(public))  # type: ignore[no-untyped-call]
    key = PublicKey(cose, site, is_browser=True)
    verify_answer(parse_assertion(answer), challenge, key=key, ceremony=BROWSER_REGISTERS)
    return NewSigningKey(hashlib.sha256(point).digest(), key)
