"""A list as a page and as a file, from its declaration and the request."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final
from urllib.parse import urlencode

from django.contrib import messages
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.formats import number_format
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from casino.access.current_user import request_user
from casino.backoffice.lists.background_files import (
    MAKE_TASK,
    TooManyFiles,
    job_of,
    record_download,
    request_file,
)
from casino.backoffice.lists.columns import Column, headings_of, order_of, shown_columns
from casino.backoffice.lists.files import (
    CONTENT_TYPES,
    MOST_BACKGROUND_ROWS,
    MOST_ROWS,
    LinesOf,
    in_chunks,
    list_file,
)
from casino.backoffice.lists.filters import Filter, FilterForm
from casino.backoffice.lists.models import ListFile, SavedView
from casino.backoffice.lists.saved_views import views_of
from casino.backoffice.security.step_up import step_up_to_download
from casino.backoffice.site.actions import warn_broker_unavailable
from casino.backoffice.site.form_data import actor_in
from casino.backoffice.site.keyset_paging import KeysetPage, ordered, page_of
from casino.backoffice.site.views import show
from rounds.wake_workers import notify_workers

_PLACES: Final = ("before", "after", "bets_before", "format")
"""Parameters that say which part of a list is shown, not which list."""


@dataclass(frozen=True, kw_only=True)
class ListSpec:
    """The declaration of a list.

    ``name`` names its files and saved views. ``sort`` is the order unless the user chooses one: the
    name of a column that can be ordered, with ``-`` for descending; empty for newest first.
    ``live`` are the kinds of topics that change its rows (``casino.live.topics``).
    """

    name: str
    columns: Sequence[Column]
    filters: Sequence[Filter] = ()
    sort: str = ""
    live: str = ""


class Listing:
    """A list as one request asks for it."""

    def __init__(self, spec: ListSpec, request: HttpRequest) -> None:
        self.spec, self.request = spec, request
        self.form = FilterForm(spec.filters, request.GET)
        self.sort, self.order = order_of(spec.columns, request.GET, default=spec.sort)
        self.shown = shown_columns(spec.columns, request.GET)

    @property
    def file_format(self) -> str:
        """The file asked for; empty for a page, and for filters that are not valid."""
        wanted = self.request.GET.get("format", "")
        return wanted if wanted in CONTENT_TYPES and self.form.is_valid() else ""

    def page(self, rows: QuerySet[Any]) -> KeysetPage:
        """The page of the rows that match."""
        return page_of(self.form.applied_to(rows), self.request.GET, self.order)

    def file(
        self, rows: Iterable[Any], lines_of: LinesOf, *, may_be_long: bool = True
    ) -> HttpResponse | None:
        """The file of these rows if one is asked for; for many rows the page of files.

        A worker makes the file of many rows, unless it must not be long: then it is None, with a
        message. Downloads need a recent second factor and are recorded: who took which rows out
        of Sabot.
        """
        if not self.file_format:
            return None
        if job := job_of(self.request):
            job(self.shown, rows, lines_of)
            return HttpResponse()
        if way := step_up_to_download(self.request):
            return way
        found = list(islice(rows, MOST_ROWS + 1))
        if len(found) <= MOST_ROWS:
            record_download(self._wanted(), rows=len(found), actor=actor_in(self.request))
            lines = in_chunks(found, lines_of)
            return list_file(self.shown, lines, name=self.spec.name, file_format=self.file_format)
        if may_be_long:
            return self._file_in_background()
        problem = _("More than %(most)s rows match. Narrow the filters; no file was written.")
        most = number_format(MOST_ROWS, force_grouping=True)
        messages.error(self.request, problem % {"most": most})
        return None

    def file_of(self, rows: QuerySet[Any], lines_of: LinesOf) -> HttpResponse | None:
        """The file of the rows that match, in the order of the page."""
        if not self.file_format:
            return None
        matching = ordered(self.form.applied_to(rows), self.order)
        most = MOST_BACKGROUND_ROWS if job_of(self.request) else MOST_ROWS
        return self.file(matching[: most + 1], lines_of)

    def _file_in_background(self) -> HttpResponse | None:
        """Ask a worker for the file; the page that shows its progress."""
        try:
            request_file(self._wanted(), at=timezone.now())
        except TooManyFiles:
            messages.error(
                self.request, _("Your other files are still being created. Wait for one of them.")
            )
            return None
        if not notify_workers(MAKE_TASK):
            warn_broker_unavailable(self.request)
        return redirect("list_files")

    def _wanted(self) -> ListFile:
        """The file that is asked for, not stored."""
        return ListFile(
            owner=request_user(self.request),
            list_name=self.spec.name,
            path=self.request.path_info,
            query=_query(self.request.GET).removesuffix("&"),
            file_format=self.file_format,
            language=get_language() or "",
        )

    def context(self, lines: Iterable[Any]) -> dict[str, Any]:
        """What the template of a list needs, ``lines`` being those of the page."""
        rows = list(lines)
        headings = headings_of(self.spec.columns, self.shown, sort=self.sort, lines=rows)
        hidden = [n for n, heading in enumerate(headings, 1) if not heading.is_shown]
        return {
            "rows": rows,
            "headings": headings,
            "hidden_columns": " ".join(f"hide-{number}" for number in hidden),
            "has_totals": any(heading.total is not None for heading in headings),
            "filters": self.form,
            "is_filtered": self.form.is_filtered,
            "is_newest_first": self.sort in ("", self.spec.sort) and self.order.field == "pk",
            "sort": self.request.GET.get("sort", ""),
            "chosen_columns": self.request.GET.getlist("columns"),
            "query": self.request.GET,
            "here": _query(self.request.GET),
            "unsorted": _query(self.request.GET, "sort"),
            "most_rows": MOST_ROWS,
            "list_name": self.spec.name,
            "live": self.spec.live,
            "saved_views": self._views(),
            "kept": _kept(self.request.GET, "columns"),
        }

    def _views(self) -> list[tuple[SavedView, bool]]:
        """The saved views, and whether each is the one shown."""
        here = _query(self.request.GET).removesuffix("&")
        views = views_of(self.spec.name, request_user(self.request))
        return [(view, view.query == here) for view in views]


def show_list(
    request: HttpRequest,
    spec: ListSpec,
    rows: QuerySet[Any],
    template: str,
    context: dict[str, Any],
    *,
    lines_of: LinesOf = list,
) -> HttpResponse:
    """The page of a list, or its file. ``lines_of`` makes the lines of a part of the rows."""
    listing = Listing(spec, request)
    if file := listing.file_of(rows, lines_of):
        return file
    page = listing.page(rows)
    lines = listing.context(lines_of(list(page.rows)))
    return show(request, template, {**lines, "page": page, **context})


def _query(query: QueryDict, *without: str) -> str:
    """The query string without the place in the list; ``&`` at its end if it is not empty."""
    kept = urlencode(_kept(query, *without))
    return f"{kept}&" if kept else ""


def _kept(query: QueryDict, *without: str) -> list[tuple[str, str]]:
    """The parameters that have a value, without the place in the list."""
    left_out = {*_PLACES, *without}
    return [
        (name, value)
        for name, values in query.lists()
        for value in values
        if value and name not in left_out
    ]
