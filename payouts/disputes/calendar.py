"""Time limits of disputes by the calendar of Rome, with its public holidays.

Pure functions. A limit ends at the midnight that ends its last day in Rome.
"""

from datetime import date, datetime, timedelta
from typing import Final, NamedTuple

from rounds.gaming_day import ROME, end_of_day

_FIXED: Final = {
    (1, 1): "Capodanno",
    (1, 6): "Epifania",
    (4, 25): "Liberazione",
    (5, 1): "Festa del lavoro",
    (6, 2): "Festa della Repubblica",
    (6, 29): "Santi Pietro e Paolo, of Rome alone",
    (8, 15): "Ferragosto",
    (11, 1): "Ognissanti",
    (12, 8): "Immacolata",
    (12, 25): "Natale",
    (12, 26): "Santo Stefano",
}
_SAINT_FRANCIS: Final = (10, 4)
_SAINT_FRANCIS_FROM: Final = 2026
"""A holiday again from this year on."""
_SATURDAY: Final = 5
_DAY: Final = timedelta(days=1)


class Term(NamedTuple):
    """A number of working days or calendar days."""

    days: int
    are_working_days: bool


class Limit(NamedTuple):
    """A due date and the time of its reminder."""

    remind_at: datetime
    due_at: datetime


def limit_of(term: Term, since: datetime) -> Limit:
    """The end of the term's last day in Rome, and of the working day before it.

    The day of ``since`` does not count. A term of calendar days that ends on a day off is extended
    to the next working day.
    """
    day = since.astimezone(ROME).date()
    if term.are_working_days:
        for _ in range(term.days):
            day = next_working_day(day)
    else:
        day += term.days * _DAY
        if not is_working_day(day):
            day = next_working_day(day)
    before = day - _DAY
    while not is_working_day(before):
        before -= _DAY
    return Limit(end_of_day(before), end_of_day(day))


def next_working_day(day: date) -> date:
    """The first working day after this one."""
    day += _DAY
    while not is_working_day(day):
        day += _DAY
    return day


def is_working_day(day: date) -> bool:
    """Whether the day is neither a Saturday, a Sunday nor a holiday."""
    return day.weekday() < _SATURDAY and not is_holiday(day)


def is_holiday(day: date) -> bool:
    """Whether the day is a public holiday in Rome."""
    is_easter_monday = day == easter_sunday(day.year) + _DAY
    is_saint_francis = (day.month, day.day) == _SAINT_FRANCIS and day.year >= _SAINT_FRANCIS_FROM
    return (day.month, day.day) in _FIXED or is_easter_monday or is_saint_francis


def easter_sunday(year: int) -> date:
    """Gregorian Easter Sunday (Meeus/Jones/Butcher)."""
    golden, century, of_century = year % 19, year // 100, year % 100
    leap = century - century // 4 - (century - (century + 8) // 25 + 1) // 3
    moon = (19 * golden + leap + 15) % 30
    weekday = (32 + 2 * (century % 4) + 2 * (of_century // 4) - moon - of_century % 4) % 7
    shift = (golden + 11 * moon + 22 * weekday) // 451
    month, day = divmod(moon + weekday - 7 * shift + 114, 31)
    return date(year, month, day + 1)
