"""One COPY per register: its control totals, then all rows in one format after the other.

The rows are materialized and sorted once. Python splits the stream into files. Nearly every row has
only texts that need no escaping in any format, which is found out once a row and not once a text
and format.
"""

import json
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime
from itertools import chain, cycle, islice
from typing import Final

import psycopg

from compliance.exports.bundle.control_totals import Control
from compliance.exports.registers.register import Register
from compliance.exports.scope import Snapshot, second_connection

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
        self._read, self._of = 0, max(control.rows * forms, 1)
        self._progress = progress

    def blocks(self, rows: int) -> Iterator[bytes]:
        """The next ``rows`` rows in blocks; each row ends with a line feed."""
        while rows > 0:
            block = [line for (line,) in islice(self._lines, min(rows, _BLOCK_ROWS))]
            if not block:
                raise RuntimeError(f"found the end; needed {rows} more rows of the register")
            rows -= len(block)
            self._read += len(block)
            self._progress(self._read / self._of)
            yield b"\n".join(block) + b"\n"


def ordered(register: Register, values: str) -> str:
    """The SELECT of these values over a register, in its order."""
    return f"SELECT {values} FROM ({register.query}) AS line ORDER BY {', '.join(register.order)}"


@contextmanager
def stream_of(
    snapshot: Snapshot,
    register: Register,
    forms: Sequence[Form],
    progress: Callable[[float], None] = lambda _part: None,
) -> Iterator[Stream]:
    """Streams every row in each format."""
    columns = [f'line."{column.name}"' for column in register.columns]
    values = f"{', '.join(columns)}, {_is_plain(register)} AS is_plain"
    texts = [_control(register), *(f"SELECT {_either(form, register)} FROM line" for form in forms)]
    query = f"WITH line AS MATERIALIZED ({ordered(register, values)}) {' UNION ALL '.join(texts)}"
    statement = f"COPY ({query}) TO STDOUT (FORMAT binary)"
    with psycopg.Cursor(snapshot.connection).copy(statement, snapshot.arguments) as copy:
        copy.set_types(["bytea"])  # the bytes of a text
        lines = copy.rows()
        control = _control_of(register, next(lines)[0])
        yield Stream(lines, control, forms=len(forms), progress=progress)
        if next(lines, None) is not None:  # reading the end completes the COPY
            raise RuntimeError(f"found more rows of {register.key} than its control totals count")


def streams_of(
    view: Snapshot,
    registers: Sequence[Register],
    forms: Sequence[Form],
    progress: Callable[[float], None] = lambda _part: None,
) -> Generator[tuple[Register, Stream]]:
    """Every register with its stream; the rows of the next one are being sorted meanwhile.

    Close it where it is not read to its end.
    """
    with second_connection(view) as second, ThreadPoolExecutor(max_workers=1) as thread:
        views = cycle((view, second))

        def begun(number: int, register: Register) -> tuple[ExitStack, Stream]:
            context = ExitStack()
            part = _part_of(progress, number, len(registers))
            return context, context.enter_context(stream_of(next(views), register, forms, part))

        waiting = [thread.submit(begun, 0, registers[0])]
        for number, register in enumerate(registers, start=1):
            context, stream = waiting.pop().result()
            waiting += [thread.submit(begun, number, each) for each in registers[number:][:1]]
            try:
                with context:
                    yield register, stream
            except BaseException as error:
                for future in waiting:  # an unread COPY is cancelled
                    future.result()[0].__exit__(type(error), error, error.__traceback__)
                raise


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
    return f"SELECT json_build_array(count(*), {', '.join(chain(times, sums))})::text FROM line"


def _control_of(register: Register, line: bytes) -> Control:
    rows, first_at, last_at, *cents = json.loads(line)
    totals = {column.name: int(sum_) for column, sum_ in zip(register.money, cents, strict=True)}
    return Control(rows, totals, _moment(first_at), _moment(last_at), register.clock)


def _moment(text: str | None) -> datetime | None:
    return None if text is None else datetime.fromisoformat(text).replace(tzinfo=UTC)
