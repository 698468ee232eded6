"""The list of disputes: newest first, by time and id, so that none is skipped or told twice."""

from datetime import datetime
from typing import Any, Final

from django.db.models import Q, QuerySet
from django.utils import timezone

from payouts.api.asked import Asked, cursor_of, not_taken
from payouts.api.caller import Caller
from payouts.api.disputes.finding import seen_disputes
from payouts.api.disputes.told import disputes_told
from payouts.api.rounds.asking import customer_asked
from payouts.api.rounds.finding import round_needed, seen_round
from payouts.api.rounds.told import page_told
from payouts.disputes.queries import disputes_in, overdue_disputes
from payouts.disputes.standing import State
from payouts.models import Dispute

DEFAULT: Final = 50
MOST: Final = 200
FILTERS: Final = ("state", "overdue", "customer", "round", "from", "to")
BOOLEANS: Final = ("true", "false")


def listed(asked: Asked, caller: Caller) -> dict[str, Any]:
    """A page of the disputes that the key may see and that the filters leave. Raises Problem.

    A dispute's opening never changes, so what was there when the first page was read comes once;
    whether it is in a state or overdue is asked anew for each page.
    """
    customer = customer_asked(asked, caller)
    name = asked.name("disputes", caller.key.pk)
    place, limit = asked.place(name), asked.limit(default=DEFAULT, most=MOST)
    rows = _filtered(asked, seen_disputes(caller), caller)
    if customer is not None:
        rows = rows.filter(customer=customer)
    if place is not None:
        rows = rows.filter(_behind(place))
    found = list(rows.order_by("-opened_at", "-pk")[: limit + 1])
    shown = found[:limit]
    following = cursor_of(name, _place(shown[-1])) if len(found) > limit else None
    return page_told(disputes_told(shown, caller), following)


def _filtered(asked: Asked, rows: QuerySet[Dispute], caller: Caller) -> QuerySet[Dispute]:
    if state := asked.choice("state", State.values):
        rows = rows.filter(pk__in=disputes_in(State(state)).values("pk"))
    if overdue := asked.choice("overdue", BOOLEANS):
        late = Q(pk__in=overdue_disputes(timezone.now()).values("pk"))
        rows = rows.filter(late if overdue == "true" else ~late)
    if named := asked.text("round"):
        row = seen_round(named, caller, None)
        if row is None:
            raise not_taken("round", named, round_needed())
        rows = rows.filter(round_id=row.id)
    if start := asked.moment("from"):
        rows = rows.filter(opened_at__gte=start)
    if end := asked.moment("to"):
        rows = rows.filter(opened_at__lt=end)
    return rows


def _place(row: Dispute) -> str:
    return f"{row.opened_at.isoformat()} {row.pk}"


def _behind(place: str) -> Q:
    at, pk = place.split()
    opened_at = datetime.fromisoformat(at)
    return Q(opened_at__lt=opened_at) | Q(opened_at=opened_at, pk__lt=int(pk))
