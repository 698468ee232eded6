"""Cards, bonuses and void rounds of a table, compared with chance."""

from collections.abc import Sequence
from itertools import groupby
from typing import Any, Final, NamedTuple

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.backoffice.monitoring.overview import ENOUGH, window_choices, window_of
from casino.backoffice.site.views import show
from compliance.monitoring.models import DailyOccurrence
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
from compliance.storage.replica import report_database
from rounds.rules.cards import RANKS, SUITS
from rounds.rules.catalogue import RULE_SETS

_NONE: Final = "none"
"""A round without a bonus, as ``DailyOccurrence`` names it; most rounds have none."""
_TONES: Final = (3.0, 2.0, 1.0)
FREQUENCY_LABELS: Final[dict[str, str | Promise]] = {
    DailyOccurrence.Of.LEVEL: gettext_lazy("Levels of the bonus"),
    DailyOccurrence.Of.POINTS: gettext_lazy("Fire Blaze points"),
    DailyOccurrence.Of.GRID: gettext_lazy("Multipliers of the bonus grid"),
    DailyOccurrence.Of.MULTIPLIER_CARD: gettext_lazy("Multiplier cards"),
}


class CardCell(NamedTuple):
    """A card on the board of 52."""

    card: CardCount
    tone: str
    """``more-2``, ``less-1``: direction and minimum number of standard errors."""


class Occurrence(NamedTuple):
    """Observed and expected frequency; widths are percentages."""

    frequency: Frequency
    share: float | None
    expected_share: float | None
    width: float
    expected_width: float

    @property
    def is_drawn(self) -> bool:
        """Whether it has a bar; rounds without a bonus would dwarf the others."""
        return self.frequency.name != _NONE


class Occurrences(NamedTuple):
    """All frequencies of one kind."""

    label: str
    is_histogram: bool
    """Whether there are enough values for a histogram instead of a table."""
    all: list[Occurrence]

    @property
    def step(self) -> float:
        """Width of a value in a chart of 1,000."""
        return 1000 / len(self.all)


def show_dealt(request: HttpRequest, name: str) -> HttpResponse:
    """The page of a rule set, or of one of its tables."""
    if name not in RULE_SETS:
        raise Http404
    database = report_database()
    watches = [watch for watch in watches_now(database=database) if watch.rules == name]
    tables = sorted({watch.table for watch in watches if watch.table})
    table = request.GET.get("table") or None
    if table is not None and table not in tables:
        raise Http404
    window_name = request.GET.get("window", "start")
    window = window_of(window_name, until=watches[0].last_day) if watches else SINCE_START
    cards = card_counts(table, name, window, database=database)
    voids = [
        rate
        for rate in void_rates(window, database=database)
        if rate.rules == name and table in {None, rate.table}
    ]
    context: dict[str, Any] = {
        "title": _("Cards, bonus and voids"),
        "parent": {"title": _("Monitoring"), "address": reverse("monitor")},
        "game": RULE_SETS[name].game,
        "rules": name,
        "table": table,
        "tables": tables,
        "query": window_name,
        "windows": window_choices(window_name),
        "cards": cards,
        "ranks": list(RANKS),
        "suits": suits_of(cards.cards),
        "occurrences": occurrences_of(
            bonus_counts(table, name, window, database=database), RULE_SETS[name].bonus_levels
        ),
        "voids": [(rate, void_split(rate)) for rate in voids],
        "enough": ENOUGH,
    }
    return show(request, "backoffice/monitoring/table.html", context)


def suits_of(cards: tuple[CardCount, ...]) -> list[tuple[str, list[CardCell]]]:
    """The cells of each suit, by rank."""
    by_card = {card.card: card for card in cards}
    return [
        (suit, [CardCell(by_card[rank + suit], tone_of(by_card[rank + suit].z)) for rank in RANKS])
        for suit in SUITS
        if by_card
    ]


def tone_of(z: float) -> str:
    """Direction and standard errors of a card; empty below one."""
    tendency = "more" if z > 0 else "less"
    return next((f"{tendency}-{errors:g}" for errors in _TONES if abs(z) >= errors), "")


def occurrences_of(frequencies: list[Frequency], levels: Sequence[str]) -> list[Occurrences]:
    """Frequencies by kind; levels in the order of the sheet."""
    order = [_NONE, *levels]
    ordered = sorted(
        frequencies,
        key=lambda frequency: (
            list(FREQUENCY_LABELS).index(frequency.of),
            order.index(frequency.name) if frequency.of == DailyOccurrence.Of.LEVEL else 0,
        ),
    )
    return [
        Occurrences(
            str(FREQUENCY_LABELS[of]), of == DailyOccurrence.Of.POINTS, _occurrences(list(group))
        )
        for of, group in groupby(ordered, key=lambda frequency: frequency.of)
    ]


def void_split(voids: VoidRate) -> tuple[float, float]:
    """Percentages of void rounds in favour of and against the house."""
    judged = voids.void_rounds - voids.void_not_judged
    if not judged:
        return 0.0, 0.0
    return 100 * voids.void_house_lost / judged, 100 * voids.void_house_won / judged


def _occurrences(group: list[Frequency]) -> list[Occurrence]:
    drawn = [frequency for frequency in group if frequency.name != _NONE]
    most = (
        max((max(frequency.times, frequency.expected or 0) for frequency in drawn), default=0) or 1
    )
    return [
        Occurrence(
            frequency,
            frequency.times / frequency.total if frequency.total else None,
            frequency.expected / frequency.total
            if frequency.expected is not None and frequency.total
            else None,
            min(100 * frequency.times / most, 100.0),
            min(100 * (frequency.expected or 0) / most, 100.0),
        )
        for frequency in group
    ]
