"""Values in the text format of PostgreSQL's COPY. Pure."""

import re
from datetime import datetime
from typing import Final

NULL: Final = "\\N"
"""The value of a null column in a line for ``copy_lines``."""

_ESCAPES: Final = str.maketrans({"\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r"})
_SPECIAL: Final = re.compile(r"[\\\t\n\r]")


def escaped(text: str) -> str:
    """A text in COPY's format: tabs, line ends and backslashes escaped."""
    return text.translate(_ESCAPES) if _SPECIAL.search(text) else text


def moment(at: datetime) -> str:
    """A time in COPY's format."""
    return at.isoformat()


def octets(value: bytes) -> str:
    """Bytes in COPY's format."""
    return f"\\\\x{value.hex()}"
