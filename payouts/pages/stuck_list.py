"""The list of stuck work: everything that stands still, the oldest first."""

from datetime import datetime
from typing import NamedTuple

from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.translation import gettext as _

from payouts.models import WorkKind
from payouts.pages.own_pages import show
from payouts.pages.stuck_words import error_of, next_try_of, reference_of, title_of
from payouts.stuck.kinds import Asked
from payouts.stuck.people import HANDLE, name_of
from payouts.stuck.queue import position_of, stuck_page
from payouts.stuck.steps import Whose
from payouts.stuck.work import StuckWork


class Line(NamedTuple):
    """A piece of stuck work as a line of the list."""

    work: StuckWork
    title: str
    reference: str
    error: str
    owner: str | None
    next_try: str

    @property
    def mark(self) -> str:
        """The line as a form names it: the work, and what was seen of it."""
        seen = 0 if self.work.step is None else self.work.step.sequence
        return f"{self.work.id.kind.value}:{self.work.id.key}:{seen}"


def show_stuck_work(request: HttpRequest) -> HttpResponse:
    """Stuck work of all kinds or of one, everybody's, one's own, or nobody's."""
    at, asked = timezone.now(), request.GET
    kind, whose = asked.get("kind", ""), asked.get("whose", "")
    page = stuck_page(
        Asked(
            at,
            [WorkKind(kind)] if kind in WorkKind.values else tuple(WorkKind),
            Whose(whose) if whose in Whose.values else None,
            request.user.pk,
        ),
        after=position_of(asked.get("after")),
        before=position_of(asked.get("before")),
    )
    context = {
        "title": _("Stuck work"),
        "at": at,
        "rows": [line_of(work, at=at) for work in page.works],
        "page": page,
        "may_handle": request.user.has_perm(HANDLE),
        "kinds": WorkKind.choices,
        "whose": Whose.choices,
        "asked": {"kind": kind, "whose": whose},
        "here": query_of(kind=kind, whose=whose),
    }
    return show(request, "pages/stuck/list.html", context)


def line_of(work: StuckWork, *, at: datetime) -> Line:
    """The work in words."""
    return Line(
        work,
        title_of(work),
        reference_of(work),
        error_of(work),
        None if work.step is None else name_of(work.step.owner),
        next_try_of(work, at=at),
    )


def query_of(**filters: str) -> str:
    """The filters that are set, ready to be continued; each is one of ours or is not set."""
    known = {*WorkKind.values, *Whose.values}
    return "".join(f"{name}={value}&" for name, value in filters.items() if value in known)
