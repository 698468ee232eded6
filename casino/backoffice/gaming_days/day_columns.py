"""The filters and columns of the list of gaming days."""

from collections.abc import Callable
from typing import Any, Final

from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from casino.backoffice.gaming_days.day_list import DayRange
from casino.backoffice.lists.columns import Column, Kind
from casino.backoffice.lists.filters import FilterForm, choice_filter, day_filters
from casino.backoffice.lists.list_page import ListSpec
from casino.backoffice.site.badges import badge_label


def _figure(name: str) -> Callable[[Any], object]:
    return lambda line: line.figures[name]


def _at_closing(name: str) -> Callable[[Any], object]:
    return lambda line: line.figures[name] if line.closing else None


DAYS: Final = ListSpec(
    name="days",
    live="day",
    filters=(
        choice_filter(
            "state",
            _("Status"),
            (
                ("closed", pgettext_lazy("day", "Closed")),
                ("open", pgettext_lazy("day", "Not closed")),
            ),
        ),
        *day_filters("day"),
    ),
    columns=(
        Column("day", _("Day"), lambda line: line.day, Kind.DAY),
        Column("status", _("Status"), lambda line: badge_label(line.state)),
        Column(
            "settled",
            _("Rounds settled"),
            _figure("rounds_settled"),
            Kind.COUNT,
            is_optional=True,
        ),
        Column("void", _("Void rounds"), _figure("void_rounds"), Kind.COUNT, is_optional=True),
        Column("staked", _("Staked"), _figure("staked_cents"), Kind.MONEY),
        Column("open", _("Open stakes"), _figure("open_cents"), Kind.MONEY),
        Column("earlier", _("From earlier days"), _figure("earlier_cents"), Kind.MONEY),
        Column("paid", _("Paid"), _figure("payout_cents"), Kind.MONEY),
        Column("win", _("Gross win"), _figure("gross_win_cents"), Kind.MONEY),
        Column("held", _("Held"), _at_closing("held_rounds"), Kind.COUNT),
        Column(
            "corrections",
            _("Corrections"),
            _at_closing("corrections"),
            Kind.COUNT,
            is_optional=True,
        ),
        Column(
            "closed",
            pgettext_lazy("day", "Closed"),
            lambda line: line.closing.closed_at if line.closing else None,
            Kind.MOMENT,
            is_optional=True,
        ),
    ),
)


def range_of(form: FilterForm) -> DayRange:
    """The days that the filters select."""
    state = form.value("state")
    return DayRange(
        form.value("from"), form.value("to"), None if state is None else state == "closed"
    )
