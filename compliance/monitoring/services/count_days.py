"""Counting the days whose rounds have changed, each in a transaction of its own."""

from collections.abc import Callable
from datetime import date
from typing import Final

from django.db import transaction
from django.db.models import Model

from compliance.monitoring.counting.bets import count_bets
from compliance.monitoring.counting.bonus import count_bonus
from compliance.monitoring.counting.cards import count_cards
from compliance.monitoring.counting.settled import (
    changed_days,
    final_until,
    is_counted,
    keys_of,
    settlements_of,
    take_settled,
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
from rounds.services.intake import lock_names

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
    """Counts every day whose settlements are not all in its figures; gives how many it counted.

    A day is counted whole or not at all, by one worker at a time; what others counted meanwhile is
    left. Whoever is killed leaves the days before as they are.
    """
    final = final_until()
    counted = 0
    for day in changed_days():
        if count_day(day):
            counted += 1
            after_each(day)
    if final is not None:
        CountedBooks.objects.get_or_create(booked_on=final)
    return counted


def count_day(day: date, *, anew: bool = False) -> bool:
    """Takes a day's figures out and counts it as its rounds now stand; False where they stood.

    ``anew`` counts it even so.
    """
    keys = keys_of(day)
    with transaction.atomic():
        lock_names([f"monitoring:{day}"])
        # First how many, then what: a settlement in between has the day counted once more.
        settlements = settlements_of(keys)
        if is_counted(day, settlements) and not anew:
            return False
        for figures in _FIGURES:
            figures._default_manager.filter(day=day).delete()  # noqa: SLF001  Django's
        take_settled(keys)
        count_bets(day, keys)
        count_cards(day, keys)
        count_bonus(day, keys)
        count_voids(day)
        CountedDay.objects.bulk_create(
            CountedDay(day=day, booked_on=booked_on, settlements=number)
            for booked_on, number in settlements.items()
        )
    return True
