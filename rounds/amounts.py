"""Parsing of amounts typed by people, in the Italian or the English notation."""

import re
from typing import Final

_WRITTEN: Final = re.compile(
    r"(?P<before>€|EUR)?\s*"
    r"(?P<whole>[0-9]{1,15}|[0-9]{1,3}(?P<mark>[.,'\s])[0-9]{3}(?:(?P=mark)[0-9]{3}){0,3})"
    r"(?:(?P<point>[.,])(?P<cents>[0-9]{1,2}))?"
    r"\s*(?P<after>€|EUR)?",
    re.IGNORECASE,
)


def parse_amount(text: str) -> int | None:
    """The cents of ``210,00``, ``€ 210``, ``1.234,50`` or ``1,234.50``; None for other text.

    A separator followed by one or two final digits is the decimal separator; a separator followed
    by three digits groups thousands.
    """
    match = _WRITTEN.fullmatch(text.strip())
    if match is None or (match["mark"] and match["mark"] == match["point"]):
        return None
    euro = re.sub(r"[^0-9]", "", match["whole"])
    return int(euro) * 100 + int((match["cents"] or "").ljust(2, "0"))


def parse_unambiguous_amount(text: str) -> int | None:
    """The cents of an amount with a euro sign or two decimals; None for other text.

    A bare number could also be an id.
    """
    match = _WRITTEN.fullmatch(text.strip())
    if match is None:
        return None
    is_amount = match["before"] or match["after"] or len(match["cents"] or "") == len("00")
    return parse_amount(text) if is_amount else None
