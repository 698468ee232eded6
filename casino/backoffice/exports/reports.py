"""Standard reports as pages: the first rows of each."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date, timedelta
from fractions import Fraction
from typing import Any, Final

from django import forms
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from psycopg.errors import QueryCanceled

from casino.backoffice.exports.alteration_values import field_label, value_text
from casino.backoffice.exports.messages import ASK, error_message
from casino.backoffice.feed.rejection_texts import translate_reason
from casino.backoffice.site.actor_labels import actor_label
from casino.backoffice.site.form_fields import DaysForm
from casino.backoffice.site.views import show
from compliance.exports.encoders.copy_stream import ordered
from compliance.exports.registers.register import Column, ColumnType, Register
from compliance.exports.reports import REPORTS
from compliance.exports.reports.alterations import ALTERATIONS
from compliance.exports.reports.game_performance import GAME_PERFORMANCE
from compliance.exports.reports.large_wins import LARGE_WINS
from compliance.exports.reports.significant_events import SIGNIFICANT_EVENTS
from compliance.exports.scope import COMPLIANCE_REPORTS, GAMES, DaysDetached, Scope, snapshot
from compliance.storage.replica import report_database
from compliance.trail.action_labels import action_label
from rounds.formatting import (
    NONE,
    bet_kind_label,
    count,
    format_decimal,
    moment,
    money,
    percent,
)
from rounds.gaming_day import gaming_day
from rounds.models import Table
from rounds.row_mapping import milliseconds_of

_MOST_ROWS: Final = 100
_MOST_DAYS: Final = 31
_TIMEOUT: Final = "8s"
_A_WEEK: Final = timedelta(days=6)
_VALUES: Final = ("before", "after")
_NUMBERS: Final = (ColumnType.CENTS, ColumnType.INTEGER)
_HEADINGS: Final[Mapping[str, Mapping[str, str | Promise]]] = {
    GAME_PERFORMANCE.key: {
        "rules": gettext_lazy("Rule set"),
        "table": gettext_lazy("Table"),
        "kind": gettext_lazy("Bet"),
        "rounds": gettext_lazy("Rounds"),
        "bets": gettext_lazy("Bets"),
        "void_bets": gettext_lazy("Void bets"),
        "staked_cents": gettext_lazy("Staked"),
        "open_cents": gettext_lazy("Open stakes"),
        "refunded_cents": gettext_lazy("Refunded"),
        "winnings_cents": gettext_lazy("Winnings"),
        "difference_cents": gettext_lazy("Difference"),
        "declared_return": gettext_lazy("Declared return"),
        "actual_return": gettext_lazy("Actual return"),
        "return_difference": gettext_lazy("Deviation"),
    },
    LARGE_WINS.key: {
        "settled_at": gettext_lazy("Settled"),
        "table": gettext_lazy("Table"),
        "round": gettext_lazy("Round"),
        "customer": gettext_lazy("Customer"),
        "kinds": gettext_lazy("Bet"),
        "bets": gettext_lazy("Bets"),
        "staked_cents": gettext_lazy("Staked"),
        "winnings_cents": gettext_lazy("Paid"),
        "won_cents": gettext_lazy("Won"),
        "multiplier_thousandths": gettext_lazy("Multiplier"),
        "corrected": gettext_lazy("Corrected later"),
    },
    SIGNIFICANT_EVENTS.key: {
        "at": gettext_lazy("When"),
        "action": gettext_lazy("What"),
        "subject": gettext_lazy("About"),
        "actor": gettext_lazy("Who"),
        "approved_by": gettext_lazy("Approved by"),
        "reason": gettext_lazy("Reason"),
    },
    ALTERATIONS.key: {
        "at": gettext_lazy("When"),
        "action": gettext_lazy("What"),
        "subject": gettext_lazy("About"),
        "field": gettext_lazy("Field"),
        "before": gettext_lazy("Before"),
        "after": gettext_lazy("After"),
        "actor": gettext_lazy("Who"),
        "approved_by": gettext_lazy("Approved by"),
        "reason": gettext_lazy("Reason"),
    },
}
"""The columns of the page, in order; a bundle contains all columns."""


class ReportForm(DaysForm):
    """Days, game and table of a report."""

    game = forms.ChoiceField(
        label=gettext_lazy("Game"),
        required=False,
        choices=[("", "—"), *((game, game) for game in GAMES)],
    )
    table = forms.ModelChoiceField(
        Table.objects.all(),
        label=gettext_lazy("Table"),
        required=False,
        to_field_name="code",
        empty_label="—",
    )

    def check_length(self, first: date, last: date) -> None:
        """One month at most."""
        if (last - first).days >= _MOST_DAYS:
            message = _("A report covers up to %(most)s days; a bundle covers up to one year.")
            self.add_error("last_day", message % {"most": _MOST_DAYS})


def show_report(request: HttpRequest, key: str) -> HttpResponse:
    """A report, by default of the last week."""
    report = _report(key)
    form = ReportForm(request.GET if "first_day" in request.GET else _last_week())
    lines: list[list[tuple[str, str]]] | None = []
    if form.is_valid():
        try:
            lines = _lines(report, _scope(form.cleaned_data))
        except DaysDetached as error:
            form.add_error("first_day", error_message(error))
    context = {
        "title": capfirst(_(report.title)),
        "parent": {"title": _("ADM (formerly AAMS) exports"), "address": reverse("exports")},
        "report": report,
        "reports": REPORTS,
        "form": form,
        "columns": [
            (_HEADINGS[key][column.name], _css_class(column)) for column in _shown_columns(report)
        ],
        "is_too_long": lines is None,
        "rows": (lines or [])[:_MOST_ROWS],
        "is_cut": lines is not None and len(lines) > _MOST_ROWS,
        "most": _MOST_ROWS,
        "may_ask": request.user.has_perm(ASK),
        "query": f"contents={COMPLIANCE_REPORTS}&{request.GET.urlencode()}",
    }
    return show(request, "backoffice/exports/report.html", context)


def _report(key: str) -> Register:
    for report in REPORTS:
        if report.key == key:
            return report
    raise Http404


def _last_week() -> dict[str, str]:
    today: date = gaming_day(milliseconds_of(timezone.now()))
    return {"first_day": str(today - _A_WEEK), "last_day": str(today)}


def _scope(scope: Mapping[str, Any]) -> Scope:
    table = "" if scope["table"] is None else scope["table"].code
    days = scope["first_day"], scope["last_day"]
    return Scope(*days, scope["game"], table, contents=COMPLIANCE_REPORTS)


def _lines(report: Register, of: Scope) -> list[list[tuple[str, str]]] | None:
    """The first rows as text, each cell with its CSS class; None if the query takes too long."""
    columns = _shown_columns(report)
    names = ", ".join(f'line."{column.name}"' for column in columns)
    try:
        with snapshot(of, database=report_database()) as database:
            database.connection.execute(f"SET LOCAL statement_timeout = '{_TIMEOUT}'".encode())
            rows = database.rows(f"{ordered(report, names)} LIMIT {_MOST_ROWS + 1}")
    except QueryCanceled:
        return None
    classes = [_css_class(column) for column in columns]
    return [list(zip(_row_texts(columns, row), classes, strict=True)) for row in rows]


def _shown_columns(report: Register) -> list[Column]:
    by_name = {column.name: column for column in report.columns}
    return [by_name[name] for name in _HEADINGS[report.key]]


def _css_class(column: Column) -> str:
    """The CSS classes of a column."""
    return "num" if column.type in _NUMBERS else "wrap break-anywhere"


def _row_texts(columns: Sequence[Column], row: Sequence[Any]) -> Iterator[str]:
    """The cells of a row. In an alteration the field decides how its values are written."""
    field = next(
        (value for column, value in zip(columns, row, strict=True) if column.name == "field"), ""
    )
    for column, value in zip(columns, row, strict=True):
        if column.name in _VALUES and value is not None:
            yield value_text(field, value)
        else:
            yield _cell_text(column, value)


def _cell_text(column: Column, value: Any) -> str:
    if value is None:
        return NONE
    return _BY_NAME.get(column.name, _BY_TYPE.get(column.type, str))(value)


def _percent(per_million: int) -> str:
    return percent(Fraction(per_million, 1_000_000))


def _times(thousandths: int) -> str:
    return f"\N{MULTIPLICATION SIGN} {format_decimal(Fraction(thousandths, 1000))}"


def _yes(value: int) -> str:
    return _("yes") if value else _("no")


_BY_NAME: Final[Mapping[str, Callable[[Any], str]]] = {
    "declared_return": _percent,
    "actual_return": _percent,
    "return_difference": _percent,
    "multiplier_thousandths": _times,
    "corrected": _yes,
    "action": action_label,
    "actor": actor_label,
    "reason": translate_reason,
    "field": field_label,
    "kind": bet_kind_label,
    "kinds": lambda kinds: ", ".join(map(bet_kind_label, kinds.split())),
}
_BY_TYPE: Final[Mapping[ColumnType, Callable[[Any], str]]] = {
    ColumnType.CENTS: money,
    ColumnType.INTEGER: count,
    ColumnType.TIME: lambda at: moment(at, "s"),
}
