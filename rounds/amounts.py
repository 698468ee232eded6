"""Amounts of money as a person writes them, in Italian or in English."""

import re
from typing import Final

_WRITTEN: Final = re.compile(
    r"(?P<before>€|EUR)?\s*"
    r"(?P<whole>[0-9]{1,15}|[0-9]{1,3}(?P<mark>[.,'\s])[0-9]{3}(?:(?P=mark)[0-9]{3}){0,3})"
    r"(?:(?P<point>[.,])(?P<cents>[0-9]{1,2}))?"
    r"\s*(?P<after>€|EUR)?",
    re.IGNORECASE,
)


def amount_of(text: str) -> int | None:
    """The cents that a text says: ``210,00``, ``€ 210``, ``1.234,50`` and ``1,234.50`` alike.

    None for what is no amount. A last mark with one or two digits behind it is the decimal one,
    three digits behind a mark are thousands: no amount of euro has three decimals.
    """
    found = _WRITTEN.fullmatch(text.strip())
    if found is None or (found["mark"] and found["mark"] == found["point"]):
        return None
    euro = re.sub(r"[^0-9]", "", found["whole"])
    return int(euro) * 100 + int((found["cents"] or "").ljust(2, "0"))


def amount_meant(text: str) -> int | None:
    """The cents of a text that can be nothing else: with the sign of the euro, or two decimals.

    A bare number may as well be somebody's id.
    """
    found = _WRITTEN.fullmatch(text.strip())
    if found is None:
        return None
    is_meant = found["before"] or found["after"] or len(found["cents"] or "") == len("00")
    return amount_of(text) if is_meant else None
