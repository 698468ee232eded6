"""Arguments of the commands of the archive."""

import re
from argparse import ArgumentTypeError
from typing import Final

from compliance.archive.recorded_archives import (
    RecordedArchive,
    latest_archive,
    recorded_archives,
)
from compliance.storage.partitions import Month

NUMBERED: Final = re.compile(r"(?P<month>[0-9]{4}-[0-9]{2})\.(?P<number>[1-9][0-9]*)")
"""The name of an archive."""
_MONTH: Final = re.compile(r"([0-9]{4})-(0[1-9]|1[0-2])")


def month_argument(text: str) -> Month:
    """The argument type of a month. Raises ArgumentTypeError."""
    parts = _MONTH.fullmatch(text)
    if parts is None or int(parts[1]) < 1970:  # noqa: PLR2004  the first year of version 7 UUIDs
        raise ArgumentTypeError(f"found {text}; needed a month like 2026-11")
    return Month(int(parts[1]), int(parts[2]))


def archive_argument(text: str) -> RecordedArchive:
    """The argument type of an archive: of its name, or of a month for the latest one.

    Raises ArgumentTypeError if it is not recorded.
    """
    numbered = NUMBERED.fullmatch(text)
    if numbered is None:
        recorded = latest_archive(month_argument(text))
        if recorded is None:
            raise ArgumentTypeError(f"found no recorded archive of {text}; needed archive_month")
        return recorded
    month = month_argument(numbered["month"])
    same = [it for it in recorded_archives(month) if it.number == int(numbered["number"])]
    if len(same) != 1:
        raise ArgumentTypeError(f"found {len(same)} records of {text}; needed one")
    return same[0]
