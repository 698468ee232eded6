"""Error rates by dealer, shift or location, compared with chance."""

from collections.abc import Callable
from dataclasses import replace
from datetime import date, timedelta
from decimal import Decimal
from operator import attrgetter
from typing import Final, NamedTuple

from django.http import HttpRequest, HttpResponse
from django.utils import formats, timezone
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext_lazy

from casino.backoffice.lists.columns import Column, Kind
from casino.backoffice.lists.filters import (
    FilterForm,
    choice_filter,
    day_filters,
    table_filter,
    text_filter,
)
from casino.backoffice.lists.list_page import Listing, ListSpec
from casino.backoffice.site.badges import badge_label
from casino.backoffice.site.views import show
from compliance.monitoring.dealer_rates import By, ErrorRate, Scope, error_rates
from compliance.monitoring.statistics.error_rates import LEAST_ROUNDS
from compliance.storage.replica import report_database
from rounds.formatting import count
from rounds.rules.catalogue import RULE_SETS, game_of

_DAYS: Final = 30
"""Days that are compared unless others are chosen."""
_MOST_ONE_IN: Final = 1_000_000
_WHOLE: Final = 10
"""From here on a number of two digits has no decimals."""


class DealerRow(NamedTuple):
    """A dealer, shift or location in the list."""

    rate: ErrorRate

    @property
    def name(self) -> str:
        """The code of the feed."""
        return self.rate.name or _("not stated")

    @property
    def state(self) -> str:
        """The name of its badge."""
        if not self.rate.is_compared:
            return "errors-few"
        return "errors-above" if self.rate.is_above else "errors-normal"

    @property
    def by_chance(self) -> str:
        """Of how many comparisons one shows so many errors; empty if they are not more."""
        return "" if self.rate.chance is None else one_in(self.rate.chance)

    @property
    def sentence(self) -> str:
        """The comparison in words."""
        return comparison_of(self.rate)


def _count_of(name: str) -> Callable[[DealerRow], object]:
    return lambda row: getattr(row.rate.counts, name)


def _rounded(value: float | None, places: int) -> Decimal | None:
    return None if value is None else round(Decimal(value), places)


_LABELS: Final[dict[By, str | Promise]] = {
    By.DEALER: pgettext_lazy("person", "Dealer"),
    By.SHIFT: gettext_lazy("Shift"),
    By.LOCATION: gettext_lazy("Location"),
}
_DEALERS: Final = ListSpec(
    name="dealers",
    filters=(
        choice_filter(
            "by",
            gettext_lazy("Compare"),
            ((By.SHIFT, gettext_lazy("Shifts")), (By.LOCATION, gettext_lazy("Locations"))),
            empty=gettext_lazy("Dealers"),
        ),
        *day_filters("hour"),
        table_filter(),
        choice_filter(
            "game",
            gettext_lazy("Game"),
            lambda: [(game, game) for game in sorted({rules.game for rules in RULE_SETS.values()})],
        ),
        text_filter("shift", gettext_lazy("Shift")),
    ),
    columns=(
        Column("name", _LABELS[By.DEALER], lambda row: row.name, sort="rate.name"),
        Column(
            "rounds", gettext_lazy("Rounds"), _count_of("rounds"), Kind.COUNT, "rate.counts.rounds"
        ),
        Column(
            "errors",
            gettext_lazy("Dealing errors"),
            _count_of("errors"),
            Kind.COUNT,
            "rate.counts.errors",
        ),
        Column(
            "expected",
            gettext_lazy("Expected"),
            lambda row: _rounded(row.rate.expected, 2),
            Kind.COUNT,
            "rate.expected",
        ),
        Column(
            "rate",
            gettext_lazy("Per 1,000 rounds"),
            lambda row: _rounded(row.rate.per_thousand, 3),
            Kind.COUNT,
            "rate.per_thousand",
        ),
        Column(
            "chance",
            gettext_lazy("By chance 1 in"),
            lambda row: round(1 / row.rate.chance) if row.rate.chance else None,
            Kind.COUNT,
        ),
        Column("assessment", gettext_lazy("Assessment"), lambda row: badge_label(row.state)),
        Column(
            "malfunctions",
            gettext_lazy("Malfunctions"),
            _count_of("malfunctions"),
            Kind.COUNT,
            is_optional=True,
        ),
        Column(
            "void",
            gettext_lazy("Void rounds"),
            _count_of("void_rounds"),
            Kind.COUNT,
            is_optional=True,
        ),
        Column(
            "implausible",
            gettext_lazy("Implausible"),
            _count_of("implausible"),
            Kind.COUNT,
            is_optional=True,
        ),
        Column(
            "corrected",
            gettext_lazy("Corrected facts"),
            _count_of("corrected"),
            Kind.COUNT,
            is_optional=True,
        ),
    ),
)


def show_dealers(request: HttpRequest) -> HttpResponse:
    """The dealers, shifts or locations of a span, the least likely first."""
    by = _by_in(request)
    spec = replace(
        _DEALERS, columns=(replace(_DEALERS.columns[0], label=_LABELS[by]), *_DEALERS.columns[1:])
    )
    listing = Listing(spec, request)
    scope = scope_of(listing.form)
    rows: list[DealerRow] = []
    if listing.form.is_valid():
        rows = list(map(DealerRow, error_rates(by, scope, database=report_database())))
    if listing.sort:
        field, is_descending = listing.order
        rows.sort(key=attrgetter(field), reverse=is_descending)
    if file := listing.file(rows, list):
        return file
    context = {
        "title": _("Dealers"),
        "by": by.value,
        "scope": scope,
        "above": [row for row in rows if row.rate.is_above],
        "compared": sum(row.rate.is_compared for row in rows),
        "least_rounds": LEAST_ROUNDS,
        "is_stated": any(row.rate.name for row in rows),
        **listing.context(rows),
    }
    return show(request, "backoffice/monitoring/dealers.html", context)


def scope_of(form: FilterForm) -> Scope:
    """The rounds that the filters select; the last days unless both ends are chosen."""
    last = form.value("to") or timezone.localdate()
    first = form.value("from") or _days_before(last)
    game = form.value("game") if "game" in form.fields else None
    rules = None if game is None else [name for name in RULE_SETS if game_of(name) == game]
    return Scope(first, last, form.value("table"), rules, form.value("shift"))


def comparison_of(rate: ErrorRate) -> str:
    """The comparison as a supervisor reads it: what was seen, expected, and how rare it is."""
    errors = rate.counts.errors
    seen = ngettext(
        "%(errors)s error in %(rounds)s rounds; %(expected)s expected.",
        "%(errors)s errors in %(rounds)s rounds; %(expected)s expected.",
        errors,
    ) % {
        "errors": count(errors),
        "rounds": count(rate.counts.rounds),
        "expected": _decimals(rate.expected, 1),
    }
    if not rate.is_compared:
        meaning = _("Too few rounds for a comparison.")
    elif rate.chance is None:
        meaning = _("Not more than the others at the same tables.")
    else:
        rare = _("Would be seen by chance once in %(number)s such comparisons.")
        meaning = rare % {"number": one_in(rate.chance)}
    return f"{seen} {meaning}"


def one_in(chance: float) -> str:
    """Of how many comparisons one has this chance: ``1,900``, in two significant digits."""
    if chance * _MOST_ONE_IN < 1:
        return _("over %(number)s") % {"number": count(_MOST_ONE_IN)}
    number = float(f"{1 / chance:.2g}")
    return count(round(number)) if number >= _WHOLE else _decimals(number, 1)


def _decimals(value: float, places: int) -> str:
    return formats.number_format(f"{value:.{places}f}", decimal_pos=places)


def _days_before(last: date) -> date:
    return last - timedelta(days=min(_DAYS - 1, last.toordinal() - 1))


def _by_in(request: HttpRequest) -> By:
    by = request.GET.get("by", "")
    return By(by) if by in set(By) else By.DEALER
