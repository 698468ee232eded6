"""The list of cases, newest first."""

from typing import Final, NamedTuple

from django.db.models import Count
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from casino.backoffice.cases.messages import PROPOSE
from casino.backoffice.lists.columns import Column, Kind
from casino.backoffice.lists.filters import (
    choice_filter,
    field_filter,
    person_filter,
    table_filter,
    time_filters,
)
from casino.backoffice.lists.list_page import ListSpec, show_list
from casino.backoffice.site.actor_labels import actor_label
from casino.backoffice.site.badges import badge_label
from payouts.cases.models import Case, CaseRound
from payouts.cases.status import Stage, open_cases, stages_of
from rounds.formatting import is_italian

LIST: Final = ListSpec(
    name="cases",
    live="case",
    filters=(
        choice_filter("which", _("Filter"), (("all", _("All")),), empty=_("Open")),
        field_filter("kind", _("Kind"), Case.Kind.choices),
        table_filter(),
        person_filter(_("Opened by")),
        *time_filters("opened_at"),
    ),
    columns=(
        Column("case", _("Case"), lambda line: line.case, sort="pk"),
        Column("status", _("Status"), lambda line: badge_label(f"case-{line.stage}")),
        Column("kind", _("Kind"), lambda line: line.case.get_kind_display(), sort="kind"),
        Column("reason", _("Reason"), lambda line: line.reason),
        Column(
            "table",
            _("Table"),
            lambda line: line.case.table,
            sort="table__code",
            is_optional=True,
        ),
        Column("rounds", _("Rounds"), lambda line: line.rounds, Kind.COUNT),
        Column("person", _("Opened by"), lambda line: actor_label(line.case.actor), sort="actor"),
        Column("opened", _("Opened"), lambda line: line.case.opened_at, Kind.MOMENT, "pk"),
    ),
    sort="-opened",
)


class CaseRow(NamedTuple):
    """A case in the list."""

    case: Case
    stage: Stage
    rounds: int

    @property
    def reason(self) -> str:
        """Its reason, worded as at its opening, in the active language."""
        return self.case.reason_it if is_italian() else self.case.reason_en


def show_cases(request: HttpRequest) -> HttpResponse:
    """Open cases, or all with ``which=all``."""
    rows = Case.objects.all() if request.GET.get("which") == "all" else open_cases()
    context = {
        "title": gettext("Cases"),
        "may_propose": request.user.has_perm(PROPOSE),
    }
    rows = rows.select_related("table")
    return show_list(request, LIST, rows, "backoffice/cases/list.html", context, lines_of=_lines)


def _lines(cases: list[Case]) -> list[CaseRow]:
    """Each case with its stage and its number of rounds."""
    stages = stages_of(cases)
    counts = dict(
        CaseRound.objects.filter(case__in=cases)
        .values_list("case_id")
        .annotate(rounds=Count("number"))
    )
    return [CaseRow(case, stages[case.pk], counts.get(case.pk, 0)) for case in cases]
