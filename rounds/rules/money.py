"""Money inside Sabot: integer cents, never a float. Outside: a decimal string in euro."""

import re
from typing import Final

_MONEY: Final = re.compile(r"(0|[1-9][0-9]{0,11})(?:\.([0-9]{1,2}))?")


class NotMoney(ValueError):
    """The text is not an amount of the feed's form (contract, detail 4)."""


def parse_cents(text: str) -> int:
    """The cents of a decimal string of euro with at most two decimals, as the feed writes it.

    Raises NotMoney when the text has another form: a sign, a leading zero, more decimals.
    """
    match = _MONEY.fullmatch(text)
    if match is None:
        raise NotMoney(text)
    euro, decimals = match.groups(default="")
    return int(euro) * 100 + int(decimals.ljust(2, "0"))


def format_cents(cents: int) -> str:
    """Cents as a decimal string of euro with exactly two decimals, ``1050`` as ``"10.50"``."""
    sign = "-" if cents < 0 else ""
    euro, rest = divmod(abs(cents), 100)
    return f"{sign}{euro}.{rest:02d}"
