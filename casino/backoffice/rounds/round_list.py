"""The list of rounds: a search box and four filters, without a count."""

from datetime import date, datetime, time, timedelta
from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _

from casino.backoffice.cases.messages import PROPOSE
from casino.backoffice.disputes.messages import OPEN as OPEN_DISPUTE
from casino.backoffice.rounds.amount_search import rounds_by_amount
from casino.backoffice.rounds.round_page import round_context
from casino.backoffice.site.keyset_paging import KeysetPage, page_of
from casino.backoffice.site.read_only_admin import ReadOnlyAdmin
from payouts.settlement.queries import RoundStatus, rounds_with_status, settlement_statuses
from rounds.amounts import parse_amount, parse_unambiguous_amount
from rounds.models import Round, Table
from rounds.search import end_id, first_id, matching_rounds, opened_before, opened_from

_DAY = timedelta(days=1)


@admin.register(Round)
class RoundAdmin(ReadOnlyAdmin):
    """Rounds, newest first."""

    list_template = "backoffice/rounds/rounds.html"
    page_template = "backoffice/rounds/round.html"
    related = ("table",)

    def changelist_view(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """The list. Redirects if the search matches one round."""
        text = self.query_text(request, "q")
        is_name = text and parse_unambiguous_amount(text) is None and set(request.GET) == {"q"}
        if is_name and self.has_view_permission(request):
            ids = list(self.rows(request).values_list("id", flat=True)[:2])
            if len(ids) == 1:
                return redirect("admin:rounds_round_change", ids[0])
        return super().changelist_view(request, extra_context)

    def rows(self, request: HttpRequest) -> QuerySet[Round]:
        """The rounds within the filters; amounts are handled by ``get_page``."""
        rows = super().rows(request)
        query = request.GET
        text = self.query_text(request, "q")
        if text and parse_unambiguous_amount(text) is None:
            rows = matching_rounds(text, among=rows)
        if table := self.query_text(request, "table"):
            rows = rows.filter(table__in=_table_ids(table))
        if query.get("status") in RoundStatus.values:
            rows = rounds_with_status(rows, RoundStatus(query["status"]))
        start, end = _days_of(request)
        if start:
            rows = opened_from(start, among=rows)
        if end:
            rows = opened_before(end, among=rows)
        return rows

    def get_page(self, request: HttpRequest) -> tuple[KeysetPage, dict[str, Any]]:
        """A page of the filtered rounds, or of those with an amount."""
        cents = parse_unambiguous_amount(self.query_text(request, "q"))
        if text := self.query_text(request, "amount"):
            cents = parse_amount(text)
            if cents is None:
                return page_of(Round.objects.none(), request.GET), {
                    "amount_error": {"found": text, "needed": _("an amount such as 210.00")}
                }
        if cents is None:
            return super().get_page(request)
        start, end = _days_of(request)
        ids = first_id(start) if start else None, end_id(end) if end else None
        return rounds_by_amount(cents, among=self.rows(request), ids=ids, query=request.GET)

    def list_context(self, request: HttpRequest, rows: list[Any]) -> dict[str, Any]:
        """Each round with its status, and the filter options."""
        statuses = settlement_statuses([row.id for row in rows])
        return {
            "rows": [(row, statuses[row.id]) for row in rows],
            "tables": Table.objects.values_list("code", flat=True),
            "statuses": RoundStatus.choices,
            "query": request.GET,
        }

    def page_context(self, request: HttpRequest, row: Any) -> dict[str, Any]:
        """The page of a round."""
        return {
            **round_context(row, bets_after=request.GET.get("bets_after")),
            "may_propose": request.user.has_perm(PROPOSE),
            "may_dispute": request.user.has_perm(OPEN_DISPUTE),
        }


def _table_ids(code: str) -> list[int]:
    """Queried first, so that the planner knows the number of rounds per table."""
    return list(Table.objects.filter(code=code).values_list("id", flat=True))


def _days_of(request: HttpRequest) -> tuple[datetime | None, datetime | None]:
    """The period of the filters; None for a missing end."""
    query = request.GET
    return midnight_of(query.get("from")), midnight_of(query.get("to"), days_later=1)


def midnight_of(text: str | None, *, days_later: int = 0) -> datetime | None:
    """The start in Rome of a day, plus ``days_later``; None if invalid."""
    try:
        day = date.fromisoformat(text or "") + days_later * _DAY
    except (ValueError, OverflowError):
        return None
    return timezone.make_aware(datetime.combine(day, time()))
