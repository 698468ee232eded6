"""Signatures as browsers verify them, against ``cryptography``."""

import random
from typing import Final

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import (
    Ed25519PrivateKey,
    Ed25519PublicKey,
)

from casino.backoffice.verification_files.browser.ed25519 import is_signed

_ORDER: Final = 2**252 + 27742317777372353535851937790883648493
_RFC_8032: Final = (  # section 7.1, tests 1 to 3: public key, message, signature
    (
        "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
        "",
        (
            "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e06522490155"
            "5fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b"
        ),
    ),
    (
        "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
        "72",
        (
            "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da"
            "085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00"
        ),
    ),
    (
        "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
        "af82",
        (
            "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac"
            "18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a"
        ),
    ),
)


def _by_cryptography(message: bytes, signature: bytes, public_key: bytes) -> bool:
    try:
        Ed25519PublicKey.from_public_bytes(public_key).verify(signature, message)
    except (InvalidSignature, ValueError):
        return False
    return True


@pytest.mark.parametrize(("public_key", "message", "signature"), _RFC_8032)
def test_the_examples_of_the_standard_are_right(
    public_key: str, message: str, signature: str
) -> None:
    """And wrong for another message."""
    key, signed = bytes.fromhex(public_key), bytes.fromhex(signature)

    assert is_signed(bytes.fromhex(message), signature=signed, public_key=key)
    assert not is_signed(b"x" + bytes.fromhex(message), signature=signed, public_key=key)


def test_decides_as_cryptography() -> None:
    """Of right signatures, of those with one changed bit anywhere, and of other scalars."""
    chance = random.Random(7)
    key = Ed25519PrivateKey.from_private_bytes(b"k" * 32)
    public = key.public_key().public_bytes_raw()
    answers = []
    for number in range(120):
        message = chance.randbytes(number)
        whole = bytearray(message + key.sign(message) + public)
        if number % 3:
            bit = chance.randrange(8 * len(whole))
            whole[bit // 8] ^= 1 << bit % 8
        text, signature, used = bytes(whole[:-96]), bytes(whole[-96:-32]), bytes(whole[-32:])
        expected = _by_cryptography(text, signature, used)
        assert is_signed(text, signature=signature, public_key=used) is expected
        answers.append(expected)
    assert answers.count(True) == 40


@pytest.mark.parametrize(
    "change",
    [
        lambda signature: (
            signature[:32]
            + (int.from_bytes(signature[32:], "little") + _ORDER).to_bytes(32, "little")
        ),
        lambda signature: signature[:-1],
        lambda signature: b"\xff" * 32 + signature[32:],
        lambda _signature: b"\x01" + bytes(63),
    ],
    ids=["a scalar beyond the order", "too short", "no point", "the neutral point"],
)
def test_refuses_what_is_not_canonical(change: object) -> None:
    """As OpenSSL does."""
    key = Ed25519PrivateKey.from_private_bytes(b"k" * 32)
    public = key.public_key().public_bytes_raw()

    assert callable(change)
    signature = change(key.sign(b"message"))

    assert not is_signed(b"message", signature=signature, public_key=public)
    assert not _by_cryptography(b"message", signature, public)


@pytest.mark.parametrize("public_key", [b"\xff" * 32, b"\x02" + bytes(31), b"short"])
def test_refuses_keys_that_are_no_points(public_key: bytes) -> None:
    """Whatever they are said to have signed."""
    assert not is_signed(b"", signature=bytes(64), public_key=public_key)
