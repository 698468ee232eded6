"""Reading the trail fast: COPY in its binary form, with the text of which a leaf is the hash.

PostgreSQL joins the columns to that text, by functions and operators of its own catalogue, which no
others can stand in for. The leaves are computed here.
"""

from collections.abc import Iterator
from hashlib import sha256
from struct import unpack
from typing import Any, Final, NamedTuple, cast
from uuid import UUID

import psycopg
from django.db import connection

from compliance.trail.encoding import LEAF_PREFIX
from compliance.trail.key_ranges import KeyRange
from compliance.trail.log.merkle_tree import HASH_BYTES

_AT_ONCE: Final = 2_048

_AT: Final = """
    (pg_catalog.extract('epoch', at) OPERATOR(pg_catalog.*) 1000000::pg_catalog.numeric)
    ::pg_catalog.int8"""
_TEXT: Final = " OPERATOR(pg_catalog.||) ',' OPERATOR(pg_catalog.||) ".join(
    (
        f"'[' OPERATOR(pg_catalog.||) {_AT}",
        "pg_catalog.to_json(actor)",
        "coalesce(actor_user_id::pg_catalog.text, 'null')",
        "pg_catalog.to_json(action)",
        "pg_catalog.to_json(subject)",
        "details OPERATOR(pg_catalog.||) ']'",
    )
)
_RECORDS: Final = """
    COPY (SELECT id, {at}, leaf, {text} FROM trail_auditrecord WHERE {within} ORDER BY id)
      TO STDOUT (FORMAT BINARY)
"""
# The form of COPY: each column after its length; a row begins with the number of its columns.
_HEADER: Final = b"PGCOPY\n\xff\r\n\x00" + bytes(8)
_END: Final = b"\xff\xff"
_BATCH: Final = slice(6, 19)
_POSITION: Final = slice(19, 22)
_TIME: Final = slice(26, 34)
_LEAF_SIZE: Final = slice(34, 38)
_LEAF: Final = slice(38, 38 + HASH_BYTES)
_TEXT_AFTER_LEAF: Final = slice(38 + HASH_BYTES + 4, None)
_ORDINARY_SIZE: Final = HASH_BYTES.to_bytes(4)


class StoredRecords(NamedTuple):
    """Records of one batch that follow each other in the table and have one time."""

    batch: UUID
    at: int
    """Microseconds since 1970, UTC."""
    positions: tuple[int, ...]
    stored: list[bytes]
    """The leaves as they are stored."""
    computed: list[bytes]
    """The leaves that the records have."""


def stored_records(keys: KeyRange) -> Iterator[StoredRecords]:
    """The records of a key range, ordered by id; ``_AT_ONCE`` at most are in memory."""
    connection.ensure_connection()
    cursor = cast("psycopg.Cursor[Any]", connection.connection.cursor())
    query = _RECORDS.format(at=_AT, text=_TEXT, within=keys.holds("id"))
    batch = time = b""
    positions: list[bytes] = []
    stored: list[bytes] = []
    computed: list[bytes] = []
    with connection.wrap_database_errors, cursor, cursor.copy(query) as copy:
        for content in copy:
            row = bytes(content)
            if row[_BATCH] != batch or row[_TIME] != time or len(stored) == _AT_ONCE:
                if stored:
                    yield _read(batch, time, positions, stored, computed)
                row = row.removeprefix(_HEADER)
                if row == _END:
                    continue
                batch, time = row[_BATCH], row[_TIME]
                positions, stored, computed = [], [], []
            positions.append(row[_POSITION])
            if row[_LEAF_SIZE] == _ORDINARY_SIZE:
                stored.append(row[_LEAF])
                computed.append(sha256(LEAF_PREFIX + row[_TEXT_AFTER_LEAF]).digest())
            else:
                end = 38 + max(int.from_bytes(row[_LEAF_SIZE], signed=True), 0)
                stored.append(row[38:end])
                computed.append(sha256(LEAF_PREFIX + row[end + 4 :]).digest())


def _read(
    batch: bytes, time: bytes, positions: list[bytes], stored: list[bytes], computed: list[bytes]
) -> StoredRecords:
    numbers = unpack(f">{len(positions)}I", b"\x00".join([b"", *positions]))
    at = int.from_bytes(time, signed=True)
    return StoredRecords(UUID(bytes=batch + bytes(3)), at, numbers, stored, computed)
