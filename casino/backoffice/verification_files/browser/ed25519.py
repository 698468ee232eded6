"""Verification of Ed25519 signatures (RFC 8032), for a Python without OpenSSL.

It decides as OpenSSL does: the equation without the cofactor, compared in encoded form, and only
canonical scalars. It has no secrets, so it need not take constant time.
"""

import hashlib
from typing import Final, NamedTuple

_P: Final = 2**255 - 19
_ORDER: Final = 2**252 + 27742317777372353535851937790883648493
_D: Final = -121665 * pow(121666, -1, _P) % _P
_ROOT_OF_MINUS_ONE: Final = pow(2, (_P - 1) // 4, _P)
_OCTETS: Final = 32
_Y_BITS: Final = 255


class _Point(NamedTuple):
    """In extended coordinates: x = X/Z, y = Y/Z, xy = T/Z."""

    x: int
    y: int
    z: int
    t: int

    def plus(self, other: "_Point") -> "_Point":
        a = (self.y - self.x) * (other.y - other.x) % _P
        b = (self.y + self.x) * (other.y + other.x) % _P
        c = 2 * self.t * other.t * _D % _P
        d = 2 * self.z * other.z % _P
        e, f, g, h = b - a, d - c, d + c, b + a
        return _Point(e * f % _P, g * h % _P, f * g % _P, e * h % _P)

    def times(self, scalar: int) -> "_Point":
        total, doubled = _NEUTRAL, self
        while scalar:
            if scalar & 1:
                total = total.plus(doubled)
            doubled = doubled.plus(doubled)
            scalar >>= 1
        return total

    def negative(self) -> "_Point":
        return _Point(-self.x % _P, self.y, self.z, -self.t % _P)

    def encoded(self) -> bytes:
        inverse = pow(self.z, -1, _P)
        x, y = self.x * inverse % _P, self.y * inverse % _P
        return (y | (x & 1) << _Y_BITS).to_bytes(_OCTETS, "little")


_NEUTRAL: Final = _Point(0, 1, 1, 0)


def is_signed(message: bytes, *, signature: bytes, public_key: bytes) -> bool:
    """Whether the signature of 64 bytes is that of the holder of this key of 32 bytes."""
    if len(signature) != 2 * _OCTETS or len(public_key) != _OCTETS:
        return False
    point = _decoded(public_key)
    scalar = int.from_bytes(signature[_OCTETS:], "little")
    if point is None or scalar >= _ORDER:
        return False
    hashed = hashlib.sha512(signature[:_OCTETS] + public_key + message).digest()
    challenge = int.from_bytes(hashed, "little") % _ORDER
    expected = _BASE.times(scalar).plus(point.negative().times(challenge))
    return expected.encoded() == signature[:_OCTETS]


def _decoded(octets: bytes) -> _Point | None:
    """The point that is encoded; None for bytes that encode none (RFC 8032, 5.1.3)."""
    number = int.from_bytes(octets, "little")
    sign, y = number >> _Y_BITS, number & ((1 << _Y_BITS) - 1)
    if y >= _P:
        return None
    u, v = (y * y - 1) % _P, (_D * y * y + 1) % _P
    x = u * pow(v, 3, _P) * pow(u * pow(v, 7, _P), (_P - 5) // 8, _P) % _P
    if v * x * x % _P == -u % _P:
        x = x * _ROOT_OF_MINUS_ONE % _P
    if v * x * x % _P != u or (x == 0 and sign):
        return None
    if x & 1 != sign:
        x = _P - x
    return _Point(x, y, 1, x * y % _P)


def _base() -> _Point:
    point = _decoded((4 * pow(5, -1, _P) % _P).to_bytes(_OCTETS, "little"))
    assert point is not None  # noqa: S101  a constant of RFC 8032
    return point


_BASE: Final = _base()
