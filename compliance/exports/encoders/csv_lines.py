"""CSV: UTF-8, semicolons, heading.

Money is integer cents. Times are UTC, ``2026-11-21 21:10:10.5``.
"""

from compliance.exports.encoders.formula_escaping import formula_escaped
from compliance.exports.registers.register import Column, ColumnType, Register


def csv_heading(register: Register) -> bytes:
    """The heading line."""
    return f"{';'.join(column.name for column in register.columns)}\n".encode()


def csv_line(register: Register) -> str:
    """SQL expression of a row as a CSV line."""
    values = ", ';', ".join(map(_value, register.columns))
    return f"concat({values})"


def _value(column: Column) -> str:
    value = f'line."{column.name}"'
    match column.type:
        case ColumnType.TEXT if column.is_plain:
            return formula_escaped(value)
        case ColumnType.TEXT:
            return _text(value)
        case ColumnType.TIME:
            return f"{value} AT TIME ZONE 'UTC'"
        case ColumnType.DIGEST:
            return f"encode({value}, 'hex')"
        case _:
            return value


def _text(value: str) -> str:
    """SQL: simple texts unquoted, others quoted with doubled quotes; NULL is empty."""
    return (
        f"CASE WHEN {value} ~ '^[A-Za-z0-9][A-Za-z0-9._:/#, ~-]*$' THEN {value}"
        f" WHEN {value} IS NOT NULL"
        f" THEN concat('\"', replace({formula_escaped(value)}, '\"', '\"\"'), '\"') END"
    )
