"""JSON Lines: one object per row, members in column order; NULL is null.

Money is integer cents. Times are UTC, ``2026-11-21T21:10:10.5Z``.
"""

from compliance.exports.registers.register import Column, ColumnType, Register


def json_line(register: Register) -> str:
    """SQL expression of a row as a JSON object."""
    parts = ["'{'"]
    for number, column in enumerate(register.columns):
        comma = "," if number else ""
        parts += [f"""'{comma}"{column.name}":'""", _value(column)]
    return f"concat({', '.join(parts)}, '}}')"


def _value(column: Column) -> str:
    value = f'line."{column.name}"'
    written = _written(column, value)
    if column.is_optional:
        return f"CASE WHEN {value} IS NULL THEN 'null' ELSE {written} END"
    return written


def _written(column: Column, value: str) -> str:
    match column.type:
        case ColumnType.TEXT if not column.is_plain:
            return f"to_json({value})::text"
        case ColumnType.TIME:
            return f"""rtrim(to_json({value} AT TIME ZONE 'UTC')::text, '"') || 'Z"'"""
        case ColumnType.DIGEST:
            return f"""'"' || encode({value}, 'hex') || '"'"""
        case ColumnType.TEXT | ColumnType.DAY:
            return f"""'"' || {value}::text || '"'"""
        case _:
            return f"{value}::text"
