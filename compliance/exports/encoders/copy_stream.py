"""One COPY per register: its control totals, then all rows in one format after the other.

The rows are materialized and sorted once. Python splits the stream into files.
"""

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from itertools import chain, islice
from typing import Final

import psycopg

from compliance.exports.bundle.control_totals import Control
from compliance.exports.registers.register import Register
from compliance.exports.scope import Snapshot

_BLOCK_ROWS: Final = 1_000
"""Rows per block, of a few hundred bytes each."""
_QUOTE: Final = 0x01
_RAW: Final = "FORMAT csv, QUOTE E'\\x01', DELIMITER E'\\x02'"
"""One unquoted column, unless it contains a line end or one of these two bytes."""


class Stream:
    """The rows of a register in several formats, read in order."""

    def __init__(
        self,
        lines: Iterator[bytes],
        control: Control,
        *,
        forms: int,
        progress: Callable[[float], None],
    ) -> None:
        self.control = control
        self._lines = lines
        self._read, self._of = 0, max(control.rows * forms, 1)
        self._progress = progress

    def blocks(self, rows: int) -> Iterator[bytes]:
        """The next ``rows`` rows in blocks; each row ends with a line feed."""
        while rows > 0:
            block = list(islice(self._lines, min(rows, _BLOCK_ROWS)))
            if not block:
                raise RuntimeError(f"found the end; needed {rows} more rows of the register")
            rows -= len(block)
            self._read += len(block)
            self._progress(self._read / self._of)
            yield b"".join(block)


def ordered(register: Register, values: str) -> str:
    """The SELECT of these values over a register, in its order."""
    return f"SELECT {values} FROM ({register.query}) AS line ORDER BY {', '.join(register.order)}"


@contextmanager
def stream_of(
    snapshot: Snapshot,
    register: Register,
    forms: Sequence[str],
    progress: Callable[[float], None] = lambda _part: None,
) -> Iterator[Stream]:
    """Streams every row in each format; formats are SQL expressions over ``line``."""
    columns = ", ".join(f'line."{column.name}"' for column in register.columns)
    texts = [_control(register), *(f"SELECT {form} FROM line" for form in forms)]
    query = f"WITH line AS MATERIALIZED ({ordered(register, columns)}) {' UNION ALL '.join(texts)}"
    statement = f"COPY ({query}) TO STDOUT ({_RAW})"
    with psycopg.Cursor(snapshot.connection).copy(statement, snapshot.arguments) as copy:
        lines = map(_unquoted, copy)
        control = _control_of(register, next(lines))
        yield Stream(lines, control, forms=len(forms), progress=progress)
        if next(lines, None) is not None:  # reading the end completes the COPY
            raise RuntimeError(f"found more rows of {register.key} than its control totals count")


def _unquoted(line: bytes | bytearray | memoryview) -> bytes:
    """The selected text, without the quotes of COPY."""
    if line[0] != _QUOTE:
        return bytes(line)
    return bytes(line)[1:-2].replace(b"\x01\x01", b"\x01") + b"\n"


def _control(register: Register) -> str:
    """SQL of the control totals, computed from the columns."""
    times = ("NULL", "NULL")
    if register.clock is not None:
        clock = f"line.\"{register.clock}\" AT TIME ZONE 'UTC'"
        times = (f"min({clock})", f"max({clock})")
    sums = (f'coalesce(sum(line."{column.name}"), 0)' for column in register.money)
    return f"SELECT json_build_array(count(*), {', '.join(chain(times, sums))})::text FROM line"


def _control_of(register: Register, line: bytes) -> Control:
    rows, first_at, last_at, *cents = json.loads(line)
    totals = {column.name: int(sum_) for column, sum_ in zip(register.money, cents, strict=True)}
    return Control(rows, totals, _moment(first_at), _moment(last_at), register.clock)


def _moment(text: str | None) -> datetime | None:
    return None if text is None else datetime.fromisoformat(text).replace(tzinfo=UTC)
