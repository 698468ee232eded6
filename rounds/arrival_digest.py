"""The digest of the state under which a round arrived, for the audit trail."""

import hashlib
import json


def digest_of_arrival(
    *, arrival: int, limit_set_id: int | None, position: int | None, seen: bytes | None
) -> bytes:
    """32 bytes; ROUND_RECEIVED records them in hexadecimal as ``known``.

    SHA-256 of the JSON array, without white space, of: the arrival number, the id of the stake
    limits in force, and of the shoe before the round its position and, in hexadecimal, its counts
    of seen cards; null where there is none.
    """
    state = [arrival, limit_set_id, position, None if seen is None else seen.hex()]
    return hashlib.sha256(json.dumps(state, separators=(",", ":")).encode()).digest()
