"""The list of disputes, filtered by state, due date or assignee."""

from datetime import datetime
from typing import Final

from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.translation import gettext as _

from casino.access.current_user import request_user
from casino.backoffice.disputes.terms import terms_context
from casino.backoffice.site.keyset_paging import page_of
from casino.backoffice.site.views import show
from payouts.disputes.models import Dispute
from payouts.disputes.queries import disputes_in, disputes_taken_by, open_disputes, overdue_disputes
from payouts.disputes.status import DisputeStatus, State, dispute_statuses

ALL: Final = "all"


def show_disputes(request: HttpRequest) -> HttpResponse:
    """Disputes that are open, overdue, assigned to the user, in a state, or all; newest first."""
    which, mine = request.GET.get("which", ""), request.GET.get("mine", "")
    now = timezone.now()
    rows = _filters(which, now)
    if mine:
        rows = rows.filter(pk__in=disputes_taken_by(request_user(request).pk).values("pk"))
    page = page_of(rows.select_related("customer", "round__table"), request.GET)
    context = {
        "title": _("Disputes"),
        "rows": _lines(list(page.rows), now),
        "page": page,
        "states": State.choices,
        "query": {"which": which, "mine": mine},
        **terms_context(request),
        "here": f"which={which}&mine={mine}&" if which in _CHOICES else f"mine={mine}&",
    }
    return show(request, "backoffice/disputes/list.html", context)


_CHOICES: Final = (ALL, "overdue", *State.values)


def _filters(which: str, now: datetime) -> QuerySet[Dispute]:
    if which == ALL:
        return Dispute.objects.all()
    if which == "overdue":
        return overdue_disputes(now)
    return disputes_in(State(which)) if which in State.values else open_disputes()


def _lines(disputes: list[Dispute], now: datetime) -> list[tuple[Dispute, DisputeStatus, str]]:
    """Each dispute with its status and the colour of its due date."""
    statuses = dispute_statuses(disputes)
    return [
        (dispute, statuses[dispute.pk], due_colour(statuses[dispute.pk], now))
        for dispute in disputes
    ]


def due_colour(status: DisputeStatus, now: datetime) -> str:
    """Red if overdue, amber on the last working day, else empty."""
    if status.is_overdue(now):
        return "red"
    remind_at = status.latest.remind_at
    return "amber" if remind_at is not None and remind_at <= now else ""
