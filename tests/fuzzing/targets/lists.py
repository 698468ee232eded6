"""Lists that staff import: CSV and workbooks, read within their limits or refused in words."""

from typing import Any, Final

from tablib import Dataset

import tests.fuzzing.django_setup  # noqa: F401  before models are imported
from casino.backoffice.spreadsheets.cells import (
    AmountCell,
    TextCell,
    YesNoCell,
    cell_text,
    escape_formula,
    unescape_formula,
)
from casino.backoffice.spreadsheets.files import ListUnreadable, read_sheet, write_csv, write_xlsx
from tests.fuzzing.target import Target
from tests.fuzzing.zip_mutation import ZipMutation

_CELLS: Final = (TextCell(), AmountCell(), YesNoCell())
_MOST_ROWS: Final = 5_000


def check(data: bytes) -> None:
    """A list that is read is within its limits, and written it is read again as the same."""
    try:
        sheet = read_sheet(data)
    except ListUnreadable as error:
        assert str(error)
        return
    assert len(sheet.rows) < _MOST_ROWS
    texts = [[cell_text(value) for value in row.cells] for row in sheet.rows[:20]]
    for value in [value for row in sheet.rows[:20] for value in row.cells]:
        _check_cell(value)
    if texts:
        _check_written(texts)


def _check_cell(value: Any) -> None:
    for cell in _CELLS:
        try:
            cell.clean(value)
        except ValueError as error:
            assert str(error)
    text = cell_text(value)
    assert unescape_formula(escape_formula(text)) == text


def _check_written(texts: list[list[str]]) -> None:
    width = max(2, *map(len, texts))  # a list has more than one column
    rows = [[*row, *[""] * (width - len(row))] for row in texts]
    headers = [f"c{number}" for number in range(width)]
    again = read_sheet(write_csv(Dataset(*rows, headers=headers)))
    assert again.columns == headers
    assert [[cell_text(value) for value in row.cells] for row in again.rows] == rows


_BITS: Final = (
    *(b"<", b">", b'"', b"&", b"&#0;", b"1e999", b"NaN", b"-1", b"99999999999999999999", b"A0"),
    *(b"XFE1", b"A1048577", b't="b"', b't="e"', b't="d"', b't="s"', b"<v/>", b"<!DOCTYPE x>"),
    *(b"../../etc/passwd", b"true", b"#REF!", b"2026-11-21T21:10:10", b"'=1", b"\xff"),
)


def seeds() -> list[bytes]:
    """Lists as Sabot writes them, and as spreadsheets of both languages do."""
    rows = [
        ["bac-1", "main", "1,00", "100.00"],
        ["'=1+1", "tie", "€ 1.234,50", "sì"],
        ["", "1", "", ""],
    ]
    dataset = Dataset(*rows, headers=["table", "kind", "least", "most"])
    dataset.title = "limits"
    return [
        write_csv(dataset),
        write_xlsx(dataset),
        'table;kind\r\nbac-1;"a\r\nb"\r\n;\r\n'.encode("utf-8-sig"),
        b"code,name\nbac-1,Caff\xe8\n",
        b'a,b\n"un""closed,1\n',
        b"PK\x03\x04",
    ]


TARGET = Target(check, seeds, ZipMutation(_BITS), longest=8192)
