"""Tree heads: their signed bytes, keys and endorsements, and the chain of batches.

Pure: a verifier of heads needs this file, ``merkle_tree`` and a public key.
"""

import base64
import hashlib
import json
from typing import Any, Final, NamedTuple, Self

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from compliance.trail.encoding import json_of
from compliance.trail.log.merkle_tree import HASH_BYTES, Peaks

_HEAD: Final = "sabot tree head/1"
_KEY: Final = "sabot log key/1"
NO_CHAIN: Final = bytes(32)
"""The link before the first batch."""


class Head(NamedTuple):
    """The state of the log after ``sequence`` appends: its size and root, and the last link.

    ``at`` is in microseconds since 1970, UTC. A head of a log that has an ``origin``, its name in
    the world, is signed as a checkpoint that other programs read.
    """

    sequence: int
    at: int
    size: int
    root: bytes
    chain: bytes
    key_id: str
    origin: str = ""

    def signed_bytes(self) -> bytes:
        """The bytes that are signed: the text of a checkpoint (C2SP tlog-checkpoint), in lines.

        Origin, size and root, then what checkpoints lack: ``head``, ``time`` and ``chain``, hashes
        in base64. Without an origin a JSON array in UTF-8 without white space:
        ``["sabot tree head/1", sequence, at, size, root, chain, key id]``, hashes in hexadecimal.
        """
        sequence, at, size, root, chain, key_id, origin = self
        if not origin:
            return json_of([_HEAD, sequence, at, size, root.hex(), chain.hex(), key_id]).encode()
        added = (f"head {sequence}", f"time {at}", f"chain {base64_of(chain)}")
        return "".join(f"{it}\n" for it in (origin, size, base64_of(root), *added)).encode()

    def as_json(self, signature: bytes) -> dict[str, Any]:
        """The head with its signature, for storage outside of the database."""
        hashes = {"root": self.root.hex(), "chain": self.chain.hex()}
        said = {**self._asdict(), **hashes, "signature": signature.hex()}
        return {name: value for name, value in said.items() if name != "origin" or value}

    @classmethod
    def from_json(cls, text: str) -> tuple[Self, bytes]:
        """The head and its signature, from ``as_json``. Raises ValueError or KeyError."""
        stored = json.loads(text)
        root, chain = bytes.fromhex(stored["root"]), bytes.fromhex(stored["chain"])
        sequence, at, size = (int(stored[name]) for name in ("sequence", "at", "size"))
        origin = str(stored.get("origin", ""))
        head = cls(sequence, at, size, root, chain, str(stored["key_id"]), origin)
        return head, bytes.fromhex(stored["signature"])


class WitnessedHead(NamedTuple):
    """A head with its signature, as it is kept outside of the database.

    ``peaks`` are the hashes of the complete subtrees of its tree, the largest first: they give its
    root, and the log can be continued from them. Files of earlier releases have none.
    """

    head: Head
    signature: bytes
    peaks: tuple[bytes, ...] = ()

    @property
    def has_peaks(self) -> bool:
        """Whether the log can be continued from it: the peaks give the signed root."""
        peaks = Peaks(self.head.size, self.peaks)
        are_hashes = all(len(peak) == HASH_BYTES for peak in self.peaks)
        is_whole = are_hashes and len(self.peaks) == self.head.size.bit_count()
        return is_whole and peaks.root() == self.head.root

    def as_json(self) -> dict[str, Any]:
        """The head, its signature and peaks, for storage outside of the database."""
        peaks = [peak.hex() for peak in self.peaks]
        return {**self.head.as_json(self.signature), **({"peaks": peaks} if peaks else {})}

    @classmethod
    def from_json(cls, text: str) -> Self:
        """From ``as_json``. Raises ValueError, KeyError or TypeError."""
        peaks = json.loads(text).get("peaks", [])
        return cls(*Head.from_json(text), tuple(bytes.fromhex(peak) for peak in peaks))


def next_link(chain: bytes, *, root: bytes, record_count: int) -> bytes:
    """The link of a batch: SHA-256 over the link before, its root, its records (8 bytes, big)."""
    return hashlib.sha256(chain + root + record_count.to_bytes(8, "big")).digest()


def base64_of(octets: bytes) -> str:
    """As checkpoints have hashes and signatures (RFC 4648, section 4)."""
    return base64.b64encode(octets).decode()


def raw_key(key: Ed25519PublicKey) -> bytes:
    """The 32 bytes of a public key (RFC 8032)."""
    return key.public_bytes(Encoding.Raw, PublicFormat.Raw)


def key_id_of(public_key: bytes) -> str:
    """The id of a key: the SHA-256 of its 32 public bytes, in hexadecimal."""
    return hashlib.sha256(public_key).hexdigest()


def endorsement_bytes(public_key: bytes, *, first_head: int) -> bytes:
    """The bytes that a key signs to endorse its successor, from a head on."""
    return json_of([_KEY, public_key.hex(), first_head]).encode()


def sign(key: Ed25519PrivateKey, text: bytes) -> bytes:
    """The 64 bytes of the signature."""
    return key.sign(text)


def is_signed(public_key: bytes, signature: bytes, text: bytes) -> bool:
    """Whether this key has signed this text."""
    try:
        Ed25519PublicKey.from_public_bytes(public_key).verify(signature, text)
    except (InvalidSignature, ValueError):
        return False
    return True
