"""The list of rounds: one box to search, three filters, no count."""

from datetime import date, datetime, time, timedelta
from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone

from payouts.pages.fact_admin import FactAdmin
from payouts.pages.round_page import round_context
from payouts.queries import RoundStatus, rounds_standing, standings_of
from rounds.models import Round, Table
from rounds.search import opened_before, opened_from, rounds_found

_DAY = timedelta(days=1)


@admin.register(Round)
class RoundAdmin(FactAdmin):
    """Rounds, newest play first."""

    list_template = "pages/rounds.html"
    page_template = "pages/round.html"
    related = ("table",)

    def changelist_view(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """The list; a search that finds one round opens it."""
        if request.GET.get("q") and set(request.GET) == {"q"} and self.has_view_permission(request):
            found = list(self.rows(request).values_list("id", flat=True)[:2])
            if len(found) == 1:
                return redirect("admin:rounds_round_change", found[0])
        return super().changelist_view(request, extra_context)

    def rows(self, request: HttpRequest) -> QuerySet[Round]:
        """The rounds that were searched for, within the filters."""
        rows = super().rows(request)
        asked = request.GET
        if text := self.asked(request, "q"):
            rows = rounds_found(text, among=rows)
        if table := self.asked(request, "table"):
            rows = rows.filter(table__in=_table_ids(table))
        if asked.get("status") in RoundStatus.values:
            rows = rounds_standing(rows, RoundStatus(asked["status"]))
        if start := midnight_of(asked.get("from")):
            rows = opened_from(start, among=rows)
        if end := midnight_of(asked.get("to"), days_later=1):
            rows = opened_before(end, among=rows)
        return rows

    def list_context(self, request: HttpRequest, rows: list[Any]) -> dict[str, Any]:
        """Each round with its standing, and what the filters offer."""
        standings = standings_of([row.id for row in rows])
        return {
            "rows": [(row, standings[row.id]) for row in rows],
            "tables": Table.objects.values_list("code", flat=True),
            "statuses": RoundStatus.choices,
            "asked": request.GET,
        }

    def page_context(self, request: HttpRequest, row: Any) -> dict[str, Any]:  # noqa: ANN401  a Round
        """Everything about a round."""
        return round_context(row, bets_after=request.GET.get("bets_after"))


def _table_ids(code: str) -> list[int]:
    """Looked up first: the planner then knows how many rounds the table has."""
    return list(Table.objects.filter(code=code).values_list("id", flat=True))


def midnight_of(text: str | None, *, days_later: int = 0) -> datetime | None:
    """The start of a day in Rome, of that day or a later one; None for what is no day."""
    try:
        day = date.fromisoformat(text or "") + days_later * _DAY
    except (ValueError, OverflowError):
        return None
    return timezone.make_aware(datetime.combine(day, time()))
