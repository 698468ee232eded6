"""SQL: protection against formula injection in spreadsheets (CSV injection)."""

from typing import Final

_STARTS: Final = "=+-@\t\r"
_CODES: Final = ", ".join(str(ord(start)) for start in _STARTS)


def formula_escaped(value: str) -> str:
    """The text, with an apostrophe prefixed if a spreadsheet would evaluate it."""
    return f"CASE WHEN ascii({value}) IN ({_CODES}) THEN '''' || {value} ELSE {value} END"
