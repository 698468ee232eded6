"""Lists that staff import: CSV and workbooks, read within their limits or refused in words."""

import io
import random
import zipfile
from typing import Any, Final

import tests.fuzzing.django_setup  # noqa: F401  before models are imported
from tablib import Dataset

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


def mutate(data: bytes, rng: random.Random) -> bytes:
    """A workbook with one part changed: its checksums hide the parts from bytewise changes."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as packed:
            parts = {name: packed.read(name) for name in packed.namelist()}
    except Exception:  # noqa: BLE001  no workbook, or one that was changed already
        return data
    name = rng.choice(sorted(parts))
    content = bytearray(parts[name])
    for _change in range(rng.randrange(1, 4)):
        start = rng.randrange(len(content) + 1)
        end = min(len(content), start + rng.randrange(12))
        other = rng.randrange(len(content) + 1)
        content[start:end] = rng.choice((b"", bytes(content[other : other + 9]), rng.choice(_BITS)))
    parts[name] = bytes(content)
    return _packed(parts)


_BITS: Final = (
    *(b"<", b">", b'"', b"&", b"&#0;", b"1e999", b"NaN", b"-1", b"99999999999999999999", b"A0"),
    *(b"XFE1", b"A1048577", b't="b"', b't="e"', b't="d"', b't="s"', b"<v/>", b"<!DOCTYPE x>"),
    *(b"../../etc/passwd", b"true", b"#REF!", b"2026-11-21T21:10:10", b"'=1", b"\xff"),
)


def _packed(parts: dict[str, bytes]) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, content in parts.items():
            packed.writestr(name, content)
    return file.getvalue()


def seeds() -> list[bytes]:
    """Lists as Sabot writes them, and as spreadsheets of both languages do."""
    rows = [["bac-1", "main", "1,00", "100.00"], ["'=1+1", "tie", "€ 1.234,50", "sì"], ["", "1", "", ""]]
    dataset = Dataset(*rows, headers=["table", "kind", "least", "most"])
    dataset.title = "limits"
    return [
        write_csv(dataset),
        write_xlsx(dataset),
        "table;kind\r\nbac-1;\"a\r\nb\"\r\n;\r\n".encode("utf-8-sig"),
        b"code,name\nbac-1,Caff\xe8\n",
        b"a,b\n\"un\"\"closed,1\n",
        b"PK\x03\x04",
    ]


TARGET = Target(check, seeds, mutate, longest=8192)
