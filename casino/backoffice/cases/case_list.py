"""The list of cases, newest first."""

from typing import Any, Final

from django.db.models import Count
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from casino.backoffice.cases.messages import PROPOSE
from casino.backoffice.site.keyset_paging import page_of
from casino.backoffice.site.views import show
from payouts.cases.models import Case, CaseRound
from payouts.cases.status import APPROVABLE, open_cases, stages_of

_MOST_COUNTED: Final = 100


def show_cases(request: HttpRequest) -> HttpResponse:
    """Open cases, or all with ``which=all``; optionally of one kind."""
    kind, which = request.GET.get("kind", ""), request.GET.get("which", "")
    rows = Case.objects.all() if which == "all" else open_cases()
    if kind in Case.Kind.values:
        rows = rows.filter(kind=kind)
    page = page_of(rows.select_related("table"), request.GET)
    context = {
        "title": _("Cases"),
        "rows": _lines(list(page.rows)),
        "page": page,
        "kinds": Case.Kind.choices,
        "query": {"kind": kind, "which": which},
        "here": f"kind={kind}&which={which}&",
        "may_propose": request.user.has_perm(PROPOSE),
    }
    return show(request, "backoffice/cases/list.html", context)


def cases_waiting_for(person: Any) -> list[Case]:
    """Cases that the user may approve or reject, oldest first."""
    cases = list(open_cases().order_by("pk")[:_MOST_COUNTED])
    stages = stages_of(cases)
    waiting = [case for case in cases if stages[case.pk] in APPROVABLE]
    own = set(
        Case.objects.filter(pk__in=[case.pk for case in waiting])
        .filter(steps__action__in=("opened", "proposed"), steps__actor_user_id=person.pk)
        .values_list("pk", flat=True)
    )
    return [case for case in waiting if case.pk not in own]


def _lines(cases: list[Case]) -> list[tuple[Case, Any, int]]:
    """Each case with its stage and its number of rounds."""
    stages = stages_of(cases)
    counts = dict(
        CaseRound.objects.filter(case__in=cases)
        .values_list("case_id")
        .annotate(rounds=Count("number"))
    )
    return [(case, stages[case.pk], counts.get(case.pk, 0)) for case in cases]
