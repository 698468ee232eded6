"""What a table dealt: cards against chance, bonuses, void rounds and their direction."""

from collections.abc import Sequence
from itertools import groupby
from typing import Any, Final, NamedTuple

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from compliance.monitoring.models import DailyOccurrence
from compliance.monitoring.pages.overview import ENOUGH, window_choices, window_of
from compliance.monitoring.queries import (
    CardCount,
    Frequency,
    VoidRate,
    bonus_counts,
    card_counts,
    void_rates,
    watches_now,
)
from compliance.monitoring.windows import SINCE_START
from compliance.replica import report_database
from payouts.pages.own_pages import show
from rounds.rules.cards import RANKS, SUITS
from rounds.rules.catalogue import RULE_SETS

_NONE: Final = "none"
"""A round without a bonus, as ``DailyOccurrence`` names it; most rounds are."""
_TONES: Final = (3.0, 2.0, 1.0)
OF_WORDS: Final[dict[str, str | Promise]] = {
    DailyOccurrence.Of.LEVEL: gettext_lazy("Levels of the bonus"),
    DailyOccurrence.Of.POINTS: gettext_lazy("Fire Blaze points"),
    DailyOccurrence.Of.GRID: gettext_lazy("Multipliers of the bonus grid"),
    DailyOccurrence.Of.MULTIPLIER_CARD: gettext_lazy("Multiplier cards"),
}


class CardCell(NamedTuple):
    """A card on the board of 52."""

    card: CardCount
    tone: str
    """``more-2``, ``less-1``: which way it is off and by how many standard errors at least."""


class Occurrence(NamedTuple):
    """How often something came, beside how often it should have; widths are parts of 100."""

    frequency: Frequency
    share: float | None
    expected_share: float | None
    width: float
    expected_width: float

    @property
    def is_drawn(self) -> bool:
        """Whether it has a bar: rounds without a bonus would leave no room for the others."""
        return self.frequency.name != _NONE


class Occurrences(NamedTuple):
    """All that is counted of one kind."""

    words: str
    is_histogram: bool
    """Whether there are so many values in a row that a picture tells them better than rows."""
    all: list[Occurrence]

    @property
    def step(self) -> float:
        """The width of a value's part of a picture of 1,000."""
        return 1000 / len(self.all)


def show_dealt(request: HttpRequest, name: str) -> HttpResponse:
    """The page of a rule set, of one of its tables where the address names one."""
    if name not in RULE_SETS:
        raise Http404
    database = report_database()
    watches = [one for one in watches_now(database=database) if one.rules == name]
    tables = sorted({one.table for one in watches if one.table})
    table = request.GET.get("table") or None
    if table is not None and table not in tables:
        raise Http404
    asked = request.GET.get("window", "start")
    window = window_of(asked, until=watches[0].last_day) if watches else SINCE_START
    cards = card_counts(table, name, window, database=database)
    voids = [
        one
        for one in void_rates(window, database=database)
        if one.rules == name and table in {None, one.table}
    ]
    context: dict[str, Any] = {
        "title": _("Cards, bonus and voids"),
        "parent": {"title": _("Monitor"), "address": reverse("monitor")},
        "game": RULE_SETS[name].game,
        "rules": name,
        "table": table,
        "tables": tables,
        "asked": asked,
        "windows": window_choices(asked),
        "cards": cards,
        "ranks": list(RANKS),
        "suits": suits_of(cards.cards),
        "occurrences": occurrences_of(
            bonus_counts(table, name, window, database=database), RULE_SETS[name].bonus_levels
        ),
        "voids": [(one, way_of(one)) for one in voids],
        "enough": ENOUGH,
    }
    return show(request, "pages/monitor/dealt.html", context)


def suits_of(cards: tuple[CardCount, ...]) -> list[tuple[str, list[CardCell]]]:
    """By suit the cells of its ranks."""
    by_card = {one.card: one for one in cards}
    return [
        (suit, [CardCell(by_card[rank + suit], tone_of(by_card[rank + suit].z)) for rank in RANKS])
        for suit in SUITS
        if by_card
    ]


def tone_of(z: float) -> str:
    """Which way a card is off, and by how many standard errors at least; empty under one."""
    way = "more" if z > 0 else "less"
    return next((f"{way}-{errors:g}" for errors in _TONES if abs(z) >= errors), "")


def occurrences_of(found: list[Frequency], levels: Sequence[str]) -> list[Occurrences]:
    """By what is counted; levels in the order of the sheet, all else as it comes."""
    order = [_NONE, *levels]
    ordered = sorted(
        found,
        key=lambda one: (
            list(OF_WORDS).index(one.of),
            order.index(one.name) if one.of == DailyOccurrence.Of.LEVEL else 0,
        ),
    )
    return [
        Occurrences(str(OF_WORDS[of]), of == DailyOccurrence.Of.POINTS, _occurrences(list(group)))
        for of, group in groupby(ordered, key=lambda one: one.of)
    ]


def way_of(voids: VoidRate) -> tuple[float, float]:
    """Of the void rounds that could be judged, per cent that spared and that cost the house."""
    judged = voids.void_rounds - voids.void_not_judged
    if not judged:
        return 0.0, 0.0
    return 100 * voids.void_house_lost / judged, 100 * voids.void_house_won / judged


def _occurrences(group: list[Frequency]) -> list[Occurrence]:
    drawn = [one for one in group if one.name != _NONE]
    most = max((max(one.times, one.expected or 0) for one in drawn), default=0) or 1
    return [
        Occurrence(
            one,
            one.times / one.total if one.total else None,
            one.expected / one.total if one.expected is not None and one.total else None,
            min(100 * one.times / most, 100.0),
            min(100 * (one.expected or 0) / most, 100.0),
        )
        for one in group
    ]
