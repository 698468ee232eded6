"""Reading the trail as fast as it can be hashed: rows in COPY's format, without parsing JSON."""

import re
from binascii import unhexlify
from collections.abc import Iterator
from functools import lru_cache
from hashlib import sha256
from typing import Any, Final, cast
from uuid import UUID

import psycopg
from django.db import connection

from compliance.trail.encoding import json_of
from compliance.trail.key_ranges import KeyRange

_POSITION_DIGITS: Final = 6
_RECORDS: Final = """
    COPY (SELECT id, (extract(epoch FROM at) * 1000000)::bigint, actor,
                 coalesce(actor_user_id::text, 'null'), action, subject, details,
                 encode(leaf, 'hex')
            FROM trail_auditrecord WHERE {within} ORDER BY id) TO STDOUT
"""
_ESCAPED: Final = re.compile(rb"\\(.)", re.DOTALL)
_ESCAPES: Final = {
    b"b": b"\b",
    b"f": b"\f",
    b"n": b"\n",
    b"r": b"\r",
    b"t": b"\t",
    b"v": b"\v",
}
_PLAIN: Final = re.compile(rb'[^"\\\x00-\x1f]*').fullmatch


StoredRecord = tuple[bytes, int, int, bytes, bytes]
"""A stored record: its key, position, time, stored leaf and computed leaf.

The key is the id without the digits of the position (``batch_of_key``); the time is in microseconds
since 1970, UTC. A bare tuple, because there are millions.
"""


def batch_of_key(key: bytes) -> UUID:
    """The id of the batch with this key."""
    return UUID(f"{key.decode()}{0:0{_POSITION_DIGITS}}")


def stored_records(keys: KeyRange) -> Iterator[StoredRecord]:
    """The records of a key range, ordered by id; one at a time is in memory."""
    connection.ensure_connection()
    cursor = cast("psycopg.Cursor[Any]", connection.connection.cursor())
    query = _RECORDS.format(within=keys.holds("id"))
    with connection.wrap_database_errors, cursor, cursor.copy(query) as copy:
        for row in copy:
            yield _record(bytes(row))


def _record(row: bytes) -> StoredRecord:
    key, at, actor, user, action, subject, details, leaf = row.split(b"\t")
    if b"\\" in row:
        actor, action, subject, details = map(_unescaped, (actor, action, subject, details))
    quoted = b'"%b"' % subject if _PLAIN(subject) else _quoted(subject)
    text = b"\x00[%b,%b,%b,%b,%b,%b]" % (at, _quoted(actor), user, _quoted(action), quoted, details)
    try:
        stored = unhexlify(leaf[:-1])
    except ValueError:
        stored = b""
    position = int(key[-_POSITION_DIGITS:], 16)
    return key[:-_POSITION_DIGITS], position, int(at), stored, sha256(text).digest()


def _unescaped(value: bytes) -> bytes:
    return _ESCAPED.sub(lambda match: _ESCAPES.get(match[1], match[1]), value)


@lru_cache(maxsize=1 << 12)
def _quoted(value: bytes) -> bytes:
    """A text as a JSON string."""
    return json_of(value.decode()).encode()
