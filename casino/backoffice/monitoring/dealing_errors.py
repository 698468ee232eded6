"""The rounds with errors, and the comparison of one dealer."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final, NamedTuple

from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from casino.backoffice.lists.columns import Column, Kind
from casino.backoffice.lists.filters import choice_filter, table_filter, text_filter, time_filters
from casino.backoffice.lists.list_page import Listing, ListSpec, show_list
from casino.backoffice.monitoring.dealers import DealerRow, scope_of
from compliance.monitoring.dealer_rates import By, TableErrors, error_rates
from compliance.monitoring.models import DealingError
from compliance.storage.replica import report_database
from rounds.models import Table
from rounds.search import end_id, first_id

KIND_LABELS: Final[dict[str, str | Promise]] = {
    "malfunction": gettext_lazy("Malfunction"),
    "is_void": gettext_lazy("Void"),
    "is_implausible": pgettext_lazy("round", "Implausible"),
    "is_corrected": gettext_lazy("Corrected facts"),
}
"""The flags of ``DealingError``."""


class ErrorRow(NamedTuple):
    """A round with an error in the list."""

    error: DealingError

    @property
    def kinds(self) -> str:
        """What was wrong."""
        return ", ".join(
            str(label) for flag, label in KIND_LABELS.items() if getattr(self.error, flag)
        )


class TableRow(NamedTuple):
    """A dealer's errors at one table, compared with those of everybody there."""

    table: str
    rules: str
    errors: TableErrors

    @property
    def expected(self) -> float:
        """Errors, if everybody made as many at this table."""
        own, rounds, errors = self.errors.stratum
        return own * errors / rounds


def _of_dealer(rows: QuerySet[Any], dealer: str) -> QuerySet[Any]:
    return rows.filter(dealer=dealer)


def _of_shift(rows: QuerySet[Any], shift: str) -> QuerySet[Any]:
    return rows.filter(shift=shift)


def _of_kind(rows: QuerySet[Any], flag: str) -> QuerySet[Any]:
    return rows.filter(**{flag: True})


def _since(rows: QuerySet[Any], at: datetime) -> QuerySet[Any]:
    return rows.filter(round_id__gte=first_id(at))


def _until(rows: QuerySet[Any], at: datetime) -> QuerySet[Any]:
    return rows.filter(round_id__lt=end_id(at))


ERRORS: Final = ListSpec(
    name="dealing_errors",
    filters=(
        text_filter("dealer", pgettext_lazy("person", "Dealer"), _of_dealer),
        choice_filter("kind", gettext_lazy("What"), KIND_LABELS.items(), _of_kind),
        *time_filters("hour", since=_since, until=_until),
        table_filter(),
        text_filter("shift", gettext_lazy("Shift"), _of_shift),
    ),
    columns=(
        Column("code", gettext_lazy("Game code"), lambda row: row.error.round.game_code),
        Column("table", gettext_lazy("Table"), lambda row: row.error.table.code),
        Column("rules", gettext_lazy("Rule set"), lambda row: row.error.rules, is_optional=True),
        Column(
            "opened",
            gettext_lazy("Opened"),
            lambda row: row.error.round.opened_at,
            Kind.MOMENT,
            "pk",
        ),
        Column("what", gettext_lazy("What"), lambda row: row.kinds),
        Column("dealer", pgettext_lazy("person", "Dealer"), lambda row: row.error.dealer),
        Column("shift", gettext_lazy("Shift"), lambda row: row.error.shift),
        Column(
            "location", gettext_lazy("Location"), lambda row: row.error.location, is_optional=True
        ),
        Column(
            "round", gettext_lazy("Round"), lambda row: row.error.round.reference, is_optional=True
        ),
    ),
    sort="-opened",
)


def show_errors(request: HttpRequest) -> HttpResponse:
    """The rounds with errors; if one dealer is chosen, with the comparison."""
    form, database = Listing(ERRORS, request).form, report_database()
    dealer, scope = form.value("dealer"), scope_of(form)
    rates = error_rates(By.DEALER, scope, database=database) if dealer else []
    rate = next((rate for rate in rates if rate.name == dealer), None)
    codes = dict(Table.objects.values_list("pk", "code")) if rate else {}
    context = {
        "title": _("Dealer %(code)s") % {"code": dealer} if dealer else _("Rounds with errors"),
        "parent": {"title": _("Dealers"), "address": reverse("dealers")},
        "scope": scope,
        "line": rate and DealerRow(rate),
        "tables": [TableRow(codes[table.table_id], table.rules, table) for table in rate.tables]
        if rate
        else [],
    }
    errors = DealingError.objects.using(database).select_related("round", "table")
    return show_list(
        request,
        ERRORS,
        errors,
        "backoffice/monitoring/dealing_errors.html",
        context,
        lines_of=_lines_of,
    )


def _lines_of(errors: Sequence[DealingError]) -> list[ErrorRow]:
    return list(map(ErrorRow, errors))
