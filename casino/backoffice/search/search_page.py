"""The search for everything: a page, and the panel under the search field (Ctrl K)."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.backoffice.cases.messages import LOOK as LOOK_AT_CASES
from casino.backoffice.disputes.messages import LOOK as LOOK_AT_DISPUTES
from casino.backoffice.exports.messages import LOOK as LOOK_AT_EXPORTS
from casino.backoffice.gaming_days.days import LOOK as LOOK_AT_DAYS
from casino.backoffice.search import records
from casino.backoffice.search.commands import find_commands
from casino.backoffice.search.hits import Hit, HitGroup
from casino.backoffice.search.pages import find_pages
from casino.backoffice.site.views import show
from rounds.gaming_day import gaming_day
from rounds.row_mapping import milliseconds_of

_LONGEST: Final = 200
_Find = Callable[[str], list[Hit]]


def show_search(request: HttpRequest) -> HttpResponse:
    """What matches ``?q=``, with ``?panel`` without the page around it.

    Redirects if one page matches. Shows nothing that the person may not see.
    """
    text = request.GET.get("q", "").replace("\0", "\N{REPLACEMENT CHARACTER}").strip()[:_LONGEST]
    groups = list(_groups(text, request)) if text else []
    if "panel" in request.GET:
        return TemplateResponse(
            request, "backoffice/search/hits.html", {"groups": groups, "text": text}
        )
    hits = [hit for group in groups for hit in group.hits]
    if len(hits) == 1:
        return redirect(hits[0].address)
    context = {"title": _("Search"), "groups": groups, "text": text}
    return show(request, "backoffice/search/search.html", context)


def _groups(text: str, request: HttpRequest) -> Iterator[HitGroup]:
    """The groups with hits, what acts first."""
    today = gaming_day(milliseconds_of(timezone.now()))
    may = request.user.has_perm
    finders: list[tuple[str | Promise, bool, _Find]] = [
        (gettext_lazy("Actions"), True, partial(find_commands, today=today, may=may)),
        *((label, may(permission), find) for label, permission, find in _RECORDS),
        (gettext_lazy("Days"), may(LOOK_AT_DAYS), partial(records.find_days, today=today)),
        (gettext_lazy("Pages"), True, partial(find_pages, request=request)),
    ]
    for label, is_allowed, find in finders:
        if is_allowed and (hits := find(text)):
            yield HitGroup(str(label), hits)


_RECORDS: Final[tuple[tuple[str | Promise, str, _Find], ...]] = (
    (gettext_lazy("Cases"), LOOK_AT_CASES, records.find_cases),
    (gettext_lazy("Disputes"), LOOK_AT_DISPUTES, records.find_disputes),
    (gettext_lazy("Bundles"), LOOK_AT_EXPORTS, records.find_bundles),
    (gettext_lazy("Customers"), "rounds.view_customer", records.find_customers),
    (gettext_lazy("Rounds"), "rounds.view_round", records.find_rounds),
    (gettext_lazy("Shoes"), "rounds.view_shoeopening", records.find_shoes),
    (gettext_lazy("Tables"), "rounds.view_table", records.find_tables),
    (gettext_lazy("People"), "auth.view_user", records.find_people),
)
"""Kinds of rows, each with the permission to see them."""
