"""An authenticator in software, for the demo and tests: its private key lies in a file or memory.

It proves nothing about a person. Installations accept its keys only with SOFTWARE_KEYS.
"""

import hashlib
import json
from typing import Self

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    load_pem_private_key,
)
from fido2 import cbor
from fido2.cose import ES256

from compliance.signatures.assertions import Assertion, PublicKey, base64url, challenge_of

_USER_VERIFIED = b"\x05"
"""Flags of the authenticator data: user present and user verified."""
_NO_COUNTER = bytes(4)


class SoftwareKey:
    """A key of one site that signs every text it is given."""

    def __init__(self, key: ec.EllipticCurvePrivateKey, *, site: str, origin: str) -> None:
        self._key, self._site, self.origin = key, site, origin

    @classmethod
    def generate(cls, *, site: str = "localhost", origin: str = "http://localhost") -> Self:
        """A new key."""
        return cls(ec.generate_private_key(ec.SECP256R1()), site=site, origin=origin)

    @classmethod
    def load(cls, pem: bytes, *, site: str, origin: str) -> Self:
        """The key in a PEM file."""
        key = load_pem_private_key(pem, password=None)
        if not isinstance(key, ec.EllipticCurvePrivateKey):
            raise TypeError("found another kind of key; needed one of an elliptic curve")
        return cls(key, site=site, origin=origin)

    @property
    def pem(self) -> bytes:
        """The private key in PEM."""
        return self._key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())

    @property
    def public(self) -> PublicKey:
        """The public key, for registration."""
        key = ES256.from_cryptography_key(self._key.public_key())  # type: ignore[no-untyped-call]
        return PublicKey(cbor.encode(key), self._site)

    @property
    def credential_id(self) -> bytes:
        """The id under which an authenticator would keep the key."""
        return hashlib.sha256(self.public.cose).digest()

    def sign(self, text: str, *, flags: bytes = _USER_VERIFIED) -> Assertion:
        """The assertion that signs the text."""
        return self.answer(base64url(challenge_of(text)), flags=flags)

    def answer(self, challenge: str, *, flags: bytes = _USER_VERIFIED) -> Assertion:
        """The assertion that answers a challenge in base64url."""
        seen = hashlib.sha256(self._site.encode()).digest() + flags + _NO_COUNTER
        client = {"type": "webauthn.get", "challenge": challenge, "origin": self.origin}
        client_data = json.dumps(client).encode()
        signed = seen + hashlib.sha256(client_data).digest()
        signature = self._key.sign(signed, ec.ECDSA(SHA256()))
        return Assertion(self.credential_id, seen, client_data, signature)
