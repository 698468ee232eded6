"""The list of rounds: one box to search, four filters, no count."""

from datetime import date, datetime, time, timedelta
from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone

from payouts.pages.amount_list import found_by_amount
from payouts.pages.cases.words import PROPOSE
from payouts.pages.disputes.words import OPEN as OPEN_DISPUTE
from payouts.pages.fact_admin import FactAdmin
from payouts.pages.paging import KeysetPage
from payouts.pages.round_page import round_context
from payouts.queries import RoundStatus, rounds_standing, standings_of
from rounds.amounts import amount_meant, amount_of
from rounds.models import Round, Table
from rounds.search import end_id, first_id, opened_before, opened_from, rounds_found

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
        text = self.asked(request, "q")
        is_name = text and amount_meant(text) is None and set(request.GET) == {"q"}
        if is_name and self.has_view_permission(request):
            found = list(self.rows(request).values_list("id", flat=True)[:2])
            if len(found) == 1:
                return redirect("admin:rounds_round_change", found[0])
        return super().changelist_view(request, extra_context)

    def rows(self, request: HttpRequest) -> QuerySet[Round]:
        """The rounds that were searched for, within the filters; an amount is no filter yet."""
        rows = super().rows(request)
        asked = request.GET
        text = self.asked(request, "q")
        if text and amount_meant(text) is None:
            rows = rounds_found(text, among=rows)
        if table := self.asked(request, "table"):
            rows = rows.filter(table__in=_table_ids(table))
        if asked.get("status") in RoundStatus.values:
            rows = rounds_standing(rows, RoundStatus(asked["status"]))
        start, end = _days_of(request)
        if start:
            rows = opened_from(start, among=rows)
        if end:
            rows = opened_before(end, among=rows)
        return rows

    def found(self, request: HttpRequest) -> tuple[KeysetPage, dict[str, Any]]:
        """The page of what the filters leave, or of what an amount finds among that."""
        cents = amount_meant(self.asked(request, "q"))
        if text := self.asked(request, "amount"):
            cents = amount_of(text) or 0  # what is no amount finds nothing
        if cents is None:
            return super().found(request)
        start, end = _days_of(request)
        ids = first_id(start) if start else None, end_id(end) if end else None
        return found_by_amount(cents, among=self.rows(request), ids=ids, asked=request.GET)

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
        return {
            **round_context(row, bets_after=request.GET.get("bets_after")),
            "may_propose": request.user.has_perm(PROPOSE),
            "may_dispute": request.user.has_perm(OPEN_DISPUTE),
        }


def _table_ids(code: str) -> list[int]:
    """Looked up first: the planner then knows how many rounds the table has."""
    return list(Table.objects.filter(code=code).values_list("id", flat=True))


def _days_of(request: HttpRequest) -> tuple[datetime | None, datetime | None]:
    """When the days that were asked for begin and have ended, None where none was named."""
    asked = request.GET
    return midnight_of(asked.get("from")), midnight_of(asked.get("to"), days_later=1)


def midnight_of(text: str | None, *, days_later: int = 0) -> datetime | None:
    """The start of a day in Rome, of that day or a later one; None for what is no day."""
    try:
        day = date.fromisoformat(text or "") + days_later * _DAY
    except (ValueError, OverflowError):
        return None
    return timezone.make_aware(datetime.combine(day, time()))
