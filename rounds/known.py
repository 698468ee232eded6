"""What was known when a round arrived, beside its document: as one digest for the trail."""

import hashlib
import json


def known_digest(
    *, arrival: int, limit_set_id: int | None, position: int | None, seen: bytes | None
) -> bytes:
    """The 32 bytes that ROUND_RECEIVED has of it in hexadecimal (``known``).

    SHA-256 over the JSON array, without white space, of the number of the arrival, the id of the
    limits that were in force, and of the shoe before the round how many cards had left it and which
    were seen, in hexadecimal; null where there was none.
    """
    told = [arrival, limit_set_id, position, None if seen is None else seen.hex()]
    return hashlib.sha256(json.dumps(told, separators=(",", ":")).encode()).digest()
