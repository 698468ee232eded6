"""The state of a dispute, from its steps, and the due date of each state."""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime, timedelta
from itertools import pairwise
from typing import Final, NamedTuple

from django.db.models import Exists, OuterRef, QuerySet, TextChoices
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from compliance.signatures.verify_rows import RowsInForce, is_signed_row
from payouts.disputes.calendar import Limit, Term, limit_of
from payouts.disputes.models import Dispute, DisputeStep, DisputeTerm

Action = DisputeStep.Action


class State(TextChoices):
    """What a dispute awaits, or how it ended."""

    OPENED = "opened", _("Awaiting review")
    IN_REVIEW = "in_review", _("In review")
    WAITING = "waiting", _("Awaiting the customer")
    UPHELD = "upheld", pgettext_lazy("dispute", "Upheld")
    PARTLY_UPHELD = "partly_upheld", pgettext_lazy("dispute", "Partly upheld")
    REJECTED = "rejected", pgettext_lazy("dispute", "Rejected")
    CLOSED = "closed", pgettext_lazy("dispute", "Closed")
    ESCALATED = "escalated", _("With the external body")


STATES: Final[Mapping[str, State]] = {
    Action.OPENED: State.OPENED,
    Action.TAKEN: State.IN_REVIEW,
    Action.QUESTION_SENT: State.WAITING,
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
"""The state after each action."""

CUSTOMER_VISIBLE_ACTIONS: Final = (
    Action.QUESTION_SENT,
    Action.ANSWERED,
    Action.UPHELD,
    Action.PARTLY_UPHELD,
    Action.REJECTED,
)
"""Actions whose note is shown to the customer. Other notes are internal."""

UPHELD: Final = (State.UPHELD, State.PARTLY_UPHELD)
"""States in which a remedy is in progress."""

FIRST_TERMS: Final[Mapping[State, Term]] = {
    State.OPENED: Term(2, are_working_days=True),
    State.IN_REVIEW: Term(30, are_working_days=False),
    State.WAITING: Term(15, are_working_days=False),
    State.UPHELD: Term(10, are_working_days=True),
    State.PARTLY_UPHELD: Term(10, are_working_days=True),
    State.REJECTED: Term(30, are_working_days=False),
    State.ESCALATED: Term(90, are_working_days=False),
}
"""The default term of each state. A closed dispute has none."""

KNOWN_TERMS: Final = RowsInForce[DisputeTerm](is_signed_row)

_RESTARTING: Final = (Action.OPENED, Action.REMEDY_FAILED, Action.OVERTURNED, Action.REOPENED)
"""Actions at which the time for a decision starts."""


class DisputeStatus(NamedTuple):
    """The state of a dispute with its latest step."""

    state: State
    latest: DisputeStep
    owner: str
    """The person who took it into review last; empty for none."""

    def is_overdue(self, now: datetime) -> bool:
        """Whether the due date is over."""
        return self.latest.due_at is not None and self.latest.due_at <= now


def dispute_status(steps: Sequence[DisputeStep]) -> DisputeStatus:
    """The status after these steps: all steps of a dispute, in order."""
    takers = [step.actor for step in steps if step.action == Action.TAKEN]
    return DisputeStatus(STATES[steps[-1].action], steps[-1], takers[-1] if takers else "")


def steps_of(dispute: Dispute) -> list[DisputeStep]:
    """The steps of a dispute, in order."""
    return list(DisputeStep.objects.filter(dispute=dispute).order_by("sequence"))


def dispute_statuses(disputes: Collection[Dispute]) -> dict[int, DisputeStatus]:
    """The statuses of these disputes, in one query."""
    steps: dict[int, list[DisputeStep]] = {dispute.pk: [] for dispute in disputes}
    for step in DisputeStep.objects.filter(dispute_id__in=steps).order_by("sequence"):
        steps[step.dispute_id].append(step)
    return {dispute_id: dispute_status(chain) for dispute_id, chain in steps.items()}


def latest_steps() -> QuerySet[DisputeStep]:
    """The latest step of every dispute."""
    later = DisputeStep.objects.filter(
        dispute_id=OuterRef("dispute_id"), sequence__gt=OuterRef("sequence")
    )
    return DisputeStep.objects.filter(~Exists(later))


def actions_of(state: State) -> list[str]:
    """The actions that lead to a state."""
    return [action for action, leads_to in STATES.items() if leads_to is state]


def terms_in_force() -> dict[State, Term]:
    """The present term of each state: the latest that its person signed, or the default."""
    rows = KNOWN_TERMS.first_of_each(
        "state", DisputeTerm.objects.order_by("state", "-set_at", "id")
    )
    signed = {State(row.state): Term(row.days, row.are_working_days) for row in rows}
    return {**FIRST_TERMS, **signed}


def limit_after(
    steps: Sequence[DisputeStep], action: DisputeStep.Action, *, at: datetime
) -> Limit | None:
    """The time limit after a further step; None if nothing has to follow.

    The time for a decision runs from the opening, or from the return to review, and is suspended
    while a question to the customer is open.
    """
    state = STATES[action]
    term = terms_in_force().get(state)
    if term is None:
        return None
    since = at
    if state is State.IN_REVIEW and action not in _RESTARTING:
        since = _review_since(steps, action, at=at)
    return limit_of(term, since)


def _review_since(
    steps: Sequence[DisputeStep], action: DisputeStep.Action, *, at: datetime
) -> datetime:
    begun = max(n for n, step in enumerate(steps) if step.action in _RESTARTING)
    waited = timedelta()
    pairs = [(step.action, step.at) for step in steps[begun:]] + [(action.value, at)]
    for (earlier, sent_at), (_later, until) in pairwise(pairs):
        if earlier == Action.QUESTION_SENT:
            waited += until - sent_at
    return steps[begun].at + waited
