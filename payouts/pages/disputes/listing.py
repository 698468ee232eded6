"""The list of disputes: by where they stand, what is overdue, what somebody has taken."""

from datetime import datetime
from typing import Final

from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.translation import gettext as _

from payouts.disputes.queries import (
    disputes_in,
    disputes_taken_by,
    open_disputes,
    overdue_disputes,
)
from payouts.disputes.standing import Standing, State, standings_of
from payouts.models import Dispute
from payouts.pages.own_pages import person_of, show
from payouts.pages.paging import page_of

ALL: Final = "all"


def show_disputes(request: HttpRequest) -> HttpResponse:
    """Open disputes, or those in a state, all, overdue ones or one's own; newest first."""
    which, mine = request.GET.get("which", ""), request.GET.get("mine", "")
    now = timezone.now()
    rows = _asked(which, now)
    if mine:
        rows = rows.filter(pk__in=disputes_taken_by(person_of(request).pk).values("pk"))
    page = page_of(
        rows.select_related("customer", "round__table"),
        before=request.GET.get("before"),
        after=request.GET.get("after"),
    )
    context = {
        "title": _("Disputes"),
        "rows": _lines(list(page.rows), now),
        "page": page,
        "states": State.choices,
        "asked": {"which": which, "mine": mine},
        "here": f"which={which}&mine={mine}&" if which in _CHOICES else f"mine={mine}&",
    }
    return show(request, "pages/disputes/list.html", context)


_CHOICES: Final = (ALL, "overdue", *State.values)


def _asked(which: str, now: datetime) -> QuerySet[Dispute]:
    if which == ALL:
        return Dispute.objects.all()
    if which == "overdue":
        return overdue_disputes(now)
    return disputes_in(State(which)) if which in State.values else open_disputes()


def _lines(disputes: list[Dispute], now: datetime) -> list[tuple[Dispute, Standing, str]]:
    """Each with where it stands, and the colour of its due date."""
    standings = standings_of(disputes)
    return [(one, standings[one.pk], due_colour(standings[one.pk], now)) for one in disputes]


def due_colour(standing: Standing, now: datetime) -> str:
    """Red for overdue, amber for its last working day, none for time enough."""
    if standing.is_overdue(now):
        return "red"
    remind_at = standing.latest.remind_at
    return "amber" if remind_at is not None and remind_at <= now else ""
