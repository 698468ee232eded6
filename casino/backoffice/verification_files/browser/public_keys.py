"""Verification by public keys of ECDSA, RSA and Ed25519, for a Python without OpenSSL.

It decides as OpenSSL does. It has no secrets, so it need not take constant time.
"""

import hashlib
from typing import Final, NamedTuple

from casino.backoffice.verification_files.browser import ed25519
from casino.backoffice.verification_files.browser.der import (
    BITS,
    INTEGER,
    NULL,
    OCTETS,
    OID,
    SEQUENCE,
    BadEncoding,
    element,
)

RSA: Final = bytes.fromhex("2a864886f70d010101")
EC: Final = bytes.fromhex("2a8648ce3d0201")
_ED25519: Final = bytes.fromhex("2b6570")
_UNCOMPRESSED: Final = 4
_MOST_BITS: Final = 16_384
_MOST_BITS_OF_EXPONENT: Final = 64
"""As OpenSSL: longer numbers would only keep the reader waiting."""
_FEWEST_PADDING: Final = 8
_HASH_OIDS: Final = {
    "sha256": bytes.fromhex("608648016503040201"),
    "sha384": bytes.fromhex("608648016503040202"),
    "sha512": bytes.fromhex("608648016503040203"),
}
HASHES: Final = {oid: name for name, oid in _HASH_OIDS.items()}
"""The supported digests by their object identifier."""


class NotVerified(Exception):
    """The page cannot verify a signature of this kind; openssl can."""


class _Curve(NamedTuple):
    """A curve y² = x³ - 3x + b over the integers modulo p (SEC 2, FIPS 186-5)."""

    p: int
    b: int
    order: int
    x: int
    y: int


_CURVES: Final = {
    bytes.fromhex("2a8648ce3d030107"): _Curve(
        2**256 - 2**224 + 2**192 + 2**96 - 1,
        0x5AC635D8AA3A93E7B3EBBD55769886BC651D06B0CC53B0F63BCE3C3E27D2604B,
        0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551,
        0x6B17D1F2E12C4247F8BCE6E563A440F277037D812DEB33A0F4A13945D898C296,
        0x4FE342E2FE1A7F9B8EE7EB4A7C0F9E162BCE33576B315ECECBB6406837BF51F5,
    ),
    bytes.fromhex("2b81040022"): _Curve(
        2**384 - 2**128 - 2**96 + 2**32 - 1,
        int(
            "b3312fa7e23ee7e4988e056be3f82d19181d9c6efe8141120314088f5013875a"
            "c656398d8a2ed19d2a85c8edd3ec2aef",
            16,
        ),
        int(
            "ffffffffffffffffffffffffffffffffffffffffffffffffc7634d81f4372ddf"
            "581a0db248b0a77aecec196accc52973",
            16,
        ),
        int(
            "aa87ca22be8b05378eb1c71ef320ad746e1d3b628ba79b9859f741e082542a38"
            "5502f25dbf55296c3a545e3872760ab7",
            16,
        ),
        int(
            "3617de4a96262c6f5d9e98bf9292dc29f8f41dbd289a147ce9da3113b5f0b8c0"
            "0a60b1ce1d7e819d7a431d7c90ea0e5f",
            16,
        ),
    ),
}
"""P-256 and P-384."""


def is_signed(message: bytes, *, signature: bytes, key: bytes, hash_name: str) -> bool:
    """Whether the signature is by the holder of this key (SubjectPublicKeyInfo, RFC 5280).

    ``hash_name`` is that of ``hashlib``; Ed25519 has its own. Raises BadEncoding for octets that
    are no key, and NotVerified for a key of another kind.
    """
    kind, bits = element(key, SEQUENCE).parts(SEQUENCE, BITS)
    oid, *parameters = kind.parts(OID)
    octets = bits.content.removeprefix(b"\0")
    if oid.content == _ED25519:
        return ed25519.is_signed(message, signature=signature, public_key=octets)
    if oid.content == RSA:
        digest = hashlib.new(hash_name, message).digest()
        return _is_signed_by_rsa(digest, signature, octets, hash_name)
    if oid.content == EC and parameters and parameters[0].content in _CURVES:
        digest = hashlib.new(hash_name, message).digest()
        return _is_signed_by_ecdsa(digest, signature, octets, _CURVES[parameters[0].content])
    raise NotVerified(f"found a key of the kind {kind.content.hex()}")


def _is_signed_by_rsa(digest: bytes, signature: bytes, key: bytes, hash_name: str) -> bool:
    """PKCS #1 version 1.5 (RFC 8017, section 8.2.2)."""
    numbers = element(key, SEQUENCE).parts(INTEGER, INTEGER)
    modulus, exponent = numbers[0].number, numbers[1].number
    length = (modulus.bit_length() + 7) // 8
    if modulus.bit_length() > _MOST_BITS or exponent.bit_length() > _MOST_BITS_OF_EXPONENT:
        raise NotVerified(f"found an RSA key of {modulus.bit_length()} bits")
    number = int.from_bytes(signature, "big")
    if len(signature) != length or number >= modulus:
        return False
    kind = _encoded(SEQUENCE, _encoded(OID, _HASH_OIDS[hash_name]) + _encoded(NULL, b""))
    info = _encoded(SEQUENCE, kind + _encoded(OCTETS, digest))
    padding = length - len(info) - 3
    expected = b"\0\1" + b"\xff" * padding + b"\0" + info
    is_long_enough = padding >= _FEWEST_PADDING
    return is_long_enough and pow(number, exponent, modulus).to_bytes(length, "big") == expected


def _encoded(tag: int, content: bytes) -> bytes:
    """An element of less than 128 octets."""
    return bytes([tag, len(content)]) + content


def _is_signed_by_ecdsa(digest: bytes, signature: bytes, key: bytes, curve: _Curve) -> bool:
    """FIPS 186-5, section 6.4.2."""
    try:
        r, s = [part.number for part in element(signature, SEQUENCE).parts(INTEGER, INTEGER)]
    except ValueError:
        return False
    point = _point(key, curve)
    if not (0 < r < curve.order and 0 < s < curve.order):
        return False
    shift = max(0, 8 * len(digest) - curve.order.bit_length())
    number = int.from_bytes(digest, "big") >> shift
    inverse = pow(s, -1, curve.order)
    x = _combined(
        (number * inverse % curve.order, (curve.x, curve.y)),
        (r * inverse % curve.order, point),
        curve.p,
    )
    return x is not None and x % curve.order == r


def _point(key: bytes, curve: _Curve) -> tuple[int, int]:
    """The point of a key. Raises BadEncoding, and NotVerified for a compressed one."""
    length = (curve.p.bit_length() + 7) // 8
    if len(key) != 1 + 2 * length or key[0] != _UNCOMPRESSED:
        raise NotVerified("found a key that is no uncompressed point")
    x, y = (int.from_bytes(half, "big") for half in (key[1 : 1 + length], key[1 + length :]))
    if max(x, y) >= curve.p or (y * y - x * x * x + 3 * x - curve.b) % curve.p:
        raise BadEncoding("found a key that is no point of its curve")
    return x, y


_Jacobian = tuple[int, int, int]
"""x = X/Z², y = Y/Z³; the point at infinity has Z = 0."""


def _combined(
    first: tuple[int, tuple[int, int]], second: tuple[int, tuple[int, int]], p: int
) -> int | None:
    """The coordinate x of the sum of two multiples of points; None at infinity."""
    (u, (x1, y1)), (v, (x2, y2)) = first, second
    one, other = (x1, y1, 1), (x2, y2, 1)
    added = {1: one, 2: other, 3: _sum(one, other, p)}
    total = (1, 1, 0)
    for bit in reversed(range(max(u.bit_length(), v.bit_length()))):
        total = _double(total, p)
        if which := (u >> bit & 1) | (v >> bit & 1) << 1:
            total = _sum(total, added[which], p)
    if total[2] == 0:
        return None
    inverse = pow(total[2], -1, p)
    return total[0] * inverse * inverse % p


def _double(point: _Jacobian, p: int) -> _Jacobian:
    x, y, z = point
    if z == 0 or y == 0:
        return 1, 1, 0
    delta, gamma = z * z % p, y * y % p
    beta, alpha = x * gamma % p, 3 * (x - delta) * (x + delta) % p
    doubled = (alpha * alpha - 8 * beta) % p
    other = (alpha * (4 * beta - doubled) - 8 * gamma * gamma) % p
    return doubled, other, 2 * y * z % p


def _sum(one: _Jacobian, other: _Jacobian, p: int) -> _Jacobian:
    (x1, y1, z1), (x2, y2, z2) = one, other
    if z1 == 0 or z2 == 0:
        return other if z1 == 0 else one
    square1, square2 = z1 * z1 % p, z2 * z2 % p
    u1, u2 = x1 * square2 % p, x2 * square1 % p
    s1, s2 = y1 * z2 * square2 % p, y2 * z1 * square1 % p
    h, r = (u2 - u1) % p, (s2 - s1) % p
    if h == 0:
        return _double(one, p) if r == 0 else (1, 1, 0)
    cube = h * h * h % p
    v = u1 * h * h % p
    x = (r * r - cube - 2 * v) % p
    return x, (r * (v - x) - s1 * cube) % p, h * z1 * z2 % p
