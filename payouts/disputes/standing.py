"""Where a dispute stands, by its steps; how long each state may last."""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime, timedelta
from itertools import pairwise
from typing import Final, NamedTuple

from django.db.models import Exists, OuterRef, QuerySet, TextChoices
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from payouts.disputes.calendar import Limit, Term, limit_of
from payouts.models import Dispute, DisputeStep, DisputeTerm

Action = DisputeStep.Action


class State(TextChoices):
    """What a dispute waits for, or how it ended."""

    OPENED = "opened", _("Waits to be taken into review")
    IN_REVIEW = "in_review", _("In review")
    WAITING = "waiting", _("Waits for the customer")
    UPHELD = "upheld", pgettext_lazy("dispute", "Upheld")
    PARTLY_UPHELD = "partly_upheld", pgettext_lazy("dispute", "Partly upheld")
    REJECTED = "rejected", pgettext_lazy("dispute", "Rejected")
    CLOSED = "closed", pgettext_lazy("dispute", "Closed")
    ESCALATED = "escalated", _("Before the outside body")


STATES: Final[Mapping[str, State]] = {
    Action.OPENED: State.OPENED,
    Action.TAKEN: State.IN_REVIEW,
    Action.ASKED: State.WAITING,
    Action.ANSWERED: State.IN_REVIEW,
    Action.UPHELD: State.UPHELD,
    Action.PARTLY_UPHELD: State.PARTLY_UPHELD,
    Action.REJECTED: State.REJECTED,
    Action.REMEDY_FAILED: State.IN_REVIEW,
    Action.CLOSED: State.CLOSED,
    Action.ESCALATED: State.ESCALATED,
    Action.CONFIRMED: State.CLOSED,
    Action.OVERTURNED: State.IN_REVIEW,
    Action.REOPENED: State.IN_REVIEW,
}
"""Where a dispute stands after a step."""

SAID_TO_THE_CUSTOMER: Final = (
    Action.ASKED,
    Action.ANSWERED,
    Action.UPHELD,
    Action.PARTLY_UPHELD,
    Action.REJECTED,
)
"""Steps whose text is for the customer; that of others is what people here note for each other."""

UPHELD: Final = (State.UPHELD, State.PARTLY_UPHELD)
"""A remedy is under way."""

FIRST_TERMS: Final[Mapping[State, Term]] = {
    State.OPENED: Term(2, are_working_days=True),
    State.IN_REVIEW: Term(30, are_working_days=False),
    State.WAITING: Term(15, are_working_days=False),
    State.UPHELD: Term(10, are_working_days=True),
    State.PARTLY_UPHELD: Term(10, are_working_days=True),
    State.REJECTED: Term(30, are_working_days=False),
    State.ESCALATED: Term(90, are_working_days=False),
}
"""How long a state may last unless somebody said otherwise; what is closed waits for nothing."""

_ANEW: Final = (Action.OPENED, Action.REMEDY_FAILED, Action.OVERTURNED, Action.REOPENED)
"""From these steps the time for a decision is counted."""


class Standing(NamedTuple):
    """A dispute, where it stands, and since which step."""

    state: State
    latest: DisputeStep
    owner: str
    """Who took it into review last; empty for nobody."""

    def is_overdue(self, now: datetime) -> bool:
        """Whether the next step should have been taken."""
        return self.latest.due_at is not None and self.latest.due_at <= now


def standing_of(steps: Sequence[DisputeStep]) -> Standing:
    """Where a dispute with these steps stands; they are all it has, in order."""
    takers = [step.actor for step in steps if step.action == Action.TAKEN]
    return Standing(STATES[steps[-1].action], steps[-1], takers[-1] if takers else "")


def steps_of(dispute: Dispute) -> list[DisputeStep]:
    """What was done about it, in order."""
    return list(DisputeStep.objects.filter(dispute=dispute).order_by("sequence"))


def standings_of(disputes: Collection[Dispute]) -> dict[int, Standing]:
    """Where these disputes stand, in one query however many they are."""
    steps: dict[int, list[DisputeStep]] = {one.pk: [] for one in disputes}
    for step in DisputeStep.objects.filter(dispute_id__in=steps).order_by("sequence"):
        steps[step.dispute_id].append(step)
    return {dispute_id: standing_of(theirs) for dispute_id, theirs in steps.items()}


def latest_steps() -> QuerySet[DisputeStep]:
    """The step of every dispute that says where it stands."""
    later = DisputeStep.objects.filter(
        dispute_id=OuterRef("dispute_id"), sequence__gt=OuterRef("sequence")
    )
    return DisputeStep.objects.filter(~Exists(later))


def actions_of(state: State) -> list[str]:
    """The steps after which a dispute stands there."""
    return [action for action, leads_to in STATES.items() if leads_to is state]


def terms_in_force() -> dict[State, Term]:
    """How long each state may last now."""
    terms = dict(FIRST_TERMS)
    for row in DisputeTerm.objects.order_by("pk"):
        terms[State(row.state)] = Term(row.days, row.are_working_days)
    return terms


def limit_after(
    steps: Sequence[DisputeStep], action: DisputeStep.Action, *, at: datetime
) -> Limit | None:
    """By when what follows a further step is to be done; None where nothing has to follow.

    The time for a decision runs from the opening, or from when the dispute came back, and stands
    still while the customer is asked.
    """
    state = STATES[action]
    term = terms_in_force().get(state)
    if term is None:
        return None
    since = at
    if state is State.IN_REVIEW and action not in _ANEW:
        since = _review_since(steps, action, at=at)
    return limit_of(term, since)


def _review_since(
    steps: Sequence[DisputeStep], action: DisputeStep.Action, *, at: datetime
) -> datetime:
    begun = max(n for n, step in enumerate(steps) if step.action in _ANEW)
    waited = timedelta()
    pairs = [(step.action, step.at) for step in steps[begun:]] + [(action.value, at)]
    for (earlier, asked_at), (_later, until) in pairwise(pairs):
        if earlier == Action.ASKED:
            waited += until - asked_at
    return steps[begun].at + waited
