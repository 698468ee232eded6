"""The retention period, and the months that may be archived."""

from datetime import date
from typing import Final, NamedTuple

from django.db.models import Q

from compliance.retention.legal_holds import holds_in_force
from compliance.storage.partitions import Month, months_of
from payouts.gaming_days.exceptions import UnsignedClosing
from payouts.gaming_days.models import DayClosing
from payouts.gaming_days.verify_closing import require_last_closing

YEARS: Final = 5
"""The retention period that the licence requires, at least."""
_ROUNDS: Final = "rounds_round"
_MARGIN: Final = 1
"""Months around one that must be over too: gaming days are in Europe/Rome, partitions in UTC, and
late rounds are booked on later days."""


class MonthRetention(NamedTuple):
    """A month, and why it may not be archived; an empty reason if it may."""

    month: Month
    reason: str


def month_retentions(today: date) -> list[MonthRetention]:
    """Every month that has rounds, and why it may not be archived."""
    return [MonthRetention(month, why_retained(month, today)) for month in months_of(_ROUNDS)]


def why_retained(month: Month, today: date) -> str:
    """Why a month may not be taken out of the database; empty if it may."""
    ends = date(*month.plus(1 + _MARGIN), 1)
    begins = date(*month.plus(-_MARGIN), 1)
    if ends.replace(year=ends.year + YEARS) > today:
        return f"younger than {YEARS} years"
    held = holds_in_force().filter(Q(last_day=None) | Q(last_day__gte=begins), first_day__lt=ends)
    if held.exists():
        return f"held: {', '.join(map(str, held))}"
    return why_not_closed(ends)


def why_not_closed(last_day: date) -> str:
    """Why not every day until this one is closed; empty if every one is."""
    try:
        require_last_closing()
    except UnsignedClosing as error:
        return str(error)
    last = DayClosing.objects.order_by("-day").values_list("day", flat=True).first()
    return "" if last is not None and last >= last_day else "its days are not closed"
