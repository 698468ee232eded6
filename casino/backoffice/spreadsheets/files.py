"""List files: CSV and XLSX, read within limits and written for the active language."""

import csv
import io
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final, NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from tablib import Dataset

from casino.backoffice.spreadsheets.cells import cell_text, escape_formula, unescape_formula
from rounds.formatting import is_italian

MOST_BYTES: Final = 2 << 20
_MOST_UNPACKED: Final = 50 << 20
_MOST_PARTS: Final = 1_000
"""Files in a workbook: a list's has a dozen."""
_MOST_ROWS: Final = 5_000
_MOST_COLUMNS: Final = 30
_ZIP: Final = b"PK\x03\x04"
_BOM: Final = "\N{ZERO WIDTH NO-BREAK SPACE}"


class ListUnreadable(Exception):
    """The file is not a valid list; the message says why."""

    def __init__(self, message: str | Promise) -> None:
        super().__init__(str(message))
        self.message = message


class Row(NamedTuple):
    """A line of a file that is not blank."""

    number: int
    cells: list[Any]


class Sheet(NamedTuple):
    """A parsed file."""

    columns: list[str]
    rows: list[Row]


def read_sheet(content: bytes) -> Sheet:
    """The first sheet of a workbook, or a CSV. Raises ListUnreadable."""
    if len(content) > MOST_BYTES:
        raise ListUnreadable(_("The file is too large: 2 MB at most."))
    lines = _workbook(content) if content.startswith(_ZIP) else _text(content)
    rows = [
        Row(number, [_cell(value) for value in cells])
        for number, cells in enumerate(lines, 1)
        if any(cell_text(value).strip() for value in cells)
    ]
    if not rows:
        raise ListUnreadable(_("The file is empty."))
    if len(rows) > _MOST_ROWS:
        raise ListUnreadable(_("The file is too long: 5,000 lines at most."))
    columns = [cell_text(value).strip().casefold() for value in rows[0].cells]
    while columns and not columns[-1]:
        columns.pop()
    return Sheet(columns, rows[1:])


def write_csv(dataset: Dataset) -> bytes:
    """CSV for spreadsheets of the active language; Italian ones use semicolons."""
    delimiter = ";" if is_italian() else ","
    text = _escaped(dataset).export("csv", delimiter=delimiter)
    return f"{_BOM}{text}".encode()


def write_xlsx(dataset: Dataset) -> bytes:
    """A workbook of one sheet."""
    content: bytes = _escaped(dataset).export("xlsx")
    return content


def _escaped(dataset: Dataset) -> Dataset:
    rows = ([escape_formula(cell_text(value)) for value in row] for row in dataset)
    return Dataset(*rows, headers=dataset.headers)


def _cell(value: object) -> object:
    """A cell without characters that the database cannot store, and unescaped."""
    if isinstance(value, str):
        return unescape_formula(value.replace("\0", "\N{REPLACEMENT CHARACTER}"))
    return value


def _text(content: bytes) -> Iterator[Sequence[object]]:
    """UTF-8 or the Windows code page; the dry run shows the result."""
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = content.decode("cp1252", "replace")
    head = text.split("\n", 1)[0]
    delimiter = ";" if head.count(";") > head.count(",") else ","
    try:
        yield from csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    except csv.Error:
        raise ListUnreadable(_("The file is neither CSV nor XLSX.")) from None


def _workbook(content: bytes) -> Iterable[Sequence[object]]:
    """The rows of the first sheet up to the limit, even if the workbook declares more."""
    from openpyxl import load_workbook  # noqa: PLC0415  with NumPy a sixth of a process's start

    try:
        _require_small(content)
        book = load_workbook(io.BytesIO(content), read_only=True, data_only=True)
        sheet = book.worksheets[0]
        bounds = {"max_row": _MOST_ROWS + 2, "max_col": _MOST_COLUMNS}
        return list(sheet.iter_rows(values_only=True, **bounds))
    except ListUnreadable:
        raise
    except Exception as error:  # what XML, ZIP and openpyxl raise on broken parts is on no list
        raise ListUnreadable(_("The file is neither CSV nor XLSX.")) from error


def _require_small(content: bytes) -> None:
    with zipfile.ZipFile(io.BytesIO(content)) as packed:
        parts = packed.infolist()
        if len(parts) > _MOST_PARTS or sum(part.file_size for part in parts) > _MOST_UNPACKED:
            raise ListUnreadable(_("The file is too large: 2 MB at most."))
