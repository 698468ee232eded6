"""The list of rounds: newest first, paginated by id."""

from typing import Final
from uuid import UUID

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import F, QuerySet
from drf_spectacular.utils import OpenApiParameter

from casino.api.client.shapes.page import Page
from casino.api.client.shapes.rounds import RoundSummary
from casino.api.pages import page_of
from casino.api.query_params import QueryParams, make_cursor
from casino.api.rounds.lookup import visible_rounds
from casino.api.rounds.query_params import (
    CUSTOMER,
    OPENED_BETWEEN,
    requested_customer,
    requested_table,
)
from casino.api.rounds.representation import round_summaries
from casino.integrations.caller import Caller
from payouts.settlement.queries import RoundStatus, rounds_with_status
from rounds.models import Bet, Customer, Round
from rounds.rules.catalogue import RULE_SETS
from rounds.search import EqualsAny, end_id, first_id, opened_before, opened_from

DEFAULT: Final = 50
MOST: Final = 200
FILTER_PARAMETERS: Final = (
    OpenApiParameter("table", str, description="Code of a table"),
    OpenApiParameter("rules", str, enum=sorted(RULE_SETS)),
    OpenApiParameter("status", str, enum=RoundStatus.values),
    *OPENED_BETWEEN,
    CUSTOMER,
    OpenApiParameter("session", str, description="AAMS session id"),
)
FILTERS: Final = tuple(parameter.name for parameter in FILTER_PARAMETERS)


def round_page(params: QueryParams, caller: Caller) -> Page[RoundSummary]:
    """A page of the rounds that the key may read and that match the filters. Raises Problem.

    The id of a round begins with its opening time, so a page is one range of the primary key.
    """
    customer = requested_customer(params, caller)
    key = params.list_key("rounds", caller.key.pk)
    position, limit = params.position(key), params.limit(default=DEFAULT, most=MOST)
    table = requested_table(params, caller)
    rows = _filtered(params, visible_rounds(caller))
    if table is not None:
        rows = rows.filter(table=table)
    if customer is not None:
        rows = _of_customer(customer, params, rows, position)
    if position is not None:
        rows = rows.filter(id__lt=UUID(position))
    rounds = list(rows.order_by("-id")[: limit + 1])
    page = rounds[:limit]
    next_cursor = make_cursor(key, page[-1].id.hex) if len(rounds) > limit else None
    return page_of(round_summaries(page, customer), next_cursor)


def _filtered(params: QueryParams, rows: QuerySet[Round]) -> QuerySet[Round]:
    if rules := params.choice("rules", RULE_SETS):
        rows = rows.filter(rules=rules)
    if status := params.choice("status", RoundStatus.values):
        rows = rounds_with_status(rows, RoundStatus(status))
    if session := params.text("session"):
        rows = rows.filter(session=session)
    if start := params.timestamp("from"):
        rows = opened_from(start, among=rows)
    if end := params.timestamp("to"):
        rows = opened_before(end, among=rows)
    return rows


def _of_customer(
    customer: Customer, params: QueryParams, rows: QuerySet[Round], position: str | None
) -> QuerySet[Round]:
    """The rounds with a bet of the customer, by the index of his bets."""
    bets = Bet.objects.filter(customer=customer)
    if position is not None:
        bets = bets.filter(round_id__lt=UUID(position))
    if start := params.timestamp("from"):
        bets = bets.filter(round_id__gte=first_id(start))
    if end := params.timestamp("to"):
        bets = bets.filter(round_id__lt=end_id(end))
    ids = bets.values("round_id").distinct()
    return rows.filter(EqualsAny(F("id"), ArraySubquery(ids)))
