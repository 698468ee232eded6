"""Gaming days as people write them."""

import re
from collections.abc import Mapping
from datetime import date, timedelta
from typing import Final

_WORDS: Final[Mapping[str, int]] = {"today": 0, "oggi": 0, "yesterday": 1, "ieri": 1}
"""In both languages of the pages; how many days ago."""
_WRITTEN: Final = re.compile(r"(?P<day>\d{1,2})[/.](?P<month>\d{1,2})(?:[/.](?P<year>\d{4}))?")


def day_in(text: str, *, today: date) -> date | None:
    """The day that a text names; None for other text.

    ``2026-11-24``, ``24/11/2026``, ``24.11`` (the latest such day), ``yesterday`` or ``ieri``.
    """
    text = text.strip().casefold()
    if text in _WORDS:
        return today - timedelta(days=_WORDS[text])
    try:
        return date.fromisoformat(text) if "-" in text else _written_day(text, today)
    except ValueError:
        return None


def _written_day(text: str, today: date) -> date | None:
    match = _WRITTEN.fullmatch(text)
    if match is None:
        return None
    month, of_month = int(match["month"]), int(match["day"])
    if match["year"]:
        return date(int(match["year"]), month, of_month)
    this_year = date(today.year, month, of_month)
    return this_year if this_year <= today else this_year.replace(year=today.year - 1)
