"""One COPY for each register: its control totals, then all of its rows in one form after another.

The rows are worked out and put in order once, and kept by the database while it writes them as they
stand in each file. Python cuts the stream where a file ends.
"""

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from itertools import chain, islice
from typing import Final

import psycopg

from compliance.exports.bundle.control import Control
from compliance.exports.registers.register import Register
from compliance.exports.scope import Snapshot

_BLOCK_ROWS: Final = 1_000
"""Of a few hundred bytes each: enough to make the next step cheap, and little memory."""
_QUOTE: Final = 0x01
_RAW: Final = "FORMAT csv, QUOTE E'\\x01', DELIMITER E'\\x02'"
"""One column, written as it is, unless it has a line end or one of these two bytes in it."""


class Stream:
    """The rows of a register in several forms, to be read in their order."""

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
        """So many of the next rows, each with a line feed behind it, in blocks."""
        while rows > 0:
            block = list(islice(self._lines, min(rows, _BLOCK_ROWS)))
            if not block:
                raise RuntimeError(f"found the end; needed {rows} more rows of the register")
            rows -= len(block)
            self._read += len(block)
            self._progress(self._read / self._of)
            yield b"".join(block)


def ordered(register: Register, values: str) -> str:
    """The statement that selects these values of every row of a register, in its order."""
    return f"SELECT {values} FROM ({register.query}) AS line ORDER BY {', '.join(register.order)}"


@contextmanager
def stream_of(
    snapshot: Snapshot,
    register: Register,
    forms: Sequence[str],
    progress: Callable[[float], None] = lambda _part: None,
) -> Iterator[Stream]:
    """Every row once in each of these forms, which are SQL over the row ``line``."""
    columns = ", ".join(f'line."{one.name}"' for one in register.columns)
    texts = [_control(register), *(f"SELECT {form} FROM line" for form in forms)]
    query = f"WITH line AS MATERIALIZED ({ordered(register, columns)}) {' UNION ALL '.join(texts)}"
    statement = f"COPY ({query}) TO STDOUT ({_RAW})"
    with psycopg.Cursor(snapshot.connection).copy(statement, snapshot.arguments) as copy:
        lines = map(_as_it_was, copy)
        control = _control_of(register, next(lines))
        yield Stream(lines, control, forms=len(forms), progress=progress)
        if next(lines, None) is not None:  # asked in any case: COPY ends once its end was read
            raise RuntimeError(f"found more rows of {register.key} than were told")


def _as_it_was(line: bytes | bytearray | memoryview) -> bytes:
    """What the database selected, where COPY had to quote it, too."""
    if line[0] != _QUOTE:
        return bytes(line)
    return bytes(line)[1:-2].replace(b"\x01\x01", b"\x01") + b"\n"


def _control(register: Register) -> str:
    """Asked of the columns, not of the texts: a file that lost a row does not fit."""
    times = ("NULL", "NULL")
    if register.clock is not None:
        clock = f"line.\"{register.clock}\" AT TIME ZONE 'UTC'"
        times = (f"min({clock})", f"max({clock})")
    sums = (f'coalesce(sum(line."{one.name}"), 0)' for one in register.money)
    return f"SELECT json_build_array(count(*), {', '.join(chain(times, sums))})::text FROM line"


def _control_of(register: Register, line: bytes) -> Control:
    rows, first_at, last_at, *cents = json.loads(line)
    totals = {one.name: int(sum_) for one, sum_ in zip(register.money, cents, strict=True)}
    return Control(rows, totals, _moment(first_at), _moment(last_at), register.clock)


def _moment(text: str | None) -> datetime | None:
    return None if text is None else datetime.fromisoformat(text).replace(tzinfo=UTC)
