"""The list of cases: those that wait for somebody, or all of them, newest first."""

from typing import Any, Final

from django.db.models import Count
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from payouts.cases.standing import APPROVABLE, ENDED, open_cases, stages_of
from payouts.models import Case, CaseRound
from payouts.pages.cases.words import PROPOSE
from payouts.pages.own_pages import show
from payouts.pages.paging import page_of

_MOST_COUNTED: Final = 100


def show_cases(request: HttpRequest) -> HttpResponse:
    """Open cases, or with ``all`` the ended ones, too; of one kind where one is asked for."""
    kind, which = request.GET.get("kind", ""), request.GET.get("which", "")
    rows = Case.objects.all() if which == "all" else open_cases()
    if kind in Case.Kind.values:
        rows = rows.filter(kind=kind)
    page = page_of(
        rows.select_related("table"),
        before=request.GET.get("before"),
        after=request.GET.get("after"),
    )
    context = {
        "title": _("Cases"),
        "rows": _lines(list(page.rows)),
        "page": page,
        "kinds": Case.Kind.choices,
        "asked": {"kind": kind, "which": which},
        "here": f"kind={kind}&which={which}&",
        "may_propose": request.user.has_perm(PROPOSE),
    }
    return show(request, "pages/cases/list.html", context)


def cases_waiting_for(person: Any) -> list[Case]:  # noqa: ANN401  a User or nobody
    """Cases in which this person may approve or reject what another proposed, oldest first."""
    cases = list(open_cases().order_by("pk")[:_MOST_COUNTED])
    stages = stages_of(cases)
    waiting = [case for case in cases if stages[case.pk] in APPROVABLE]
    own = set(
        Case.objects.filter(pk__in=[case.pk for case in waiting])
        .filter(steps__action__in=("opened", "proposed"), steps__actor_user_id=person.pk)
        .values_list("pk", flat=True)
    )
    return [case for case in waiting if case.pk not in own]


def _lines(cases: list[Case]) -> list[tuple[Case, Any, int, bool]]:
    """Each case with where it stands, how many rounds it has, and whether it is over."""
    stages = stages_of(cases)
    counts = dict(
        CaseRound.objects.filter(case__in=cases)
        .values_list("case_id")
        .annotate(rounds=Count("number"))
    )
    return [
        (case, stages[case.pk], counts.get(case.pk, 0), stages[case.pk] in ENDED) for case in cases
    ]
