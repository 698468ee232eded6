"""CSV: UTF-8, semicolons, a heading; what a program and a spreadsheet read alike.

Money is integer cents. Times are UTC, ``2026-11-21 21:10:10.5``.
"""

from compliance.exports.encoders.defusing import defused
from compliance.exports.registers.register import Column, ColumnType, Register


def csv_heading(register: Register) -> bytes:
    """The first line."""
    return f"{';'.join(one.name for one in register.columns)}\n".encode()


def csv_line(register: Register) -> str:
    """SQL: a row as a line."""
    values = ", ';', ".join(map(_value, register.columns))
    return f"concat({values})"


def _value(column: Column) -> str:
    value = f'line."{column.name}"'
    match column.type:
        case ColumnType.TEXT if column.is_plain:
            return defused(value)
        case ColumnType.TEXT:
            return _text(value)
        case ColumnType.TIME:
            return f"{value} AT TIME ZONE 'UTC'"
        case ColumnType.DIGEST:
            return f"encode({value}, 'hex')"
        case _:
            return value


def _text(value: str) -> str:
    """Most texts stand as they are; any other is quoted, its quotes doubled. Absent is nothing."""
    return (
        f"CASE WHEN {value} ~ '^[A-Za-z0-9][A-Za-z0-9._:/#, -]*$' THEN {value}"
        f" WHEN {value} IS NOT NULL"
        f" THEN concat('\"', replace({defused(value)}, '\"', '\"\"'), '\"') END"
    )
