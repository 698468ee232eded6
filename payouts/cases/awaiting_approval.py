"""The cases that await a second person."""

from collections import defaultdict

from django.db.models import Exists, OuterRef, Q, QuerySet, Subquery

from payouts.cases.models import Case, CaseStep
from payouts.cases.status import Action

_MOST_COUNTED = 100


def cases_awaiting(person_id: int) -> QuerySet[Case]:
    """Those that the person may approve or reject: who opened or proposed a case does not."""
    own = _OWN_STEPS.filter(case=OuterRef("pk"), actor_user_id=person_id)
    return _approvable().filter(~Exists(own))


def cases_awaiting_approval() -> list[tuple[Case, frozenset[int]]]:
    """The oldest hundred, oldest first, each with those who may not approve it."""
    waiting = list(_approvable().order_by("pk")[:_MOST_COUNTED])
    own = defaultdict(set)
    steps = _OWN_STEPS.filter(case__in=waiting, actor_user_id__isnull=False)
    for case_id, person_id in steps.values_list("case_id", "actor_user_id"):
        own[case_id].add(person_id)
    return [(case, frozenset(own[case.pk])) for case in waiting]


_OWN_STEPS = CaseStep.objects.filter(action__in=(Action.OPENED, Action.PROPOSED))


def _approvable() -> QuerySet[Case]:
    """Cases at one of the stages ``APPROVABLE``."""
    steps = CaseStep.objects.filter(case=OuterRef("pk")).order_by("-sequence")
    cases = Case.objects.filter(run=None).alias(latest=Subquery(steps.values("action")[:1]))
    is_proposed = Q(latest=Action.PROPOSED, needs_regulator=False)
    return cases.filter(is_proposed | Q(latest=Action.ALLOWED))
