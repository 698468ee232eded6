"""SQL: escaping of XML attribute values.

Characters that XML does not allow become U+FFFD. Tabs and line ends are written as references, so
that a row is always one line.
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
    """SQL condition: the text needs no escaping."""
    return f"{value} ~ '^[A-Za-z0-9._:/,#~-]*$'"


def xml_escaped(value: str) -> str:
    """The escaped text."""
    text = f"translate({value}, E'{_FORBIDDEN}', E'{_REPLACED}')"
    for character, reference in _REFERENCES:
        text = f"replace({text}, {character}, {reference})"
    return text
