"""The list of rounds: a search box and filters, without a count."""

from datetime import datetime
from functools import partial
from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from casino.access.current_user import request_user
from casino.backoffice.cases.messages import PROPOSE
from casino.backoffice.comments.panel import comments_context
from casino.backoffice.disputes.messages import OPEN as OPEN_DISPUTE
from casino.backoffice.lists.filters import midnight_of
from casino.backoffice.lists.list_page import Listing, ListSpec
from casino.backoffice.replay_links.make_link import MAKE as MAKE_LINK
from casino.backoffice.rounds.amount_search import all_rounds_by_amount, rounds_by_amount
from casino.backoffice.rounds.archived_round import RoundUnavailable, archived_round_context
from casino.backoffice.rounds.held_rounds import assignees, assignment_context, owned_by
from casino.backoffice.rounds.round_columns import (
    FEW,
    FEW_ROUNDS,
    HELD_ROUNDS,
    ROUNDS,
    ROUNDS_OF_AMOUNT,
    RoundRow,
)
from casino.backoffice.rounds.round_page import round_context
from casino.backoffice.rounds.videos import restrict_media, video_context
from casino.backoffice.site.keyset_paging import KeysetPage, key_of
from casino.backoffice.site.read_only_admin import ReadOnlyAdmin
from compliance.exports.verification_file import is_page_installed
from compliance.storage.partitions import month_of_key
from payouts.settlement.queries import RoundStatus, settlement_statuses
from payouts.stuck_work.models import WorkKind
from payouts.stuck_work.permissions import HANDLE
from payouts.stuck_work.steps import latest_steps
from rounds.amounts import parse_unambiguous_amount
from rounds.models import Round
from rounds.search import detached_rounds, end_id, first_id


@admin.register(Round)
class RoundAdmin(ReadOnlyAdmin):
    """Rounds, newest first."""

    list_template = "backoffice/rounds/rounds.html"
    page_template = "backoffice/rounds/round.html"
    related = ("table",)

    def rows(self, request: HttpRequest) -> QuerySet[Any]:
        """All rounds; held ones optionally of one owner."""
        rows, whose = super().rows(request), request.GET.get("whose", "")
        if request.GET.get("status") != RoundStatus.HELD or not whose:
            return rows
        return owned_by(rows, whose, reader=request_user(request))

    def spec_for(self, request: HttpRequest) -> ListSpec:
        """Held, waiting and void rounds are few and can be ordered by more columns."""
        if _amount_of(Listing(ROUNDS, request)) is not None:
            return ROUNDS_OF_AMOUNT
        if request.GET.get("status") == RoundStatus.HELD:
            return HELD_ROUNDS
        return FEW_ROUNDS if request.GET.get("status") in FEW else ROUNDS

    def changelist_view(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """The list. Redirects if the search matches one round."""
        listing = Listing(ROUNDS, request)
        text = listing.form.value("q")
        is_name = text and parse_unambiguous_amount(text) is None and set(request.GET) == {"q"}
        if is_name and self.has_view_permission(request):
            matching = listing.form.applied_to(self.rows(request))
            ids = list(matching.values_list("id", flat=True)[:2]) or detached_rounds(text)
            if len(ids) == 1:
                return redirect("admin:rounds_round_change", ids[0])
        return super().changelist_view(request, extra_context)

    def get_page(self, request: HttpRequest, listing: Listing) -> tuple[KeysetPage, dict[str, Any]]:
        """A page of the filtered rounds, or of those with an amount."""
        cents = _amount_of(listing)
        if cents is None:
            return super().get_page(request, listing)
        among = listing.form.applied_to(self.rows(request))
        return rounds_by_amount(cents, among=among, ids=_ids_of(listing), query=request.GET)

    def get_file(self, request: HttpRequest, listing: Listing) -> HttpResponse | None:
        """The file of the filtered rounds, or of those with an amount in the searched range."""
        cents = _amount_of(listing)
        if cents is None:
            return super().get_file(request, listing)
        among = listing.form.applied_to(self.rows(request))
        rows = all_rounds_by_amount(cents, among=among, ids=_ids_of(listing), query=request.GET)
        return listing.file(rows, self.lines, may_be_long=False)

    def lines(self, rows: list[Any]) -> list[RoundRow]:
        """Each round with its status, and a held one with its latest assignment."""
        statuses = settlement_statuses([row.id for row in rows])
        held = [key for key, status in statuses.items() if status.status is RoundStatus.HELD]
        steps = latest_steps(WorkKind.ROUND, held)
        return [RoundRow(row, statuses[row.id], steps.get(row.id)) for row in rows]

    def list_context(self, request: HttpRequest, rows: list[Any]) -> dict[str, Any]:
        """Of held rounds the owners, and the form for who may assign several at once."""
        if request.GET.get("status") != RoundStatus.HELD:
            return {}
        may_handle = request.user.has_perm(HANDLE)
        return {
            "title": _("Held rounds"),
            "shows_owner": True,
            "may_select": may_handle,
            "people": assignees() if may_handle else (),
        }

    def change_view(
        self,
        request: HttpRequest,
        object_id: str,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        """The page of a round, which plays videos of the configured origins only."""
        return restrict_media(super().change_view(request, object_id, form_url, extra_context))

    def missing_page(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """The page of a round of the archive, or why it cannot be shown."""
        round_id = key_of(Round, object_id)
        month = None if round_id is None else month_of_key(round_id)
        if month is None:
            return super().missing_page(request, object_id)
        try:
            context = archived_round_context(round_id, month, partial(self.page_context, request))
        except RoundUnavailable as error:
            context = {"title": _("Round not in the database"), "error": error, "id": round_id}
            answer = self.render(request, "backoffice/rounds/unavailable_round.html", context)
            answer.status_code = error.status
            return answer
        return self.render(request, self.page_template, context)

    def page_context(self, request: HttpRequest, row: Any) -> dict[str, Any]:
        """The page of a round."""
        return {
            **round_context(row, bets_after=request.GET.get("bets_after")),
            **assignment_context(row, request_user(request)),
            **comments_context(request, "round", row.pk),
            **video_context(request, row),
            "may_propose": request.user.has_perm(PROPOSE),
            "may_make_link": request.user.has_perm(MAKE_LINK),
            "has_verification_page": is_page_installed(),
            "may_dispute": request.user.has_perm(OPEN_DISPUTE),
        }


def _amount_of(listing: Listing) -> int | None:
    """The amount searched, typed as such or in the search box."""
    form = listing.form
    if not form.is_valid():
        return None
    cents: int | None = form.cleaned_data["amount"]
    return parse_unambiguous_amount(form.cleaned_data["q"]) if cents is None else cents


def _ids_of(listing: Listing) -> tuple[Any, Any]:
    """The first id within the days of the filters, and the first one after them."""
    start: datetime | None = midnight_of(listing.form.value("from"))
    end: datetime | None = midnight_of(listing.form.value("to"), days_later=1)
    return first_id(start) if start else None, end_id(end) if end else None
