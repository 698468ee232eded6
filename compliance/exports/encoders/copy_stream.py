"""One COPY for all registers: of each the control totals, then the rows in one form after another.

The rows of a register are materialized and sorted once. Python splits the stream into files. Nearly
every row has only texts that need no escaping in any format, which is found out once a row and not
once a text and format.
"""

import json
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from itertools import chain, islice
from typing import Final

import psycopg

from compliance.exports.bundle.control_totals import Control
from compliance.exports.registers.register import Register
from compliance.exports.scope import Snapshot

_BLOCK_ROWS: Final = 1_000
"""Rows per block, of a few hundred bytes each."""
_LONGEST: Final = 10_000
"""Characters of the texts of a plain row: fewer than a workbook has to cut."""
_WORD: Final = "[A-Za-z0-9][A-Za-z0-9._:/#,~-]*"
_PLAIN: Final = f"^{_WORD}( {_WORD})*$"
Form = Callable[[Register], str]
"""The SQL expression of a row in one format, over ``line``."""


class Stream:
    """The rows of a register in several formats, read in order."""

    def __init__(
        self,
        lines: Iterator[tuple[bytes, ...]],
        control: Control,
        *,
        forms: int,
        progress: Callable[[float], None],
    ) -> None:
        self.control = control
        self._lines = lines
        self._left = self._of = control.rows * forms
        self._progress = progress

    def blocks(self, rows: int) -> Iterator[bytes]:
        """The next ``rows`` rows in blocks; each row ends with a line feed."""
        if rows > self._left:
            raise RuntimeError(f"found {self._left} more rows of the register; needed {rows}")
        while rows > 0:
            block = [line for (line,) in islice(self._lines, min(rows, _BLOCK_ROWS))]
            if not block:
                raise RuntimeError(f"found the end; needed {rows} more rows of the register")
            rows -= len(block)
            self._left -= len(block)
            self._progress(1 - self._left / self._of)
            yield b"\n".join(block) + b"\n"

    def require_end(self) -> None:
        """Raises RuntimeError if rows have not been read."""
        if self._left:
            raise RuntimeError(f"found {self._left} unread rows; needed none")


def ordered(register: Register, values: str) -> str:
    """The SELECT of these values over a register, in its order."""
    return _ordered(register, register.query, values)


def _ordered(register: Register, query: str, values: str) -> str:
    return f"SELECT {values} FROM ({query}) AS line ORDER BY {', '.join(register.order)}"


@contextmanager
def stream_of(snapshot: Snapshot, register: Register, forms: Sequence[Form]) -> Iterator[Stream]:
    """Streams every row of one register in each format."""
    with closing(streams_of(snapshot, [register], forms)) as streams:
        _register, stream = next(streams)
        yield stream
        next(streams, None)


def streams_of(
    snapshot: Snapshot,
    registers: Sequence[Register],
    forms: Sequence[Form],
    progress: Callable[[float], None] = lambda _part: None,
) -> Generator[tuple[Register, Stream]]:
    """Every register with its stream, each to be read to its end.

    Tables that several registers read are made once. Close it where it is not read to its end.
    """
    statement = f"COPY ({_statement(registers, forms)}) TO STDOUT (FORMAT binary)"
    with psycopg.Cursor(snapshot.connection).copy(statement, snapshot.arguments) as copy:
        copy.set_types(["bytea"])  # the bytes of a text
        lines = copy.rows()
        for number, register in enumerate(registers):
            part = _part_of(progress, number, len(registers))
            control = _control_of(register, next(lines)[0])
            stream = Stream(lines, control, forms=len(forms), progress=part)
            yield register, stream
            stream.require_end()
        if next(lines, None) is not None:  # reading the end completes the COPY
            raise RuntimeError("found more rows than the control totals count")


def _statement(registers: Sequence[Register], forms: Sequence[Form]) -> str:
    """The rows of all registers, one after the other."""
    shared = dict.fromkeys(chain.from_iterable(register.tables for register in registers))
    sorted_lines, texts = list[str](), list[str]()
    for number, register in enumerate(registers):
        columns = [f'line."{column.name}"' for column in register.columns]
        values = f"{', '.join(columns)}, {_is_plain(register)} AS is_plain"
        lines = _ordered(register, register.select, values)
        sorted_lines.append(f"lines_{number} AS MATERIALIZED ({lines})")
        selected = [_control(register), *(_either(form, register) for form in forms)]
        texts += [f"SELECT {text} FROM lines_{number} AS line" for text in selected]
    return f"WITH {', '.join([*shared, *sorted_lines])} {' UNION ALL '.join(texts)}"


def _part_of(progress: Callable[[float], None], number: int, count: int) -> Callable[[float], None]:
    return lambda part: progress((number + part) / count)


def _is_plain(register: Register) -> str:
    """SQL condition: every text of the row is written the same where it is declared plain."""
    texts = [f'line."{column.name}"' for column in register.columns if column.needs_escaping]
    if not texts:
        return "true"
    text = f"concat_ws(' ', {', '.join(texts)})"
    return f"{text} ~ '{_PLAIN}' AND length({text}) < {_LONGEST}"


def _either(form: Form, register: Register) -> str:
    return f"CASE WHEN line.is_plain THEN {form(register.of_plain_texts)} ELSE {form(register)} END"


def _control(register: Register) -> str:
    """SQL of the control totals, computed from the columns."""
    times = ("NULL", "NULL")
    if register.clock is not None:
        clock = f"line.\"{register.clock}\" AT TIME ZONE 'UTC'"
        times = (f"min({clock})", f"max({clock})")
    sums = (f'coalesce(sum(line."{column.name}"), 0)' for column in register.money)
    return f"json_build_array(count(*), {', '.join(chain(times, sums))})::text"


def _control_of(register: Register, line: bytes) -> Control:
    rows, first_at, last_at, *cents = json.loads(line)
    totals = {column.name: int(sum_) for column, sum_ in zip(register.money, cents, strict=True)}
    return Control(rows, totals, _moment(first_at), _moment(last_at), register.clock)


def _moment(text: str | None) -> datetime | None:
    return None if text is None else datetime.fromisoformat(text).replace(tzinfo=UTC)
