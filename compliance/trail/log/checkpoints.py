"""Heads as checkpoints, and proofs with them, in the open forms of transparency logs (C2SP).

Programs of other people read and verify them: signed-note, tlog-checkpoint and tlog-proof, all at
https://c2sp.org. Pure.
"""

import hashlib
from collections.abc import Iterable
from typing import Final

from compliance.trail.log.signed_heads import Head, base64_of

_ED25519: Final = b"\x01"
_PROOF: Final = "c2sp.org/tlog-proof@v1"


def checkpoint_of(head: Head, signature: bytes, *, public_key: bytes) -> str:
    """The signed note of a head of a log with an origin, which is the name of its key as well."""
    signed = base64_of(_short_id(head.origin, public_key) + signature)
    return f"{head.signed_bytes().decode()}\n\N{EM DASH} {head.origin} {signed}\n"


def verifier_key(origin: str, public_key: bytes) -> str:
    """The key by which programs verify these notes, as they expect it: ``NAME+ID+KEY``."""
    typed = base64_of(_ED25519 + public_key)
    return f"{origin}+{_short_id(origin, public_key).hex()}+{typed}"


def proof_file(leaf: int, path: Iterable[bytes], checkpoint: str) -> str:
    """A file that proves a leaf of the log, without the network."""
    lines = [_PROOF, f"index {leaf}", *map(base64_of, path), "", checkpoint]
    return "\n".join(lines)


def _short_id(name: str, public_key: bytes) -> bytes:
    return hashlib.sha256(name.encode() + b"\n" + _ED25519 + public_key).digest()[:4]
