"""The files of a list: the shown columns of every matching row, as CSV or XLSX."""

import csv
import io
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import date, datetime
from decimal import Decimal
from itertools import islice
from typing import Any, BinaryIO, Final

from django.http import HttpResponse
from django.utils import formats

from casino.backoffice.lists.columns import Column, Kind
from casino.backoffice.site.downloads import attachment
from casino.backoffice.spreadsheets.cells import escape_formula
from rounds.formatting import in_rome, is_italian

CONTENT_TYPES: Final = {
    "csv": "text/csv; charset=utf-8",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}
"""The formats of files."""
MOST_ROWS: Final = 10_000
"""Of a file that is written while the page waits; a worker writes longer ones."""
MOST_BACKGROUND_ROWS: Final = 1_000_000
"""More rows are not written: a file that is cut would look complete."""
CHUNK: Final = 500
"""Rows of which the lines are made together."""

LinesOf = Callable[[list[Any]], Iterable[Any]]
"""Makes the lines of a part of the rows."""

_CENT: Final = Decimal("0.01")
_CELL_FORMATS: Final = {Kind.MONEY: "#,##0.00", Kind.MOMENT: "yyyy-mm-dd hh:mm:ss"}


def list_file(
    columns: Sequence[Column], lines: Iterable[Any], *, name: str, file_format: str
) -> HttpResponse:
    """The lines as a file to download."""
    content = io.BytesIO()
    write_list(columns, lines, file_format=file_format, to=content)
    return attachment(
        content.getvalue(), name=f"{name}.{file_format}", content_type=CONTENT_TYPES[file_format]
    )


def write_list(
    columns: Sequence[Column], lines: Iterable[Any], *, file_format: str, to: BinaryIO
) -> None:
    """Write the lines as they come: amounts in euros, times in Rome."""
    rows = ([_value(column, line) for column in columns] for line in lines)
    headings = [str(column.label) for column in columns]
    if file_format == "xlsx":
        _write_xlsx(headings, columns, rows, to)
    else:
        _write_csv(headings, rows, to)


def in_chunks(rows: Iterable[Any], lines_of: LinesOf) -> Iterator[Any]:
    """The lines of the rows, made a part at a time."""
    following = iter(rows)
    while chunk := list(islice(following, CHUNK)):
        yield from lines_of(chunk)


def _value(column: Column, line: Any) -> object:
    value = column.value(line)
    if column.kind is Kind.MONEY and isinstance(value, int):
        return value * _CENT
    if isinstance(value, datetime):
        return in_rome(value)[0].replace(tzinfo=None, microsecond=0)
    return value


def _write_csv(headings: Sequence[str], rows: Iterable[Sequence[object]], to: BinaryIO) -> None:
    """For spreadsheets of the active language; Italian ones use semicolons and decimal commas."""
    text = io.TextIOWrapper(to, encoding="utf-8-sig", newline="")
    writer = csv.writer(text, delimiter=";" if is_italian() else ",")
    point = formats.get_format("DECIMAL_SEPARATOR")
    writer.writerow(map(escape_formula, headings))
    writer.writerows([_csv_cell(value, point) for value in row] for row in rows)
    text.detach()  # else it closes the file


def _csv_cell(value: object, point: str) -> str:
    match value:
        case None:
            return ""
        case Decimal():
            return str(value).replace(".", point)
        case int():
            return str(value)
        case datetime():
            return value.isoformat(" ")
    return escape_formula(str(value))


def _write_xlsx(
    headings: Sequence[str],
    columns: Sequence[Column],
    rows: Iterable[Sequence[object]],
    to: BinaryIO,
) -> None:
    """A workbook of one sheet, with numbers, days and times as such."""
    from openpyxl import Workbook  # noqa: PLC0415  with NumPy a sixth of a process's start
    from openpyxl.cell import WriteOnlyCell  # noqa: PLC0415  as above
    from openpyxl.cell.cell import ILLEGAL_CHARACTERS_RE  # noqa: PLC0415  as above

    def text(value: object) -> str:
        return escape_formula(ILLEGAL_CHARACTERS_RE.sub("\N{REPLACEMENT CHARACTER}", str(value)))

    book = Workbook(write_only=True)
    sheet = book.create_sheet()
    sheet.append([text(heading) for heading in headings])
    for row in rows:
        cells = []
        for column, value in zip(columns, row, strict=True):
            is_plain = value is None or isinstance(value, int | Decimal | date)
            cell = WriteOnlyCell(sheet, value if is_plain else text(value))
            if is_plain and column.kind in _CELL_FORMATS:
                cell.number_format = _CELL_FORMATS[column.kind]
            cells.append(cell)
        sheet.append(cells)
    book.save(to)
