"""COPY out of the database, as blocks of whole lines."""

from collections.abc import Iterator
from typing import Final, NamedTuple

import psycopg

from compliance.exports.day import Snapshot
from compliance.exports.registers.register import Register

_BLOCK: Final = 1 << 20
RAW: Final = "FORMAT csv, QUOTE E'\\x01', DELIMITER E'\\x02'"
"""One column, written as it is: neither byte can be in JSON or XML, nor can a line end."""


class Block(NamedTuple):
    """Some whole rows, each with a line feed behind it."""

    rows: int
    content: bytes


def ordered(register: Register, values: str) -> str:
    """The statement that selects these values of every row of a register, in its order."""
    return f"SELECT {values} FROM ({register.query}) AS line ORDER BY {', '.join(register.order)}"


def copied(
    snapshot: Snapshot, query: str, *, written: str = RAW, most_rows: int | None = None
) -> Iterator[Block]:
    """What COPY writes of a query, in blocks; one ends after every ``most_rows`` rows."""
    statement = f"COPY ({query}) TO STDOUT ({written})"
    waiting: list[bytes] = []
    size, rows = 0, 0
    with psycopg.Cursor(snapshot.connection).copy(statement, snapshot.arguments) as copy:
        for line in copy:
            waiting.append(bytes(line))
            size += len(line)
            rows += 1
            if size > _BLOCK or rows == most_rows:
                yield Block(len(waiting), b"".join(waiting))
                waiting, size = [], 0
                rows = 0 if rows == most_rows else rows
    if waiting:
        yield Block(len(waiting), b"".join(waiting))
