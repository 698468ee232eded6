"""The stage of a case, from its latest step and its execution."""

from collections.abc import Collection, Mapping
from typing import Final, NamedTuple

from django.db.models import Count, Max, OuterRef, Q, QuerySet, Subquery, Sum, TextChoices
from django.utils.translation import gettext_lazy as _

from payouts.cases.models import Case, CaseRun, CaseStep

Action = CaseStep.Action


class Stage(TextChoices):
    """What a case awaits, or how it ended."""

    DRAFT = "draft", _("Awaiting proposal")
    PROPOSED = "proposed", _("Awaiting second approval")
    TO_REFER = "to_refer", _("To be referred to the regulator")
    AT_REGULATOR = "at_regulator", _("Awaiting the regulator")
    ALLOWED = "allowed", _("Permitted, awaiting second approval")
    RUNNING = "running", _("In progress")
    DONE = "done", _("Executed")
    REJECTED = "rejected", _("Rejected, awaiting a new proposal")
    WITHDRAWN = "withdrawn", _("Withdrawn")


ENDED: Final = (Stage.DONE, Stage.WITHDRAWN)
"""Stages of cases that are over."""

APPROVABLE: Final = (Stage.PROPOSED, Stage.ALLOWED)
"""Stages at which a second person may approve or reject."""

PROPOSABLE: Final = (Stage.DRAFT, Stage.REJECTED)
"""Stages at which a person may propose."""

_STAGES: Final[Mapping[str, Stage]] = {
    Action.OPENED: Stage.DRAFT,
    Action.PROPOSED: Stage.PROPOSED,
    Action.REFERRED: Stage.AT_REGULATOR,
    Action.ALLOWED: Stage.ALLOWED,
    Action.REFUSED: Stage.REJECTED,
    Action.APPROVED: Stage.RUNNING,
    Action.REJECTED: Stage.REJECTED,
    Action.WITHDRAWN: Stage.WITHDRAWN,
}


class Progress(NamedTuple):
    """The progress of an execution."""

    works: int
    done: int
    refused: int
    failing: int
    owed_cents: int

    @property
    def percent(self) -> int:
        """Percent done, rounded down."""
        return self.done * 100 // self.works if self.works else 100


NOT_BEGUN: Final = Progress(0, 0, 0, 0, 0)


def steps_of_case(case: Case) -> QuerySet[CaseStep]:
    """The steps of a case, in order."""
    return CaseStep.objects.filter(case=case).select_related("customer").order_by("sequence")


def stage_of(case: Case, latest: CaseStep | None, run: CaseRun | None) -> Stage:
    """The stage of a case. A forged one may have an execution without any step before it."""
    if run is not None:
        return Stage.RUNNING if run.finished_at is None else Stage.DONE
    stage = Stage.DRAFT if latest is None else _STAGES[latest.action]
    return Stage.TO_REFER if stage is Stage.PROPOSED and case.needs_regulator else stage


def progress_of(run: CaseRun | None) -> Progress:
    """The progress of an execution, in one query."""
    if run is None:
        return NOT_BEGUN
    counts = run.works.aggregate(
        works=Count("pk"),
        done=Count("done_at"),
        refused=Count("pk", filter=Q(outcome="refused")),
        failing=Count("pk", filter=Q(done_at=None, attempts__gt=0)),
        owed_cents=Sum("owed_cents", default=0),
    )
    return Progress(**counts)


def stages_of(cases: Collection[Case]) -> dict[int, Stage]:
    """The stages of these cases, in two queries."""
    ids = [case.pk for case in cases]
    last = CaseStep.objects.filter(case_id=OuterRef("case_id")).values("case_id")
    newest = last.annotate(newest=Max("sequence")).values("newest")
    steps = CaseStep.objects.filter(case_id__in=ids, sequence=Subquery(newest))
    latest = {step.case_id: step for step in steps}
    runs = CaseRun.objects.in_bulk(ids)
    return {case.pk: stage_of(case, latest.get(case.pk), runs.get(case.pk)) for case in cases}


def open_cases() -> QuerySet[Case]:
    """Cases that are not over."""
    withdrawn = CaseStep.objects.filter(action=Action.WITHDRAWN).values("case_id")
    return Case.objects.exclude(pk__in=withdrawn).filter(Q(run=None) | Q(run__finished_at=None))
