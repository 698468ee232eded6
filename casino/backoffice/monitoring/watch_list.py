"""All watches as a list, with filters, order and files; the boards show them at a glance."""

from collections.abc import Callable
from decimal import Decimal
from typing import Any, Final, NamedTuple

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.backoffice.lists.columns import Column, Kind
from casino.backoffice.lists.filters import choice_filter, table_filter
from casino.backoffice.lists.list_page import Listing, ListSpec
from casino.backoffice.monitoring.overview import WATCH_LABELS, column_label
from casino.backoffice.site.badges import badge_label
from casino.backoffice.site.views import show
from compliance.monitoring.models import What
from compliance.monitoring.queries import WatchNow, watches_now
from compliance.storage.replica import report_database
from rounds.rules.catalogue import RULE_SETS


class WatchRow(NamedTuple):
    """A watch in the list."""

    watch: WatchNow

    @property
    def label(self) -> str:
        """What it watches."""
        return column_label(self.watch.what, self.watch.kind)


def _figure(name: str) -> Callable[[WatchRow], Decimal | None]:
    """A figure of a bet, rounded for files."""

    def value(row: WatchRow) -> Decimal | None:
        figure = getattr(row.watch.figures, name, None)
        return None if figure is None else round(Decimal(figure), 6)

    return value


LIST: Final = ListSpec(
    name="watches",
    filters=(
        choice_filter(
            "rules", gettext_lazy("Rule set"), lambda: [(name, name) for name in RULE_SETS]
        ),
        table_filter(),
        choice_filter(
            "what",
            gettext_lazy("What"),
            lambda: [(What.RETURN.value, _("Returns")), *WATCH_LABELS.items()],
        ),
        choice_filter(
            "alarm", gettext_lazy("Status"), lambda: [("yes", badge_label("watch-alarm"))]
        ),
    ),
    columns=(
        Column("watch", gettext_lazy("Watch"), lambda row: row.label),
        Column(
            "table",
            gettext_lazy("Table"),
            lambda row: row.watch.table or _("All tables"),
            sort="table",
        ),
        Column(
            "rules",
            gettext_lazy("Rule set"),
            lambda row: row.watch.rules,
            sort="rules",
            is_optional=True,
        ),
        Column("return", gettext_lazy("Return"), _figure("returned"), Kind.COUNT),
        Column(
            "certified",
            gettext_lazy("Certified return"),
            _figure("certified"),
            Kind.COUNT,
            is_optional=True,
        ),
        Column(
            "deviation",
            gettext_lazy("Standard errors"),
            _figure("z"),
            Kind.COUNT,
            is_optional=True,
        ),
        Column(
            "rounds", gettext_lazy("Rounds"), lambda row: row.watch.rounds, Kind.COUNT, "rounds"
        ),
        Column(
            "alarm",
            gettext_lazy("Status"),
            lambda row: badge_label("watch-alarm") if row.watch.in_alarm else "",
        ),
    ),
)


def show_watches(request: HttpRequest) -> HttpResponse:
    """The watches with their figures since the start."""
    listing = Listing(LIST, request)
    watches: list[WatchNow] = []
    if listing.form.is_valid():
        found = watches_now(database=report_database())
        watches = [watch for watch in found if _fits(watch, listing)]
    if listing.sort:
        field, is_descending = listing.order
        watches.sort(key=lambda watch: _place(getattr(watch, field)), reverse=is_descending)
    rows = list(map(WatchRow, watches))
    if file := listing.file(rows, list):
        return file
    context = {
        "title": _("Watches"),
        "parent": {"title": _("Monitoring"), "address": reverse("monitor")},
        **listing.context(rows),
    }
    return show(request, "backoffice/monitoring/watches.html", context)


def _fits(watch: WatchNow, listing: Listing) -> bool:
    wanted = {name: listing.form.value(name) for name in ("rules", "table", "what")}
    fits = all(getattr(watch, name) == value for name, value in wanted.items() if value)
    return fits and (watch.in_alarm or not listing.form.value("alarm"))


def _place(value: Any) -> tuple[bool, Any]:
    """A key of the order, in which nothing comes first."""
    return value is not None, value
