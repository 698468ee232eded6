"""SQL: texts inside of XML.

Characters that XML cannot hold become U+FFFD, the replacement character. Tabs and line ends are
written as references, so that no row is ever more than a line and no reader changes them.
"""

from typing import Final

_FORBIDDEN: Final = (
    "".join(f"\\x{code:02x}" for code in range(1, 32) if chr(code) not in "\t\n\r")
    + "\\uFFFE\\uFFFF"
)
_REPLACED: Final = "\\uFFFD" * (_FORBIDDEN.count("\\"))
_REFERENCES: Final = (
    ("'&'", "'&amp;'"),
    ("'<'", "'&lt;'"),
    ("'>'", "'&gt;'"),
    ("'\"'", "'&quot;'"),
    ("E'\\t'", "'&#9;'"),
    ("E'\\n'", "'&#10;'"),
    ("E'\\r'", "'&#13;'"),
)


def is_clean(value: str) -> str:
    """Whether a text can stand as it is; most do, and are asked no more."""
    return f"{value} ~ '^[A-Za-z0-9._:/,#-]*$'"


def escaped(value: str) -> str:
    """The text as XML holds it."""
    text = f"translate({value}, E'{_FORBIDDEN}', E'{_REPLACED}')"
    for found, reference in _REFERENCES:
        text = f"replace({text}, {found}, {reference})"
    return text
