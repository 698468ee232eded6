r"""Limits on JSON beyond its grammar: no lone surrogates, and a maximal depth.

The grammar allows ``"\\ud800"``, which neither UTF-8 nor PostgreSQL can encode, and any depth,
which overflows the stack of recursive readers.
"""

from typing import Final

DEEPEST: Final = 64
"""Levels of nested objects and lists; the feed needs six."""
_WHOLE: Final = "whole characters (RFC 8259, 8.2)"
TOO_DEEP: Final = ("JSON nested too deeply", f"at most {DEEPEST} levels")


def json_fault(value: object) -> tuple[str, str] | None:
    """The fault in decoded JSON: the value found and what is needed; None for valid JSON."""
    level: list[object] = [value]
    for _depth in range(DEEPEST + 1):
        if not level:
            return None
        below: list[object] = []
        for item in level:
            if isinstance(item, str):
                if not item.isascii() and _is_broken(item):
                    return f"half of a character in {item[:20]!a}", _WHOLE
            elif isinstance(item, dict):
                below += item
                below += item.values()
            elif isinstance(item, list):
                below += item
        level = below
    return TOO_DEEP


def _is_broken(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return True
    return False
