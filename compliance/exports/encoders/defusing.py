"""SQL: texts that a spreadsheet would run as a formula get an apostrophe before them."""

from typing import Final

_STARTS: Final = "=+-@\t\r"
_CODES: Final = ", ".join(str(ord(start)) for start in _STARTS)


def defused(value: str) -> str:
    """The text as a spreadsheet shows it without running it."""
    return f"CASE WHEN ascii({value}) IN ({_CODES}) THEN '''' || {value} ELSE {value} END"
