"""The list of rounds."""

from functools import partial
from typing import Final

from django.db.models import QuerySet
from django.db.models.functions import Greatest
from drf_spectacular.utils import OpenApiParameter

from casino.api.client.shapes.page import Page
from casino.api.client.shapes.rounds import ListedRound
from casino.api.expansion import MOST_EXPANDED
from casino.api.pages import Facts, Listing, Order, latest_of
from casino.api.query_params import QueryParams
from casino.api.rounds.expanded_rounds import ROUND_PARTS, listed_rounds
from casino.api.rounds.lookup import rounds_with, visible_rounds
from casino.api.rounds.query_params import (
    CUSTOMER,
    OPENED,
    requested_customer,
    requested_table,
)
from casino.integrations.caller import Caller
from payouts.settlement.models import Settlement
from payouts.settlement.queries import RoundStatus, rounds_with_status
from rounds.models import Bet, Customer, Round, Validation
from rounds.rules.catalogue import RULE_SETS
from rounds.search import end_id, first_id, opened_before, opened_from

_HELD: Final = Validation.Status.HELD
_LISTING: Final = Listing(
    "rounds",
    (
        Order("opened", columns=("id",)),
        Order("received", "Received", columns=("received_at", "id")),
        Order(
            "settled",
            "First settled or voided",
            facts=(Facts(Settlement.objects.filter(sequence=1), "settled_at", "round_id"),),
        ),
        Order(
            "changed",
            "Last received, held, settled, settled again or voided (not its disputes)",
            facts=(
                Facts(Round.objects.all(), "received_at", "id"),
                Facts(Validation.objects.filter(status=_HELD), "validated_at", "round_id"),
                Facts(Settlement.objects.all(), "settled_at", "round_id"),
            ),
            latest=Greatest(
                "received_at",
                latest_of(Validation, "round", "validated_at", status=_HELD),
                latest_of(Settlement, "round", "settled_at"),
            ),
        ),
    ),
)
PARAMETERS: Final = (
    OpenApiParameter("table", str, description="Code of a table"),
    OpenApiParameter("rules", str, enum=sorted(RULE_SETS)),
    OpenApiParameter("status", str, enum=RoundStatus.values),
    *OPENED,
    CUSTOMER,
    OpenApiParameter("session", str, description="AAMS session id"),
    ROUND_PARTS.parameter,
    *_LISTING.parameters,
)


def round_page(params: QueryParams, caller: Caller) -> Page[ListedRound]:
    """A page of the rounds that the key may read and that match the filters. Raises Problem.

    The id of a round begins with its opening time, so a page in that order is one range of the
    primary key.
    """
    customer = requested_customer(params, caller)
    table = requested_table(params, caller)
    rows = _filtered(params, visible_rounds(caller))
    if table is not None:
        rows = rows.filter(table=table)
    if customer is not None:
        rows = _of_customer(customer, params, rows)
    parts, is_own = ROUND_PARTS.requested(params, caller), caller.key.customer is not None
    return _LISTING.page(
        rows,
        params,
        caller.key.pk,
        shapes=partial(listed_rounds, customer=customer, parts=parts, params=params, is_own=is_own),
        most=MOST_EXPANDED if parts else None,
    )


def _filtered(params: QueryParams, rows: QuerySet[Round]) -> QuerySet[Round]:
    if rules := params.choice("rules", RULE_SETS):
        rows = rows.filter(rules=rules)
    if status := params.choice("status", RoundStatus.values):
        rows = rounds_with_status(rows, RoundStatus(status))
    if session := params.text("session"):
        rows = rows.filter(session=session)
    if start := params.timestamp("opened_since"):
        rows = opened_from(start, among=rows)
    if end := params.timestamp("opened_before"):
        rows = opened_before(end, among=rows)
    return rows


def _of_customer(customer: Customer, params: QueryParams, rows: QuerySet[Round]) -> QuerySet[Round]:
    """The rounds with a bet of the customer, by the index of his bets."""
    bets = Bet.objects.filter(customer=customer)
    if start := params.timestamp("opened_since"):
        bets = bets.filter(round_id__gte=first_id(start))
    if end := params.timestamp("opened_before"):
        bets = bets.filter(round_id__lt=end_id(end))
    return rounds_with(bets, among=rows)
