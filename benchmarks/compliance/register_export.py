"""Export of one register of a day by Sabot and by XlsxWriter."""

import zipfile
from pathlib import Path
from typing import Final

import psycopg
import xlsxwriter
from django.db import DEFAULT_DB_ALIAS

from compliance.exports.bundle.archive import Archive
from compliance.exports.bundle.contents import file_entry, json_file
from compliance.exports.bundle.signing import SigningKey
from compliance.exports.encoders.copy_stream import Form, ordered, stream_of
from compliance.exports.encoders.workbook import workbook_line, write_workbook
from compliance.exports.registers.register import ColumnType, Register
from compliance.exports.scope import Scope, snapshot

_AT_ONCE: Final = 5_000
_FORMATS: Final = {
    ColumnType.TIME: "yyyy-mm-dd hh:mm:ss.000",
    ColumnType.CENTS: "#,##0.00",
    ColumnType.DAY: "yyyy-mm-dd",
}


def query_text(register: Register, of: Scope) -> str:
    """The plain rows of a register as one line of SQL with its values in it, for psql."""
    with snapshot(of, database=DEFAULT_DB_ALIAS) as database_snapshot:
        cursor = psycopg.ClientCursor(database_snapshot.connection)
        return " ".join(cursor.mogrify(_plain(register), database_snapshot.arguments).split())


def _plain(register: Register) -> bytes:
    return ordered(
        register, ", ".join(f'line."{column.name}"' for column in register.columns)
    ).encode()


def bundle_of(register: Register, line: Form, of: Scope, path: Path, key: SigningKey) -> None:
    """A complete bundle of one file."""
    with Archive(path) as archive:
        with (
            snapshot(of, database=DEFAULT_DB_ALIAS) as database_snapshot,
            stream_of(database_snapshot, register, [line]) as stream,
        ):
            control = stream.control
            written = archive.add("register", stream.blocks(control.rows))
        files = [file_entry(written, schema=register.schema, control=control)]
        manifest = json_file({"files": files, "key_id": key.key_id})
        archive.add("manifest.json", [manifest], compress=False)
        archive.add("manifest.json.p7s", [key.sign(manifest)], compress=False)


def workbook_of(register: Register, of: Scope, path: Path) -> None:
    """Sabot's workbook."""
    with (
        snapshot(of, database=DEFAULT_DB_ALIAS) as database_snapshot,
        stream_of(database_snapshot, register, [workbook_line]) as stream,
        zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as book,
    ):
        write_workbook(book, register, stream)


def xlsxwriter_book(register: Register, of: Scope, path: Path) -> None:
    """The same cells by XlsxWriter in its constant-memory mode, read in portions."""
    options = {"constant_memory": True, "remove_timezone": True}
    with (
        snapshot(of, database=DEFAULT_DB_ALIAS) as database_snapshot,
        xlsxwriter.Workbook(str(path), options) as book,
    ):
        sheet = book.add_worksheet()
        styles = {kind: book.add_format({"num_format": form}) for kind, form in _FORMATS.items()}
        kinds = [column.type for column in register.columns]
        sheet.write_row(0, 0, [column.name for column in register.columns])
        with database_snapshot.connection.cursor(name="bets") as cursor:
            cursor.itersize = _AT_ONCE
            for number, row in enumerate(
                cursor.execute(_plain(register), database_snapshot.arguments), start=1
            ):
                for place, (kind, value) in enumerate(zip(kinds, row, strict=True)):
                    if value is None:
                        continue
                    if kind in {ColumnType.TIME, ColumnType.DAY}:
                        sheet.write_datetime(number, place, value, styles[kind])
                    elif kind is ColumnType.CENTS:
                        sheet.write_number(number, place, value / 100, styles[kind])
                    elif kind is ColumnType.INTEGER:
                        sheet.write_number(number, place, value)
                    else:
                        sheet.write_string(number, place, value)
