"""Counts days whose rounds have changed, one transaction per day."""

from collections.abc import Callable
from datetime import date
from typing import Final

from django.db import transaction
from django.db.models import Model

from compliance.monitoring.counting.bets import count_bets
from compliance.monitoring.counting.bonus import count_bonus
from compliance.monitoring.counting.cards import count_cards
from compliance.monitoring.counting.settled_rounds import (
    changed_days,
    create_settled_table,
    is_counted,
    keys_of,
    last_closed_day,
    settlement_counts,
)
from compliance.monitoring.counting.voids import count_voids
from compliance.monitoring.models import (
    CountedBooks,
    CountedDay,
    DailyCards,
    DailyEvidence,
    DailyOccurrence,
    DailyOutcome,
    DailyReturn,
    DailyVoids,
)
from compliance.monitoring.services.count_hours import count_hours_of
from compliance.storage.advisory_locks import lock_names

_FIGURES: Final[tuple[type[Model], ...]] = (
    DailyCards,
    DailyEvidence,
    DailyOccurrence,
    DailyOutcome,
    DailyReturn,
    DailyVoids,
    CountedDay,
)


def count_days(*, after_each: Callable[[date], None] = lambda _day: None) -> int:
    """Counts every day with uncounted settlements; returns the number of counted days.

    A day is counted in one transaction, by one worker at a time. Days that another worker counted
    meanwhile are skipped.
    """
    final = last_closed_day()
    counted = 0
    for day in changed_days():
        if count_day(day):
            counted += 1
            count_hours_of(day)
            after_each(day)
    if final is not None:
        CountedBooks.objects.get_or_create(booked_on=final)
    return counted


def count_day(day: date, *, force: bool = False) -> bool:
    """Replaces the figures of a day; returns False if they are current.

    ``force`` recounts current figures as well.
    """
    keys = keys_of(day)
    with transaction.atomic():
        lock_names([f"monitoring:{day}"])
        # Counted before reading: a settlement in between causes another recount.
        settlements = settlement_counts(keys)
        if is_counted(day, settlements) and not force:
            return False
        for figures in _FIGURES:
            figures._default_manager.filter(day=day).delete()
        create_settled_table(keys)
        count_bets(day, keys)
        count_cards(day, keys)
        count_bonus(day, keys)
        count_voids(day)
        CountedDay.objects.bulk_create(
            CountedDay(day=day, booked_on=booked_on, settlements=number)
            for booked_on, number in settlements.items()
        )
    return True
