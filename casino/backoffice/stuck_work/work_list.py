"""The exceptions queue, oldest first."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Final, NamedTuple

from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.backoffice.lists.columns import Column, Kind
from casino.backoffice.lists.files import CHUNK
from casino.backoffice.lists.filters import choice_filter
from casino.backoffice.lists.list_page import Listing, ListSpec
from casino.backoffice.site.views import show
from casino.backoffice.stuck_work.messages import error_of, next_try_of, reference_of, title_of
from compliance.trail.people import name_of
from payouts.stuck_work.kinds import WorkQuery
from payouts.stuck_work.models import WorkKind
from payouts.stuck_work.permissions import HANDLE
from payouts.stuck_work.queue import StuckPage, position_of, stuck_page
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


LIST: Final = ListSpec(
    name="exceptions",
    live="exception round",
    filters=(
        choice_filter(
            "kind", gettext_lazy("What"), WorkKind.choices, empty=gettext_lazy("Everything")
        ),
        choice_filter(
            "whose", gettext_lazy("Assignee"), OwnerFilter.choices, empty=gettext_lazy("Anyone")
        ),
    ),
    columns=(
        Column("item", gettext_lazy("Item"), lambda line: line.title),
        Column("kind", gettext_lazy("Kind"), lambda line: line.work.id.kind.label),
        Column("since", gettext_lazy("Since"), lambda line: line.work.since, Kind.MOMENT),
        Column("attempts", gettext_lazy("Attempts"), lambda line: line.work.tries, Kind.COUNT),
        Column("error", gettext_lazy("Last error"), lambda line: line.error),
        Column("owner", gettext_lazy("Assigned to"), lambda line: line.owner),
        Column("next", gettext_lazy("Next attempt"), lambda line: line.next_try, is_optional=True),
    ),
)


def show_stuck_work(request: HttpRequest) -> HttpResponse:
    """Items of all kinds or one, filtered by assignee."""
    at, listing = timezone.now(), Listing(LIST, request)
    kind, whose = listing.form.value("kind"), listing.form.value("whose")
    query = WorkQuery(
        at,
        [WorkKind(kind)] if kind else tuple(WorkKind),
        OwnerFilter(whose) if whose else None,
        request.user.pk,
    )

    def lines(works: Sequence[StuckWork]) -> list[WorkRow]:
        return [line_of(work, at=at) for work in works]

    if file := listing.file(_all_works(query), lines):
        return file
    page = StuckPage([], None, None)
    if listing.form.is_valid():
        after, before = (position_of(request.GET.get(name)) for name in ("after", "before"))
        page = stuck_page(query, after=after, before=before)
    may_handle = request.user.has_perm(HANDLE)
    context = {
        "title": _("Exceptions queue"),
        "at": at,
        "page": page,
        "may_handle": may_handle,
        "may_select": may_handle,
        **listing.context(lines(page.works)),
    }
    return show(request, "backoffice/stuck_work/list.html", context)


def _all_works(query: WorkQuery) -> Iterator[StuckWork]:
    """The items of all pages."""
    page = stuck_page(query, size=CHUNK)
    yield from page.works
    while page.later is not None:
        page = stuck_page(query, after=page.later, size=CHUNK)
        yield from page.works


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
