"""The exceptions queue, oldest first."""

from datetime import datetime
from typing import NamedTuple

from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.translation import gettext as _

from casino.backoffice.site.views import show
from casino.backoffice.stuck_work.messages import error_of, next_try_of, reference_of, title_of
from compliance.trail.people import name_of
from payouts.stuck_work.kinds import WorkQuery
from payouts.stuck_work.models import WorkKind
from payouts.stuck_work.permissions import HANDLE
from payouts.stuck_work.queue import position_of, stuck_page
from payouts.stuck_work.steps import OwnerFilter
from payouts.stuck_work.work import StuckWork


class WorkRow(NamedTuple):
    """An item in the list."""

    work: StuckWork
    title: str
    reference: str
    error: str
    owner: str | None
    next_try: str

    @property
    def mark(self) -> str:
        """The value of the checkbox: the item and the latest step."""
        seen = 0 if self.work.step is None else self.work.step.sequence
        return f"{self.work.id.kind.value}:{self.work.id.key}:{seen}"


def show_stuck_work(request: HttpRequest) -> HttpResponse:
    """Items of all kinds or one, filtered by assignee."""
    at, query = timezone.now(), request.GET
    kind, whose = query.get("kind", ""), query.get("whose", "")
    page = stuck_page(
        WorkQuery(
            at,
            [WorkKind(kind)] if kind in WorkKind.values else tuple(WorkKind),
            OwnerFilter(whose) if whose in OwnerFilter.values else None,
            request.user.pk,
        ),
        after=position_of(query.get("after")),
        before=position_of(query.get("before")),
    )
    context = {
        "title": _("Exceptions queue"),
        "at": at,
        "rows": [line_of(work, at=at) for work in page.works],
        "page": page,
        "may_handle": request.user.has_perm(HANDLE),
        "kinds": WorkKind.choices,
        "whose": OwnerFilter.choices,
        "query": {"kind": kind, "whose": whose},
        "here": query_of(kind=kind, whose=whose),
    }
    return show(request, "backoffice/stuck_work/list.html", context)


def line_of(work: StuckWork, *, at: datetime) -> WorkRow:
    """The item as a row."""
    return WorkRow(
        work,
        title_of(work),
        reference_of(work),
        error_of(work),
        None if work.step is None else name_of(work.step.owner),
        next_try_of(work, at=at),
    )


def query_of(**filters: str) -> str:
    """The query string of the valid filters."""
    values = {*WorkKind.values, *OwnerFilter.values}
    return "".join(f"{name}={value}&" for name, value in filters.items() if value in values)
