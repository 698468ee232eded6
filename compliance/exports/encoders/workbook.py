"""XLSX: sheets are written by the database as XML.

Money is in euro with two decimals; texts are never formulas. A sheet holds 1,048,576 rows; further
rows go to further sheets with the same heading.
"""

import zipfile
from collections.abc import Iterator
from itertools import chain
from typing import Final
from xml.sax.saxutils import escape

from compliance.exports.bundle.background_write import write_in_background
from compliance.exports.encoders.copy_stream import Stream
from compliance.exports.encoders.formula_escaping import formula_escaped
from compliance.exports.encoders.xml_escaping import is_clean, xml_escaped
from compliance.exports.registers.register import Column, ColumnType, Register

SHEET_ROWS: Final = 1_048_576
_LONGEST_TEXT: Final = 32_767
"""Maximum length of a cell; longer texts are truncated here only."""
_DAYS_TO_1970: Final = 25_569
_FIRST_DATE: Final = "1900-03-01"
"""Spreadsheets disagree on earlier dates, which are written as text."""

_MAIN: Final = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_OFFICE: Final = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE: Final = "http://schemas.openxmlformats.org/package/2006"
_KIND: Final = "application/vnd.openxmlformats-officedocument.spreadsheetml"
_RELATIONS: Final = "application/vnd.openxmlformats-package.relationships+xml"
_DECLARATION: Final = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_TIME_STYLE, _MONEY_STYLE, _DAY_STYLE, _HEADING_STYLE = 1, 2, 3, 4
_STYLES: Final = f"""{_DECLARATION}<styleSheet xmlns="{_MAIN}">
<numFmts count="3"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss.000"/>
<numFmt numFmtId="165" formatCode="#,##0.00"/>
<numFmt numFmtId="166" formatCode="yyyy\\-mm\\-dd"/></numFmts>
<fonts count="2"><font><sz val="11"/><name val="Calibri"/></font>
<font><b/><sz val="11"/><name val="Calibri"/></font></fonts>
<fills count="2"><fill><patternFill patternType="none"/></fill>
<fill><patternFill patternType="gray125"/></fill></fills>
<borders count="1"><border/></borders>
<cellStyleXfs count="1"><xf/></cellStyleXfs>
<cellXfs count="5"><xf xfId="0"/><xf numFmtId="164" xfId="0" applyNumberFormat="1"/>
<xf numFmtId="165" xfId="0" applyNumberFormat="1"/>
<xf numFmtId="166" xfId="0" applyNumberFormat="1"/>
<xf fontId="1" xfId="0" applyFont="1"/></cellXfs>
<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles>
</styleSheet>
"""
_WIDTHS: Final = {ColumnType.TIME: 24, ColumnType.DAY: 12, ColumnType.DIGEST: 66}
_WIDTH: Final = 18
_END: Final = b"</sheetData></worksheet>\n"


def write_workbook(
    book: zipfile.ZipFile, register: Register, stream: Stream, *, sheet_rows: int = SHEET_ROWS
) -> None:
    """Writes the workbook of a register from a stream positioned at its ``workbook_line`` rows."""
    left, room = stream.control.rows, sheet_rows - 1
    sheets = max(1, -(-left // room))
    for name, text in _frame(register, sheets):
        book.writestr(zipfile.ZipInfo(name), text)
    for number in range(1, sheets + 1):
        with book.open(f"xl/worksheets/sheet{number}.xml", "w", force_zip64=True) as file:
            rows = stream.blocks(min(left, room))
            write_in_background(file, chain([_opening(register)], rows, [_END]))
        left -= room


def workbook_line(register: Register) -> str:
    """SQL expression of a row as sheet XML."""
    return f"concat('<row>', {', '.join(map(_cell, register.columns))}, '</row>')"


def _cell(column: Column) -> str:
    value = f'line."{column.name}"'
    written = _written(column, value)
    if column.is_optional:
        return f"CASE WHEN {value} IS NULL THEN '<c/>' ELSE {written} END"
    return written


def _written(column: Column, value: str) -> str:
    match column.type:
        case ColumnType.TEXT:
            return _text_cell(column, value)
        case ColumnType.DIGEST:
            return f"'<c t=\"inlineStr\"><is><t>' || encode({value}, 'hex') || '</t></is></c>'"
        case ColumnType.INTEGER:
            return f"'<c><v>' || {value} || '</v></c>'"
        case ColumnType.CENTS:
            return f"'<c s=\"{_MONEY_STYLE}\"><v>' || {value} * 0.01 || '</v></c>'"
        case ColumnType.TIME:
            serial = f"(date_part('epoch', {value}) / 86400 + {_DAYS_TO_1970})"
            return _date_cell(value, serial, _TIME_STYLE)
        case ColumnType.DAY:
            return _date_cell(value, f"({value} - DATE '1899-12-30')", _DAY_STYLE)


def _date_cell(value: str, serial: str, style: int) -> str:
    return (
        f"CASE WHEN {value} >= '{_FIRST_DATE}' THEN '<c s=\"{style}\"><v>' || {serial}"
        f" || '</v></c>' ELSE '<c t=\"inlineStr\"><is><t>' || {value} || '</t></is></c>' END"
    )


def _text_cell(column: Column, value: str) -> str:
    safe = formula_escaped(value)
    clean = f"'<c t=\"inlineStr\"><is><t>' || {safe} || '</t></is></c>'"
    if column.is_plain:
        return clean
    cut = f"left({safe}, {_LONGEST_TEXT})"
    return (
        f"CASE WHEN {is_clean(value)} AND length({value}) < {_LONGEST_TEXT} THEN {clean} ELSE"
        f' \'<c t="inlineStr"><is><t xml:space="preserve">\' || {xml_escaped(f"({cut})")}'
        " || '</t></is></c>' END"
    )


def _opening(register: Register) -> bytes:
    widths = "".join(
        f'<col min="{n}" max="{n}" width="{_WIDTHS.get(column.type, _WIDTH)}" customWidth="1"/>'
        for n, column in enumerate(register.columns, start=1)
    )
    heading = "".join(
        f'<c s="{_HEADING_STYLE}" t="inlineStr"><is><t>{_heading(column)}</t></is></c>'
        for column in register.columns
    )
    return (
        f'{_DECLARATION}<worksheet xmlns="{_MAIN}"><sheetViews><sheetView workbookViewId="0">'
        '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView>'
        f"</sheetViews><cols>{widths}</cols><sheetData><row>{heading}</row>\n"
    ).encode()


def _heading(column: Column) -> str:
    match column.type:
        case ColumnType.CENTS:
            return column.name.removesuffix("_cents") + "_eur"
        case ColumnType.TIME:
            return f"{column.name}_utc"
        case _:
            return column.name


def _frame(register: Register, sheets: int) -> Iterator[tuple[str, str]]:
    """All parts of the workbook except its sheets."""
    numbers = range(1, sheets + 1)
    parts = "".join(
        f'<Override PartName="/xl/worksheets/sheet{n}.xml" ContentType="{_KIND}.worksheet+xml"/>'
        for n in numbers
    )
    types = (
        f'{_DECLARATION}<Types xmlns="{_PACKAGE}/content-types">'
        f'<Default Extension="rels" ContentType="{_RELATIONS}"/>'
        '<Default Extension="xml" ContentType="application/xml"/>'
        f'<Override PartName="/xl/workbook.xml" ContentType="{_KIND}.sheet.main+xml"/>'
        f'<Override PartName="/xl/styles.xml" ContentType="{_KIND}.styles+xml"/>{parts}</Types>\n'
    )
    yield "[Content_Types].xml", types
    yield "_rels/.rels", _relations([("rId1", "officeDocument", "xl/workbook.xml")])
    named = "".join(
        f'<sheet name="{escape(register.key)}{f" {n}" if sheets > 1 else ""}" sheetId="{n}"'
        f' r:id="rId{n}"/>'
        for n in numbers
    )
    book = f'{_DECLARATION}<workbook xmlns="{_MAIN}" xmlns:r="{_OFFICE}"><sheets>{named}</sheets>'
    yield "xl/workbook.xml", f"{book}</workbook>\n"
    relations = [(f"rId{n}", "worksheet", f"worksheets/sheet{n}.xml") for n in numbers]
    relations.append((f"rId{sheets + 1}", "styles", "styles.xml"))
    yield "xl/_rels/workbook.xml.rels", _relations(relations)
    yield "xl/styles.xml", _STYLES


def _relations(relations: list[tuple[str, str, str]]) -> str:
    elements = "".join(
        f'<Relationship Id="{identity}" Type="{_OFFICE}/{kind}" Target="{target}"/>'
        for identity, kind, target in relations
    )
    opening = f'{_DECLARATION}<Relationships xmlns="{_PACKAGE}/relationships">'
    return f"{opening}{elements}</Relationships>\n"
