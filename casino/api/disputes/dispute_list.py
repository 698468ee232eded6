"""The list of disputes: newest first, paginated by time of opening and id."""

from datetime import datetime
from typing import Final

from django.db.models import Q, QuerySet
from django.utils import timezone
from drf_spectacular.utils import OpenApiParameter

from casino.api.client.shapes.disputes import DisputeSummary
from casino.api.client.shapes.page import Page
from casino.api.disputes.lookup import visible_disputes
from casino.api.disputes.representation import dispute_summaries
from casino.api.pages import page_of
from casino.api.query_params import QueryParams, invalid_param, make_cursor
from casino.api.rounds.lookup import round_name_hint, visible_round
from casino.api.rounds.query_params import OPENED_BETWEEN, requested_customer
from casino.integrations.caller import Caller
from payouts.disputes.models import Dispute
from payouts.disputes.queries import disputes_in, overdue_disputes
from payouts.disputes.status import State

DEFAULT: Final = 50
MOST: Final = 200
FILTERS: Final = (
    OpenApiParameter("state", str, enum=State.values),
    OpenApiParameter("overdue", bool, description="Whether the next step is past its due time"),
    OpenApiParameter("customer", str, description="Pseudonym of the customer"),
    OpenApiParameter("round", str, description="Sabot's id of the round, or the studio's"),
    *OPENED_BETWEEN,
)
BOOLEANS: Final = ("true", "false")


def dispute_page(params: QueryParams, caller: Caller) -> Page[DisputeSummary]:
    """A page of the disputes that the key may read and that match the filters. Raises Problem.

    The time of opening never changes, so no dispute is skipped or repeated; state and overdue are
    evaluated for each page.
    """
    customer = requested_customer(params, caller)
    key = params.list_key("disputes", caller.key.pk)
    position, limit = params.position(key), params.limit(default=DEFAULT, most=MOST)
    rows = _filtered(params, visible_disputes(caller), caller)
    if customer is not None:
        rows = rows.filter(customer=customer)
    if position is not None:
        rows = rows.filter(_after(position))
    disputes = list(rows.order_by("-opened_at", "-pk")[: limit + 1])
    page = disputes[:limit]
    next_cursor = make_cursor(key, _position(page[-1])) if len(disputes) > limit else None
    return page_of(dispute_summaries(page, caller), next_cursor)


def _filtered(params: QueryParams, rows: QuerySet[Dispute], caller: Caller) -> QuerySet[Dispute]:
    if state := params.choice("state", State.values):
        rows = rows.filter(pk__in=disputes_in(State(state)).values("pk"))
    if overdue := params.choice("overdue", BOOLEANS):
        late = Q(pk__in=overdue_disputes(timezone.now()).values("pk"))
        rows = rows.filter(late if overdue == "true" else ~late)
    if name := params.text("round"):
        row = visible_round(name, caller, None)
        if row is None:
            raise invalid_param("round", name, round_name_hint())
        rows = rows.filter(round_id=row.id)
    if start := params.timestamp("from"):
        rows = rows.filter(opened_at__gte=start)
    if end := params.timestamp("to"):
        rows = rows.filter(opened_at__lt=end)
    return rows


def _position(row: Dispute) -> str:
    return f"{row.opened_at.isoformat()} {row.pk}"


def _after(position: str) -> Q:
    at, pk = position.split()
    opened_at = datetime.fromisoformat(at)
    return Q(opened_at__lt=opened_at) | Q(opened_at=opened_at, pk__lt=int(pk))
