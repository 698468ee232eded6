"""Queries of disputes by reference, round and state, and of their bets."""

import re
from copy import deepcopy
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from django.db.models import OuterRef, QuerySet, Subquery

from payouts.disputes.models import Dispute, DisputeFinding, DisputeStep
from payouts.disputes.status import State, actions_of, latest_steps
from rounds.models import Bet

_REFERENCE: Final = re.compile(r"D-([0-9]{4,18})")


def dispute_named(reference: str) -> Dispute | None:
    """The dispute with a reference such as ``D-0001``; None if there is none."""
    match = _REFERENCE.fullmatch(reference)
    known = Dispute.objects.select_related("customer", "round__table")
    return known.filter(pk=int(match[1])).first() if match else None


def disputed_bets(dispute: Dispute) -> QuerySet[Bet]:
    """The contested bet, or all bets of the customer in the round."""
    bets = Bet.objects.filter(round_id=dispute.round_id, customer_id=dispute.customer_id)
    return bets if dispute.bet_number is None else bets.filter(number=dispute.bet_number)


def disputes_about(round_id: UUID) -> QuerySet[Dispute]:
    """The disputes about a round, newest first."""
    return Dispute.objects.filter(round_id=round_id).select_related("customer").order_by("-pk")


def disputes_in(state: State) -> QuerySet[Dispute]:
    """The disputes in a state."""
    return _by_latest_step(action__in=actions_of(state))


def open_disputes() -> QuerySet[Dispute]:
    """The disputes that are not closed."""
    over = latest_steps().filter(action__in=actions_of(State.CLOSED))
    return Dispute.objects.exclude(pk__in=over.values("dispute_id"))


def overdue_disputes(now: datetime) -> QuerySet[Dispute]:
    """The disputes whose due date is over."""
    return _by_latest_step(due_at__lte=now)


def with_due_date(disputes: QuerySet[Dispute]) -> QuerySet[Dispute]:
    """The disputes, each with ``due_at`` of its latest step."""
    steps = DisputeStep.objects.filter(dispute=OuterRef("pk")).order_by("-sequence")
    return disputes.annotate(due_at=Subquery(steps.values("due_at")[:1]))


def near_due(now: datetime) -> QuerySet[DisputeStep]:
    """The latest steps whose due date is over, or for which a reminder is due."""
    return latest_steps().filter(remind_at__lte=now)


def near_due_dates(now: datetime, *, most: int) -> list[datetime]:
    """The due dates of these, earliest first."""
    due_dates = near_due(now).order_by("due_at").values_list("due_at", flat=True)
    return [due_at for due_at in due_dates[:most] if due_at is not None]


def disputes_taken_by(user_id: int) -> QuerySet[Dispute]:
    """The open disputes that this person has ever taken into review."""
    taken = Dispute.objects.filter(steps__action="taken", steps__actor_user_id=user_id)
    return open_disputes().filter(pk__in=taken.values("pk"))


def finding_for_customer(dispute: Dispute) -> dict[str, Any]:
    """The finding as the customer may see it: of other customers only their number."""
    content: dict[str, Any] = deepcopy(DisputeFinding.objects.get(pk=dispute.pk).content)
    for bet in content["bets"]:
        bet["siblings"] = {"count": bet["siblings"]["count"]}
    del content["earlier"]
    return content


def _by_latest_step(**conditions: Any) -> QuerySet[Dispute]:
    return Dispute.objects.filter(pk__in=latest_steps().filter(**conditions).values("dispute_id"))
