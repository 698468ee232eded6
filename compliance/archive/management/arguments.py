"""Arguments of the commands of the archive."""

import re
from argparse import ArgumentTypeError
from typing import Final

from compliance.storage.partitions import Month

_MONTH: Final = re.compile(r"([0-9]{4})-(0[1-9]|1[0-2])")


def month_argument(text: str) -> Month:
    """The argument type of a month. Raises ArgumentTypeError."""
    parts = _MONTH.fullmatch(text)
    if parts is None or int(parts[1]) < 1970:  # noqa: PLR2004  the first year of version 7 UUIDs
        raise ArgumentTypeError(f"found {text}; needed a month like 2026-11")
    return Month(int(parts[1]), int(parts[2]))
