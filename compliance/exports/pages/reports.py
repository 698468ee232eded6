"""The standing reports on pages: the first rows of what a bundle of them would hold."""

from collections.abc import Callable, Mapping
from datetime import date, timedelta
from decimal import Decimal
from typing import Any, Final

from django import forms
from django.db import OperationalError
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import localize
from django.utils.functional import Promise
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from compliance.exports.encoders.copying import ordered
from compliance.exports.pages.words import ASK
from compliance.exports.registers.register import Column, ColumnType, Register
from compliance.exports.reports import REPORTS
from compliance.exports.reports.alterations import ALTERATIONS
from compliance.exports.reports.game_performance import GAME_PERFORMANCE
from compliance.exports.reports.large_wins import LARGE_WINS
from compliance.exports.reports.significant_events import SIGNIFICANT_EVENTS
from compliance.exports.scope import GAMES, STANDING_REPORTS, Scope, snapshot
from compliance.replica import report_database
from payouts.pages.own_pages import show
from payouts.pages.words import action_words
from payouts.templatetags.sabot import moment
from rounds.gaming_day import gaming_day
from rounds.models import Table
from rounds.storage import milliseconds_of
from rounds.wording import NONE, count, kind_words, money

_MOST_ROWS: Final = 100
_MOST_DAYS: Final = 31
_PATIENCE: Final = "8s"
_A_WEEK: Final = timedelta(days=6)
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
        "reason": gettext_lazy("Why"),
    },
    ALTERATIONS.key: {
        "at": gettext_lazy("When"),
        "action": gettext_lazy("What"),
        "subject": gettext_lazy("About"),
        "field": gettext_lazy("Field"),
        "before": gettext_lazy("Before"),
        "after": gettext_lazy("After"),
        "before_cents": gettext_lazy("Before, €"),
        "after_cents": gettext_lazy("After, €"),
        "actor": gettext_lazy("Who"),
        "approved_by": gettext_lazy("Approved by"),
        "reason": gettext_lazy("Why"),
    },
}
"""The columns that a page shows, in this order; a bundle has all of them."""


class ReportForm(forms.Form):
    """Of which days, of which game and table."""

    first_day = forms.DateField(
        label=gettext_lazy("First gaming day"),
        widget=forms.DateInput({"type": "date"}, "%Y-%m-%d"),
    )
    last_day = forms.DateField(
        label=gettext_lazy("Last gaming day"),
        widget=forms.DateInput({"type": "date"}, "%Y-%m-%d"),
    )
    game = forms.ChoiceField(
        label=gettext_lazy("Game"),
        required=False,
        choices=[("", "—"), *((one, one) for one in GAMES)],
    )
    table = forms.ModelChoiceField(
        Table.objects.all(),
        label=gettext_lazy("Table"),
        required=False,
        to_field_name="code",
        empty_label="—",
    )

    def clean(self) -> dict[str, Any]:
        """Days in their order; a page shows a month at most."""
        asked = super().clean() or {}
        first, last = asked.get("first_day"), asked.get("last_day")
        if first and last and last < first:
            self.add_error("last_day", _("This is before the first day."))
        elif first and last and (last - first).days >= _MOST_DAYS:
            message = _("A page shows %(most)s days at most; a bundle holds a year.")
            self.add_error("last_day", message % {"most": _MOST_DAYS})
        return asked


def show_report(request: HttpRequest, key: str) -> HttpResponse:
    """One report of some days: a week unless others are asked for."""
    report = _report(key)
    form = ReportForm(request.GET if "first_day" in request.GET else _last_week())
    lines: list[list[tuple[str, str]]] | None = []
    if form.is_valid():
        lines = _lines(report, _scope(form.cleaned_data))
    context = {
        "title": capfirst(_(report.title)),
        "parent": {"title": _("AAMS exports"), "address": reverse("exports")},
        "report": report,
        "reports": REPORTS,
        "form": form,
        "columns": [(_HEADINGS[key][one.name], _kind(one)) for one in _shown_columns(report)],
        "is_too_long": lines is None,
        "rows": (lines or [])[:_MOST_ROWS],
        "is_cut": lines is not None and len(lines) > _MOST_ROWS,
        "most": _MOST_ROWS,
        "may_ask": request.user.has_perm(ASK),
        "asked": f"contents={STANDING_REPORTS}&{request.GET.urlencode()}",
    }
    return show(request, "pages/exports/report.html", context)


def _report(key: str) -> Register:
    for one in REPORTS:
        if one.key == key:
            return one
    raise Http404


def _last_week() -> dict[str, str]:
    today: date = gaming_day(milliseconds_of(timezone.now()))
    return {"first_day": str(today - _A_WEEK), "last_day": str(today)}


def _scope(asked: Mapping[str, Any]) -> Scope:
    table = "" if asked["table"] is None else asked["table"].code
    days = asked["first_day"], asked["last_day"]
    return Scope(*days, asked["game"], table, contents=STANDING_REPORTS)


def _lines(report: Register, of: Scope) -> list[list[tuple[str, str]]] | None:
    """The first rows as words, each cell with its kind; None where it takes too long for a page."""
    columns = _shown_columns(report)
    names = ", ".join(f'line."{one.name}"' for one in columns)
    try:
        with snapshot(of, database=report_database()) as seen:
            seen.connection.execute(f"SET LOCAL statement_timeout = '{_PATIENCE}'".encode())
            rows = seen.rows(f"{ordered(report, names)} LIMIT {_MOST_ROWS + 1}")
    except OperationalError:
        return None
    return [
        [(_shown(one, value), _kind(one)) for one, value in zip(columns, row, strict=True)]
        for row in rows
    ]


def _shown_columns(report: Register) -> list[Column]:
    by_name = {one.name: one for one in report.columns}
    return [by_name[name] for name in _HEADINGS[report.key]]


def _kind(column: Column) -> str:
    """The class of a column's cells."""
    return "num" if column.type in _NUMBERS else "wrap breaks"


def _shown(column: Column, value: Any) -> str:  # noqa: ANN401  whatever the database gives
    if value is None:
        return NONE
    return _BY_NAME.get(column.name, _BY_TYPE.get(column.type, str))(value)


def _percent(per_million: int) -> str:
    return f"{localize(Decimal(per_million).scaleb(-4))} %"


def _times(thousandths: int) -> str:
    return f"\N{MULTIPLICATION SIGN} {localize(Decimal(thousandths).scaleb(-3))}"


def _yes(value: int) -> str:
    return _("yes") if value else _("no")


_BY_NAME: Final[Mapping[str, Callable[[Any], str]]] = {
    "declared_return": _percent,
    "actual_return": _percent,
    "return_difference": _percent,
    "multiplier_thousandths": _times,
    "corrected": _yes,
    "action": action_words,
    "kind": kind_words,
    "kinds": lambda kinds: ", ".join(map(kind_words, kinds.split())),
}
_BY_TYPE: Final[Mapping[ColumnType, Callable[[Any], str]]] = {
    ColumnType.CENTS: money,
    ColumnType.INTEGER: count,
    ColumnType.TIME: lambda at: moment(at, "s"),
}
