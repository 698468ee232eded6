"""The cases that await a second person."""

from collections import defaultdict

from payouts.cases.models import Case, CaseStep
from payouts.cases.status import APPROVABLE, Action, open_cases, stages_of

_MOST_COUNTED = 100


def cases_awaiting_approval() -> list[tuple[Case, frozenset[int]]]:
    """The cases that can be approved, oldest first, each with those who may not do it.

    Who opened or proposed a case does not approve it. At most the oldest hundred open cases.
    """
    cases = list(open_cases().order_by("pk")[:_MOST_COUNTED])
    stages = stages_of(cases)
    waiting = [case for case in cases if stages[case.pk] in APPROVABLE]
    own = defaultdict(set)
    steps = CaseStep.objects.filter(
        case__in=waiting, action__in=(Action.OPENED, Action.PROPOSED), actor_user_id__isnull=False
    )
    for case_id, person_id in steps.values_list("case_id", "actor_user_id"):
        own[case_id].add(person_id)
    return [(case, frozenset(own[case.pk])) for case in waiting]
