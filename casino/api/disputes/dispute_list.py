"""The list of disputes."""

from functools import partial
from typing import Final

from django.db.models import Q, QuerySet
from django.utils import timezone
from drf_spectacular.utils import OpenApiParameter

from casino.api.client.shapes.disputes import ListedDispute
from casino.api.client.shapes.page import Page
from casino.api.disputes.lookup import visible_disputes
from casino.api.disputes.representation import listed_disputes
from casino.api.expansion import MOST_EXPANDED, Expansion
from casino.api.pages import Facts, Listing, Order, latest_of
from casino.api.query_params import QueryParams, invalid_param
from casino.api.rounds.lookup import round_name_hint, visible_round
from casino.api.rounds.query_params import requested_customer
from casino.integrations.caller import Caller
from casino.integrations.scopes import Scope
from payouts.disputes.models import Dispute, DisputeStep
from payouts.disputes.queries import disputes_in, overdue_disputes
from payouts.disputes.status import State

_LISTING: Final = Listing(
    "disputes",
    (
        Order("opened", "Opened", columns=("opened_at", "pk")),
        Order(
            "changed",
            "Latest step (opened, reviewed, answered, decided, closed and so on; not its evidence)",
            facts=(Facts(DisputeStep.objects.all(), "at", "dispute_id"),),
            latest=latest_of(DisputeStep, "dispute", "at"),
        ),
    ),
)
_PARTS: Final = Expansion({"case": (Scope.DISPUTES_READ,), "round": (Scope.ROUNDS_READ,)})
PARAMETERS: Final = (
    OpenApiParameter("state", str, enum=State.values),
    OpenApiParameter("overdue", bool, description="Whether the next step is past its due time"),
    OpenApiParameter("customer", str, description="Pseudonym of the customer"),
    OpenApiParameter("round", str, description="Sabot's id of the round, or the studio's"),
    _PARTS.parameter,
    *_LISTING.parameters,
)
BOOLEANS: Final = ("true", "false")


def dispute_page(params: QueryParams, caller: Caller) -> Page[ListedDispute]:
    """A page of the disputes that the key may read and that match the filters. Raises Problem.

    State and overdue are evaluated for each page.
    """
    customer = requested_customer(params, caller)
    rows = _filtered(params, visible_disputes(caller), caller)
    if customer is not None:
        rows = rows.filter(customer=customer)
    parts = _PARTS.requested(params, caller)
    shapes, most = partial(listed_disputes, caller=caller, parts=parts), MOST_EXPANDED
    return _LISTING.page(rows, params, caller.key.pk, shapes=shapes, most=most if parts else None)


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
    return rows
