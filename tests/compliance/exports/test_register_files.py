"""Registers in every format: valid, typed, safe in spreadsheets."""

import io
import json
import zipfile
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Final

import pytest
from django.db import connection
from lxml import etree
from openpyxl import load_workbook

from compliance.exports.bundle.signing import SigningKey
from compliance.exports.encoders.copy_stream import Form, stream_of, streams_of
from compliance.exports.encoders.csv_lines import csv_line
from compliance.exports.encoders.json_lines import json_line
from compliance.exports.encoders.workbook import workbook_line, write_workbook
from compliance.exports.encoders.xml_lines import xml_line
from compliance.exports.registers import REGISTERS
from compliance.exports.registers.bets import BETS
from compliance.exports.registers.register import Register, text
from compliance.exports.scope import one_day, snapshot
from tests.casino_in_play import ingest, settle
from tests.compliance.exports.exported_days import DAY, FORMULA, contents, exported, table, times
from tests.compliance.exports.report_rows import assert_right_type, shown_in_csv
from tests.documents import baccarat_bet, baccarat_round, lines

ODD: Final = (
    "=1+1",
    "+39",
    "-5",
    "@x",
    "\tx",
    "\rx",
    "a;b",
    'a"b',
    "a\nb",
    "\\.",
    "ä€😀\x01",
    "NULL",
    " x ",
)


WORDS: Final = Register(
    key="words",
    version=1,
    row="word",
    title="Words",
    about="Words.",
    pgda="none",
    columns=(text("word", "a word"),),
    select="",
    order=('line.word COLLATE "C"',),
)


@pytest.fixture
def files(day: None, key: SigningKey, tmp_path: Path) -> dict[str, bytes]:
    """The day's bundle, with a round of oddly named bets."""
    odd = [
        baccarat_bet(name, "player", "1.00", placed_at=times(20)["opened_at"], player=name)
        for name in ODD
    ]
    ingest(lines(baccarat_round("r-9", **times(20), bets=odd, session="\tM;<1>")))
    settle()
    return contents(exported(tmp_path, key).path)


class TestEveryRegister:
    def test_is_valid_by_its_own_schema(self, files: dict[str, bytes]) -> None:
        """Validated by libxml2."""
        for register in REGISTERS:
            schema = etree.XMLSchema(etree.fromstring(files[f"schemas/{register.key}.xsd"]))
            document = etree.fromstring(files[f"registers/{register.key}.xml"])

            schema.assertValid(document)
            assert len(document) == len(table(files, register.key)) > 0

    def test_says_the_same_in_json_and_csv(self, files: dict[str, bytes]) -> None:
        """Except for escaped formulas."""
        compared = 0
        for register in REGISTERS:
            lines = files[f"registers/{register.key}.jsonl"].splitlines()
            objects = map(json.loads, lines)

            for row, line in zip(objects, table(files, register.key), strict=True):
                compared += 1
                assert list(row) == [column.name for column in register.columns]
                for column in register.columns:
                    shown = shown_in_csv(column, row[column.name])
                    assert line[column.name] in {shown, f"'{shown}"}
        assert compared > 10

    def test_has_the_right_types_in_a_workbook(self, files: dict[str, bytes]) -> None:
        """Dates, amounts, numbers and text."""
        for register in REGISTERS:
            book = load_workbook(io.BytesIO(files[f"registers/{register.key}.xlsx"]))
            [_heading, *rows] = book.active.iter_rows()

            for row, line in zip(rows, table(files, register.key), strict=True):
                for cell, column in zip(row, register.columns, strict=True):
                    assert_right_type(cell, column, line[column.name])


class TestOddTexts:
    def test_come_out_of_json_as_they_were(self, files: dict[str, bytes]) -> None:
        """Nothing is escaped there."""
        objects = [json.loads(line) for line in files["registers/bets.jsonl"].splitlines()]

        assert [row["bet"] for row in objects if row["round"] == "r-9"] == list(ODD)

    def test_are_no_formulas_in_csv(self, files: dict[str, bytes]) -> None:
        """``= + - @``, tab and carriage return at the beginning get an apostrophe."""
        rows = [row["bet"] for row in table(files, "bets") if row["round"] == "r-9"]

        assert rows == [f"'{name}" for name in ODD[:6]] + list(ODD[6:])

    def test_are_no_formulas_in_a_workbook(self, files: dict[str, bytes]) -> None:
        """Characters that XML cannot hold are replaced."""
        book = load_workbook(io.BytesIO(files["registers/bets.xlsx"]))
        names = [column.name for column in BETS.columns]
        cells = [
            row[names.index("bet")]
            for row in book.active.iter_rows(min_row=2)
            if row[names.index("round")].value == "r-9"
        ]

        assert all(cell.data_type != "f" for cell in cells)
        shown = [f"'{name}" for name in ODD[:6]] + list(ODD[6:])
        assert [cell.value for cell in cells] == [name.replace("\x01", "\ufffd") for name in shown]

    def test_are_whole_in_xml(self, files: dict[str, bytes]) -> None:
        """Tabs and line ends included."""
        document = etree.fromstring(files["registers/bets.xml"])

        bets = [row.get("bet") for row in document if row.get("round") == "r-9"]
        assert bets == [name.replace("\x01", "\ufffd") for name in ODD]
        assert FORMULA in {row.get("customer") for row in document}


class TestAPlainRow:
    """A row whose texts need no escaping is written by shorter expressions."""

    @pytest.mark.parametrize("form", [csv_line, json_line, xml_line, workbook_line])
    def test_is_written_as_any_other(self, form: Form, module_casino: str) -> None:
        """The shorter expression gives what the careful one gives."""
        words = ("b10~1", "M042543391113793", "a.b_c:d/e,f#g-h", "Z")
        register = replace(WORDS, select=f"SELECT unnest(ARRAY{list(words)}) AS word")
        careful = f"SELECT {form(register)} FROM ({register.query}) AS line ORDER BY line.word"

        with (
            snapshot(one_day(DAY), database="default") as seen,
            stream_of(seen, register, [form]) as stream,
        ):
            written = b"".join(stream.blocks(len(words))).decode().splitlines()

        with connection.cursor() as cursor:
            cursor.execute(careful)
            assert written == [line for (line,) in cursor.fetchall()]

    def test_has_no_odd_text(self, fresh_casino: str) -> None:
        """Each of them is escaped, quoted or cut in one of the formats."""
        odd = [word for word in ODD if word != "NULL"] + ["", "a  b", "a ", "a -b", "x" * 10_000]
        codes = [word.encode().hex() for word in odd]
        query = f"SELECT convert_from(decode(unnest(ARRAY{codes}), 'hex'), 'UTF8') AS word"

        with (
            snapshot(one_day(DAY), database="default") as seen,
            stream_of(seen, replace(WORDS, select=query), [_seen]) as stream,
        ):
            written = b"".join(stream.blocks(len(odd))).decode().splitlines()

        assert written == ["needs escaping"] * len(odd)


class TestAnExportThatFails:
    def test_says_why(self, fresh_casino: str) -> None:
        """The COPY is given up."""
        many = replace(WORDS, select="SELECT 'w' || n AS word FROM generate_series(1, 100000) AS n")

        with pytest.raises(OSError, match="disk full"):
            _fail_in_the_first(many, many, many)

        with connection.cursor() as cursor:
            cursor.execute("SELECT count(*) FROM pg_stat_activity WHERE query ~ '^COPY.*word'")
            assert cursor.fetchone() == (0,)


class TestARegisterThatIsNotReadToItsEnd:
    def test_is_not_left_for_the_next(self, fresh_casino: str) -> None:
        """Its rows would be taken for those of the next one."""
        many = replace(WORDS, select="SELECT 'w' || n AS word FROM generate_series(1, 9) AS n")

        with (
            snapshot(one_day(DAY), database="default") as seen,
            closing(streams_of(seen, [many, many], [csv_line])) as streams,
        ):
            _register, stream = next(streams)
            assert b"".join(stream.blocks(7)).count(b"\n") == 7
            with pytest.raises(RuntimeError, match="found 2 unread rows; needed none"):
                next(streams)

    def test_has_no_more_than_its_rows(self, fresh_casino: str) -> None:
        """Those of the next one are not read as its own."""
        one = replace(WORDS, select="SELECT 'w' AS word")

        with (
            snapshot(one_day(DAY), database="default") as seen,
            closing(streams_of(seen, [one, one], [csv_line])) as streams,
        ):
            _register, stream = next(streams)
            with pytest.raises(RuntimeError, match="found 1 more rows of the register; needed 2"):
                next(stream.blocks(2))


def _fail_in_the_first(*registers: Register) -> None:
    with (
        snapshot(one_day(DAY), database="default") as seen,
        closing(streams_of(seen, registers, [csv_line])) as streams,
    ):
        for _register, stream in streams:
            assert next(stream.blocks(1)).startswith(b"w")
            raise OSError("disk full")


def _seen(register: Register) -> str:
    return "'plain'" if register == register.of_plain_texts else "'needs escaping'"


class TestALongRegister:
    @pytest.mark.parametrize(("sheet_rows", "lengths"), [(6, [6, 6, 2]), (11, [11, 2]), (12, [12])])
    def test_goes_on_in_further_sheets(
        self, day: None, tmp_path: Path, sheet_rows: int, lengths: list[int]
    ) -> None:
        """Each with its heading."""
        path = tmp_path / "bets.xlsx"
        with (
            snapshot(one_day(DAY), database="default") as seen,
            stream_of(seen, BETS, [workbook_line]) as stream,
            zipfile.ZipFile(path, "w") as book,
        ):
            write_workbook(book, BETS, stream, sheet_rows=sheet_rows)

        sheets = load_workbook(path).worksheets

        assert [sheet.max_row for sheet in sheets] == lengths
        headings = {tuple(cell.value for cell in sheet[1]) for sheet in sheets}
        assert len(headings) == 1
