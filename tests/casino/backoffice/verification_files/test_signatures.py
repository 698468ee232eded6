"""Signatures as browsers verify them, against ``cryptography`` and ``openssl``."""

import random
from collections.abc import Callable
from typing import Final

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric import ec, padding, rsa
from cryptography.hazmat.primitives.hashes import SHA256, SHA384, SHA512, HashAlgorithm
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat, pkcs7

from casino.backoffice.verification_files.browser.cms import certificate_in
from casino.backoffice.verification_files.browser.public_keys import NotVerified, is_signed
from casino.backoffice.verification_files.browser.signatures import InBrowser
from compliance.exports import verify_bundle
from tests.compliance.exports.certificate_authorities import Private, authority, named
from tests.repetitions import repeated

_CONTENT: Final = b'{"what": "is signed"}'
_RSA: Final = rsa.generate_private_key(public_exponent=65537, key_size=2048)
_CURVES: Final = (ec.SECP256R1(), ec.SECP384R1())


def _der(key: ec.EllipticCurvePublicKey | rsa.RSAPublicKey) -> bytes:
    return key.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)


def _flipped(octets: bytes, chance: random.Random) -> bytes:
    changed = bytearray(octets)
    bit = chance.randrange(8 * len(changed))
    changed[bit // 8] ^= 1 << bit % 8
    return bytes(changed)


@pytest.mark.parametrize("curve", _CURVES, ids=lambda curve: str(curve.name))
def test_ecdsa_decides_as_cryptography(curve: ec.EllipticCurve) -> None:
    """Of right signatures and of those with one changed bit."""
    chance, answers = random.Random(curve.name), []
    for number in range(40):
        key = ec.derive_private_key(chance.randrange(1, 2**250), curve)
        signature = key.sign(_CONTENT, ec.ECDSA(SHA256()))
        if number % 2:
            signature = _flipped(signature, chance)
        try:
            key.public_key().verify(signature, _CONTENT, ec.ECDSA(SHA256()))
            expected = True
        except InvalidSignature:
            expected = False
        found = is_signed(
            _CONTENT, signature=signature, key=_der(key.public_key()), hash_name="sha256"
        )
        assert found is expected
        answers.append(found)
    assert answers.count(True) == 20


@pytest.mark.parametrize("kind", [SHA256(), SHA384(), SHA512()], ids=lambda kind: kind.name)
def test_rsa_decides_as_cryptography(kind: HashAlgorithm) -> None:
    """Also of a padding of another kind, and of a number beyond the modulus."""
    chance, der = random.Random(1), _der(_RSA.public_key())
    right = _RSA.sign(_CONTENT, padding.PKCS1v15(), kind)
    modulus = _RSA.public_key().public_numbers().n
    beyond = (int.from_bytes(right, "big") + modulus).to_bytes(257, "big")
    pss = _RSA.sign(_CONTENT, padding.PSS(padding.MGF1(kind), 32), kind)

    def found(signature: bytes) -> bool:
        return is_signed(_CONTENT, signature=signature, key=der, hash_name=kind.name)

    assert found(right)
    others = [pss, beyond, right[:-1], b"", *(_flipped(right, chance) for _ in range(30))]
    assert not any(map(found, others))


@pytest.mark.parametrize(("r", "s"), [(0, 1), (1, 0), (-1, 1), (1, 2**256)])
def test_ecdsa_refuses_numbers_outside_the_order(r: int, s: int) -> None:
    """Which no signer makes; the number 0 would fit every content in a careless equation."""
    parts = [number.to_bytes(33, "big", signed=True).lstrip(b"\0") or b"\0" for number in (r, s)]
    body = b"".join(bytes([2, len(part)]) + part for part in parts)
    der = _der(ec.derive_private_key(7, ec.SECP256R1()).public_key())

    signature = bytes([0x30, len(body)]) + body

    assert not is_signed(_CONTENT, signature=signature, key=der, hash_name="sha256")


def test_a_curve_of_another_kind_is_not_verified() -> None:
    """Neither right nor wrong."""
    key = ec.generate_private_key(ec.SECP521R1())
    signature = key.sign(_CONTENT, ec.ECDSA(SHA256()))

    with pytest.raises(NotVerified):
        is_signed(_CONTENT, signature=signature, key=_der(key.public_key()), hash_name="sha256")


class _Signed:
    """A signature with the certificate of its signer."""

    def __init__(self, key: Private, kind: HashAlgorithm, *options: pkcs7.PKCS7Options) -> None:
        issuer = authority(named("Prestatore"))
        certificate = issuer.certify("Casino di prova", private=key).certificate
        self.key_id = certificate.fingerprint(SHA256()).hex()
        self.pem = certificate.public_bytes(Encoding.PEM).decode()
        builder = pkcs7.PKCS7SignatureBuilder().set_data(_CONTENT)
        builder = builder.add_signer(certificate, key, kind)  # type: ignore[arg-type]
        used = [pkcs7.PKCS7Options.Binary, *options]
        self.octets = builder.sign(Encoding.DER, used)


_DETACHED: Final = pkcs7.PKCS7Options.DetachedSignature
_BARE: Final = pkcs7.PKCS7Options.NoAttributes


def _word(by: verify_bundle.Openssl, content: bytes, signature: bytes, key_id: str) -> str | None:
    """What is said with the page or openssl as the verifier; without openssl's own words."""
    outside = verify_bundle.NOTHING._replace(given=by)
    try:
        verify_bundle.verify_signature(content, signature, key_id, outside)
    except verify_bundle.Wrong as wrong:
        return str(wrong).partition(" (openssl")[0]
    return None


@pytest.mark.parametrize("options", [(_DETACHED,), (_DETACHED, _BARE)], ids=["attributes", "bare"])
@pytest.mark.parametrize(
    ("make", "kind"),
    [
        (lambda: ec.generate_private_key(ec.SECP256R1()), SHA256()),
        (lambda: ec.generate_private_key(ec.SECP384R1()), SHA384()),
        (lambda: _RSA, SHA256()),
        (lambda: _RSA, SHA512()),
    ],
    ids=["P-256", "P-384", "RSA", "RSA, SHA-512"],
)
def test_a_signature_of_a_manifest_is_read_as_by_openssl(
    make: Callable[[], Private], kind: HashAlgorithm, options: tuple[pkcs7.PKCS7Options, ...]
) -> None:
    """Right, of another content, by another certificate, and with one changed bit anywhere.

    The page may refuse what openssl overlooks, but never the other way round.
    """
    signed, other = _Signed(make(), kind, *options), _Signed(make(), kind, *options)
    page, openssl = InBrowser(), verify_bundle.Openssl()

    for content, signature, key_id in (
        (_CONTENT, signed.octets, signed.key_id),
        (_CONTENT + b".", signed.octets, signed.key_id),
        (_CONTENT, signed.octets, other.key_id),
        (_CONTENT, signed.octets[:-1], signed.key_id),
    ):
        found = _word(page, content, signature, key_id)
        assert found == _word(openssl, content, signature, key_id)
    assert _word(page, _CONTENT, signed.octets, signed.key_id) is None
    chance = random.Random(3)
    for _repetition in range(repeated(100)):
        changed = _flipped(signed.octets, chance)
        try:
            is_accepted = _word(page, _CONTENT, changed, signed.key_id) is None
        except NotVerified:
            continue
        assert not is_accepted or _word(openssl, _CONTENT, changed, signed.key_id) is None


def test_what_contains_its_content_is_not_verified() -> None:
    """A bundle has detached signatures; openssl would compare the other content."""
    signed = _Signed(ec.generate_private_key(ec.SECP256R1()), SHA256())

    with pytest.raises(NotVerified):
        InBrowser().certificates(signed.octets)


def test_the_names_of_a_certificate_are_those_of_its_holder() -> None:
    """Not of its issuer."""
    signed = _Signed(ec.generate_private_key(ec.SECP256R1()), SHA256())

    assert certificate_in(signed.pem).subject == {"CN": "Casino di prova"}
