"""Money: integer cents internally, a decimal string in euro in the feed and the API."""

import re
from typing import Final

MONEY_PATTERN: Final = r"(0|[1-9][0-9]{0,11})(?:\.([0-9]{1,2}))?"
_MONEY: Final = re.compile(MONEY_PATTERN)


class InvalidAmount(ValueError):
    """The text is not an amount in the feed's notation (contract, detail 4)."""


def parse_cents(text: str) -> int:
    """The cents of a decimal string in euro with at most two decimals.

    Raises InvalidAmount for other text, such as a sign, a leading zero or more decimals.
    """
    match = _MONEY.fullmatch(text)
    if match is None:
        raise InvalidAmount(text)
    euro, decimals = match.groups(default="")
    return int(euro) * 100 + int(decimals.ljust(2, "0"))


def format_cents(cents: int) -> str:
    """Cents as a decimal string in euro with two decimals, ``1050`` as ``"10.50"``."""
    sign = "-" if cents < 0 else ""
    euro, rest = divmod(abs(cents), 100)
    return f"{sign}{euro}.{rest:02d}"
