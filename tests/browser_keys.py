"""Keys in browsers, made in Python: what ``browser-keys.js`` does with WebCrypto."""

import hashlib
import json

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from compliance.signatures.assertions import (
    BROWSER_REGISTERS,
    BROWSER_SIGNS,
    Assertion,
    PublicKey,
    base64url,
)
from compliance.signatures.software_key import SoftwareKey


class BrowserKey(SoftwareKey):
    """A key of one site that signs client data of its own type."""

    ceremony = BROWSER_SIGNS

    @property
    def point(self) -> bytes:
        """The public key as WebCrypto exports it."""
        return self._key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)

    @property
    def public(self) -> PublicKey:
        """The public key, for registration."""
        return super().public._replace(is_browser=True)

    @property
    def credential_id(self) -> bytes:
        """The id under which the browser keeps the key."""
        return hashlib.sha256(self.point).digest()

    def answer(self, challenge: str, *, flags: bytes = b"") -> Assertion:
        """The assertion that answers a challenge."""
        client = {"type": self.ceremony, "challenge": challenge, "origin": self.origin}
        client_data = json.dumps(client).encode()
        signature = self._key.sign(client_data, ec.ECDSA(SHA256()))
        return Assertion(self.credential_id, b"", client_data, signature)

    def register(self, challenge: str) -> str:
        """The browser's answer when it has made the key."""
        registering = type(self)(self._key, site=self._site, origin=self.origin)
        registering.ceremony = BROWSER_REGISTERS
        answer = json.loads(browser_answer_of(registering.answer(challenge)))
        return json.dumps({"publicKey": base64url(self.point), **answer})


def as_authenticator(key: SoftwareKey) -> SoftwareKey:
    """The same private key, which signs what an authenticator would sign."""
    return SoftwareKey.load(key.pem, site="localhost", origin="http://localhost")


def browser_answer_of(signed: Assertion) -> str:
    """The assertion as the browser sends it: r and s in 64 octets."""
    raw = b"".join(part.to_bytes(32) for part in decode_dss_signature(signed.signature))
    response = {
        "authenticatorData": "",
        "clientDataJSON": base64url(signed.client_data),
        "signature": base64url(raw),
    }
    return json.dumps({"rawId": base64url(signed.credential_id), "response": response})
