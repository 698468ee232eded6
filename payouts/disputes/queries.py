"""Reading disputes: by name, by state, by customer. Nothing here changes anything."""

import re
from copy import deepcopy
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from django.db.models import QuerySet

from payouts.disputes.standing import State, actions_of, latest_steps
from payouts.models import Dispute, DisputeFinding

_REFERENCE: Final = re.compile(r"D-([0-9]{4,18})")


def dispute_named(reference: str) -> Dispute | None:
    """The dispute ``D-0001``; None where there is none of that name."""
    match = _REFERENCE.fullmatch(reference)
    known = Dispute.objects.select_related("customer", "round__table")
    return known.filter(pk=int(match[1])).first() if match else None


def dispute_of_customer(reference: str, *, pseudonym: str) -> Dispute | None:
    """The dispute of that name if it is this customer's; another's is none."""
    found = dispute_named(reference)
    return found if found is not None and found.customer.pseudonym == pseudonym else None


def disputes_of_customer(pseudonym: str) -> QuerySet[Dispute]:
    """A customer's own disputes, newest first."""
    own = Dispute.objects.filter(customer__pseudonym=pseudonym)
    return own.select_related("customer", "round__table").order_by("-pk")


def disputes_about(round_id: UUID) -> QuerySet[Dispute]:
    """Those about a round, newest first."""
    return Dispute.objects.filter(round_id=round_id).select_related("customer").order_by("-pk")


def disputes_in(state: State) -> QuerySet[Dispute]:
    """Those that stand so now."""
    return _whose_latest(action__in=actions_of(state))


def open_disputes() -> QuerySet[Dispute]:
    """Those that are not closed."""
    over = latest_steps().filter(action__in=actions_of(State.CLOSED))
    return Dispute.objects.exclude(pk__in=over.values("dispute_id"))


def overdue_disputes(now: datetime) -> QuerySet[Dispute]:
    """Those whose next step should have been taken."""
    return _whose_latest(due_at__lte=now)


def due_dates_at_hand(now: datetime, *, most: int) -> list[datetime]:
    """The due dates of which people are reminded, and those that are over; earliest first."""
    at_hand = latest_steps().filter(remind_at__lte=now)
    due_dates = at_hand.order_by("due_at").values_list("due_at", flat=True)
    return [due_at for due_at in due_dates[:most] if due_at is not None]


def disputes_taken_by(user_id: int) -> QuerySet[Dispute]:
    """Open ones that this person took into review, even where another has taken them over."""
    taken = Dispute.objects.filter(steps__action="taken", steps__actor_user_id=user_id)
    return open_disputes().filter(pk__in=taken.values("pk"))


def finding_for_customer(dispute: Dispute) -> dict[str, Any]:
    """The finding as the customer may see it: of other customers no more than how many they are."""
    content: dict[str, Any] = deepcopy(DisputeFinding.objects.get(pk=dispute.pk).content)
    for bet in content["bets"]:
        bet["siblings"] = {"count": bet["siblings"]["count"]}
    del content["earlier"]
    return content


def _whose_latest(**said: Any) -> QuerySet[Dispute]:  # noqa: ANN401  a filter
    return Dispute.objects.filter(pk__in=latest_steps().filter(**said).values("dispute_id"))
