"""Forged signatures of a decision."""

import hashlib
import json
from base64 import b64decode, b64encode
from typing import Any, Final

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.hashes import SHA256
from fido2 import cbor
from fido2.cose import EdDSA

from compliance.exports.verify_bundle import der_of
from compliance.signatures.assertions import base64url
from compliance.signatures.software_key import SoftwareKey
from tests.attacks.exports.forged.statements import (
    Change,
    approved_again,
    by_lorenzo,
    with_key,
    with_step,
)
from tests.attacks.exports.workshop import Arguments, Forged, Workshop
from tests.attacks.forgeries import PRESENT
from tests.browser_keys import BrowserKey
from tests.compliance.exports.decisions.signed_day import (
    SIGNATURES,
    Line,
    assertion_parts,
    signed_by,
)

_VERIFIED_ONLY: Final = b"\x04"


def _approval(shop: Workshop, change: Change) -> Arguments:
    return shop.bundle(with_step(shop, change))


def _with_flags(shop: Workshop, flags: bytes) -> Arguments:
    key = shop.persons.lorenzo.key
    return _approval(shop, lambda line: signed_by(key, line, flags=flags))


def _signed_at(shop: Workshop, origin: str, site: str = "localhost") -> Arguments:
    elsewhere = SoftwareKey.load(shop.persons.lorenzo.key.pem, site=site, origin=origin)
    return _approval(shop, lambda line: signed_by(elsewhere, line))


class Framed(SoftwareKey):
    """Lorenzo's key, which a page of another site makes sign, or for another purpose."""

    client: Line = {}

    def answer(self, challenge: str, *, flags: bytes = b"\x05") -> Any:
        """An assertion whose client data say more."""
        made = super().answer(challenge, flags=flags)
        data = json.dumps(json.loads(made.client_data) | self.client).encode()
        signed = made.authenticator_data + hashlib.sha256(data).digest()
        signature = self._key.sign(signed, ec.ECDSA(SHA256()))
        return made._replace(client_data=data, signature=signature)


def _framed(shop: Workshop, **client: Any) -> Arguments:
    key = Framed.load(shop.persons.lorenzo.key.pem, site="localhost", origin="http://localhost")
    key.client = client
    return _approval(shop, lambda line: signed_by(key, line))


def in_a_browser(shop: Workshop, line: Line) -> Line:
    """Lorenzo's key as one that was approved as a key in a browser."""
    return approved_again(shop, line, details={"kind": "browser"}) | {"is_browser": True}


def _with_authenticator_data(shop: Workshop) -> Arguments:
    pem = shop.persons.lorenzo.key.pem
    key = BrowserKey.load(pem, site="localhost", origin="http://localhost")
    return shop.bundle(
        with_key(shop, lambda line: in_a_browser(shop, line))
        | with_step(shop, lambda line: signed_by(key, line) | {"authenticator_data": "AAAA"})
    )


def _of_another_algorithm(shop: Workshop) -> Arguments:
    """A key of Ed25519 in a browser, where WebCrypto makes keys of P-256."""
    private = Ed25519PrivateKey.generate()
    cose = cbor.encode(EdDSA.from_cryptography_key(private.public_key()))  # type: ignore[no-untyped-call]
    key_id = hashlib.sha256(cose).hexdigest()
    own = {
        "key": key_id,
        "public_key": b64encode(cose).decode(),
        "der": b64encode(der_of(cose)).decode(),
        "is_browser": True,
    }

    def signed(line: Line) -> Line:
        challenge = base64url(hashlib.sha256(b64decode(line["signed_text"])).digest())
        client = {"type": "sabot.browser", "challenge": challenge, "origin": "http://localhost"}
        data = json.dumps(client).encode()
        parts = {"authenticator_data": b"", "client_data": data, "signature": private.sign(data)}
        return (
            line
            | {name: b64encode(part).decode() for name, part in parts.items()}
            | {"key": key_id}
        )

    return shop.bundle(
        with_key(
            shop,
            lambda line: (
                approved_again(shop, line, details={"kind": "browser", "key": key_id}) | own
            ),
        )
        | with_step(shop, signed)
    )


def _of_another_text(shop: Workshop) -> Arguments:
    made = shop.persons.lorenzo.key.sign("something else")
    return _approval(shop, lambda line: line | assertion_parts(made))


def _with_another_record(line: Line) -> Line:
    return line | {"record": line["record"].replace("Agreed.", "Refused.")}


def _withheld(line: Line) -> Line:
    shown = {name: part for name, part in line.items() if name != "signed_text"}
    return shown | {"text_withheld": True}


def early(line: Line) -> Line:
    """The decision as one from before signatures."""
    return {"record": line["record"], "from_before_signatures": True}


def _both_early(shop: Workshop) -> Arguments:
    """The proposal and the approval."""
    return shop.bundle(
        shop.bundles["registers"].with_lines(
            SIGNATURES, lambda line: early(line) if "CASE_" in line["record"] else line
        )
    )


SIGNED: Final = {
    "that nobody signed": Forged(
        "its person did not sign it",
        lambda shop: _approval(shop, lambda line: {"record": line["record"], "key": line["key"]}),
    ),
    "by a key of the operator": Forged(
        "its signature is invalid (openssl",
        lambda shop: shop.bundle(by_lorenzo(shop, SoftwareKey.generate())),
    ),
    "of another text": Forged("the signature is of another text", _of_another_text),
    "with another record than was signed": Forged(
        "the signed text is that of other decisions",
        lambda shop: _approval(shop, _with_another_record),
    ),
    "for another purpose": Forged(
        "the signature is of webauthn.create", lambda shop: _framed(shop, type="webauthn.create")
    ),
    "in a frame of another site": Forged(
        "the signature was made at", lambda shop: _framed(shop, crossOrigin=True)
    ),
    "at another site": Forged(
        "made at https://casino.example, not at localhost",
        lambda shop: _signed_at(shop, "https://casino.example"),
    ),
    "at an address without encryption": Forged(
        "made at http://desk.localhost", lambda shop: _signed_at(shop, "http://desk.localhost")
    ),
    "for another site": Forged(
        "the signature is for another site",
        lambda shop: _signed_at(shop, "http://localhost", site="casino.example"),
    ),
    "without a verified user": Forged(
        "did not verify its user", lambda shop: _with_flags(shop, PRESENT)
    ),
    "without a present user": Forged(
        "did not verify its user", lambda shop: _with_flags(shop, _VERIFIED_ONLY)
    ),
    "in a browser with what an authenticator saw": Forged(
        "it has no signature of a key in a browser", _with_authenticator_data
    ),
    "in a browser by another algorithm": Forged(
        "it has no signature of a key in a browser", _of_another_algorithm
    ),
    "whose text is withheld": Forged(
        "the bundle withholds signed texts", lambda shop: _approval(shop, _withheld)
    ),
    "of before signatures, on a later day": Forged(
        "it is said to be from before signatures",
        lambda shop: ["--signed-since", "2026-11-01", *_both_early(shop)],
    ),
    "of before signatures, after a signed one": Forged(
        "it is no earlier decision", lambda shop: _approval(shop, early)
    ),
}
