"""Signatures of witnesses over heads of the log (C2SP tlog-cosignature). Pure."""

import base64
import binascii
import hashlib
from typing import Final, NamedTuple, Self

from compliance.trail.log.merkle_tree import HASH_BYTES
from compliance.trail.log.signed_heads import Head, base64_of, is_signed

_COSIGNATURE: Final = b"\x04"
"""The kind of these keys in signed notes: Ed25519 over time and checkpoint."""
_DASH: Final = "\N{EM DASH}"
_ID_BYTES, _TIME_BYTES, _SIGNATURE_BYTES = 4, 8, 64


class WitnessKey(NamedTuple):
    """The public key of a witness, with the name under which it signs."""

    name: str
    public_key: bytes

    def __str__(self) -> str:
        """The verifier key, ``NAME+ID+KEY``."""
        return f"{self.name}+{self.short_id.hex()}+{base64_of(_COSIGNATURE + self.public_key)}"

    @property
    def short_id(self) -> bytes:
        """The four bytes with which its signatures begin."""
        named = self.name.encode() + b"\n" + _COSIGNATURE + self.public_key
        return hashlib.sha256(named).digest()[:_ID_BYTES]

    @classmethod
    def parse(cls, text: str) -> Self:
        """From a verifier key. Raises ValueError."""
        name, _plus, rest = text.partition("+")
        typed = base64.b64decode(rest.partition("+")[2], validate=True)
        key = cls(name, typed[1:])
        if typed[:1] != _COSIGNATURE or len(typed) != 1 + HASH_BYTES or str(key) != text:
            raise ValueError(f"found {text}; needed the verifier key of a witness, NAME+ID+KEY")
        return key


class Cosignature(NamedTuple):
    """What a witness has signed: that it saw the head at a time, in seconds since 1970 (UTC)."""

    key: WitnessKey
    at: int
    signature: bytes

    @property
    def line(self) -> str:
        """The line of the signed note, with its end."""
        octets = self.key.short_id + self.at.to_bytes(_TIME_BYTES, "big") + self.signature
        return f"{_DASH} {self.key.name} {base64_of(octets)}\n"

    def is_of(self, head: Head) -> bool:
        """Whether the witness has signed this head, which has an origin."""
        said = f"cosignature/v1\ntime {self.at}\n".encode() + head.signed_bytes()
        return bool(head.origin) and is_signed(self.key.public_key, self.signature, said)


def cosignature_in(lines: str, key: WitnessKey, head: Head) -> Cosignature | None:
    """The valid signature of this witness over the head among lines of a signed note, if any."""
    for line in lines.splitlines():
        start = f"{_DASH} {key.name} "
        if not line.startswith(start):
            continue
        try:
            octets = base64.b64decode(line.removeprefix(start), validate=True)
        except binascii.Error:
            continue
        short_id, rest = octets[:_ID_BYTES], octets[_ID_BYTES:]
        at, signature = int.from_bytes(rest[:_TIME_BYTES], "big"), rest[_TIME_BYTES:]
        found = Cosignature(key, at, signature)
        is_whole = len(signature) == _SIGNATURE_BYTES
        if short_id == key.short_id and is_whole and found.is_of(head):
            return found
    return None
