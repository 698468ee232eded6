"""The feed's times: UTC, ISO 8601 with ``Z`` and 0 to 3 decimals; inside, integer milliseconds."""

import re
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import Final

TIME_PATTERN: Final = (
    "[0-9]{4}-(?:(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9])|(?:0[13-9]|1[0-2])-30"
    "|(?:0[13578]|1[02])-31)"
    r"T(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](?:\.[0-9]{1,3})?Z"
)
"""The notation, for schemas; it does not check leap years."""
_DATE: Final = re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})T")
_MINUTES: Final = {
    f"{hour:02d}:{minute:02d}:": (60 * hour + minute) * 60_000
    for hour in range(24)
    for minute in range(60)
}
_SECONDS: Final = {f"{second:02d}": second * 1000 for second in range(60)}
_ENDS: Final[dict[str, int]] = {"Z": 0} | {
    f".{decimals:0{digits}d}Z": decimals * 10 ** (3 - digits)
    for digits in (1, 2, 3)
    for decimals in range(10**digits)
}
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECOND: Final = timedelta(milliseconds=1)


class InvalidTime(ValueError):
    """The text is not a time in the feed's notation (contract, detail 5)."""


def parse_time(text: str) -> int:
    """The milliseconds since 1970 of a time of the feed. Raises InvalidTime for other text."""
    try:
        return _date(text[:11]) + _MINUTES[text[11:17]] + _SECONDS[text[17:19]] + _ENDS[text[19:]]
    except (KeyError, ValueError) as error:
        raise InvalidTime(text) from error


def format_time(at: int) -> str:
    """Milliseconds since 1970 in the feed's notation, with decimals only if needed."""
    moment = _EPOCH + timedelta(milliseconds=at)
    precision = "milliseconds" if at % 1000 else "seconds"
    return moment.replace(tzinfo=None).isoformat(timespec=precision) + "Z"


@lru_cache(maxsize=1024)
def _date(text: str) -> int:
    """The milliseconds of ``"2026-11-21T"``, cached: a feed has few dates."""
    match = _DATE.fullmatch(text)
    if match is None:
        raise ValueError(text)
    year, month, day = map(int, match.groups())
    return (datetime(year, month, day, tzinfo=UTC) - _EPOCH) // _MILLISECOND
