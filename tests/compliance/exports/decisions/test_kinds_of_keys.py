"""Keys of authenticators in COSE, as openssl and the verifier read them."""

from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, padding, rsa
from cryptography.hazmat.primitives.hashes import SHA256
from fido2 import cbor
from fido2.cose import ES256, RS256, EdDSA

from compliance.exports import verify_bundle
from compliance.signatures.signature_lines import public_key_der

SIGNED = b"authenticator data and the digest of the client data"


def elliptic() -> tuple[Any, bytes]:
    """ECDSA with P-256, as most authenticators have it."""
    private = ec.generate_private_key(ec.SECP256R1())
    return ES256.from_cryptography_key(private.public_key()), private.sign(  # type: ignore[no-untyped-call]
        SIGNED, ec.ECDSA(SHA256())
    )


def edwards() -> tuple[Any, bytes]:
    """Ed25519."""
    private = ed25519.Ed25519PrivateKey.generate()
    return EdDSA.from_cryptography_key(private.public_key()), private.sign(SIGNED)  # type: ignore[no-untyped-call]


def rsa_2048() -> tuple[Any, bytes]:
    """RSA, as Windows keeps it."""
    private = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    signature = private.sign(SIGNED, padding.PKCS1v15(), SHA256())
    return RS256.from_cryptography_key(private.public_key()), signature  # type: ignore[no-untyped-call]


@pytest.mark.parametrize("make", [elliptic, edwards, rsa_2048])
def test_are_verified_by_openssl(make: Any) -> None:
    """Both programs read the same key; another signature is refused."""
    key, signature = make()
    cose = cbor.encode(key)

    der = verify_bundle.der_of(cose)

    assert der == public_key_der(cose) != b""
    verify_bundle.Openssl().verify_by_key("it", SIGNED, signature, der)
    with pytest.raises(verify_bundle.Wrong, match="it is invalid"):
        verify_bundle.Openssl().verify_by_key("it", SIGNED + b".", signature, der)


def test_of_another_kind_are_refused() -> None:
    """Nobody has to guess how to verify them."""
    key = {1: 2, 3: -35, -1: 2, -2: bytes(48), -3: bytes(48)}  # ECDSA with P-384

    assert verify_bundle.der_of(cbor.encode(key)) == public_key_der(cbor.encode(key)) == b""
