"""The list of rounds: newest play first, by key, so that none is skipped or told twice."""

from typing import Any, Final
from uuid import UUID

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import F, QuerySet

from payouts.api.asked import Asked, cursor_of
from payouts.api.caller import Caller
from payouts.api.rounds.asking import customer_asked
from payouts.api.rounds.finding import seen_rounds
from payouts.api.rounds.told import page_told, rounds_told
from payouts.queries import RoundStatus, rounds_standing
from rounds.models import Bet, Customer, Round, Table
from rounds.rules.catalogue import RULE_SETS
from rounds.search import OneOf, end_id, first_id, opened_before, opened_from

DEFAULT: Final = 50
MOST: Final = 200
FILTERS: Final = ("table", "rules", "status", "from", "to", "customer", "session")


def listed(asked: Asked, caller: Caller) -> dict[str, Any]:
    """A page of the rounds that the key may see and that the filters leave. Raises Problem.

    The id of a round carries its opening time, so a page is one range of the primary key.
    """
    customer = customer_asked(asked, caller)
    name = asked.name("rounds", caller.key.pk)
    place, limit = asked.place(name), asked.limit(default=DEFAULT, most=MOST)
    rows = _filtered(asked, seen_rounds(caller))
    if customer is not None:
        rows = _of_customer(customer, asked, rows, place)
    if place is not None:
        rows = rows.filter(id__lt=UUID(place))
    found = list(rows.order_by("-id")[: limit + 1])
    shown = found[:limit]
    following = cursor_of(name, shown[-1].id.hex) if len(found) > limit else None
    return page_told(rounds_told(shown, customer), following)


def _filtered(asked: Asked, rows: QuerySet[Round]) -> QuerySet[Round]:
    if table := asked.text("table"):
        rows = rows.filter(table__in=list(Table.objects.filter(code=table).values_list("id")))
    if rules := asked.choice("rules", RULE_SETS):
        rows = rows.filter(rules=rules)
    if status := asked.choice("status", RoundStatus.values):
        rows = rounds_standing(rows, RoundStatus(status))
    if session := asked.text("session"):
        rows = rows.filter(session=session)
    if start := asked.moment("from"):
        rows = opened_from(start, among=rows)
    if end := asked.moment("to"):
        rows = opened_before(end, among=rows)
    return rows


def _of_customer(
    customer: Customer, asked: Asked, rows: QuerySet[Round], place: str | None
) -> QuerySet[Round]:
    """Those with a bet of the customer, looked up first and by the index of his bets."""
    bets = Bet.objects.filter(customer=customer)
    if place is not None:
        bets = bets.filter(round_id__lt=UUID(place))
    if start := asked.moment("from"):
        bets = bets.filter(round_id__gte=first_id(start))
    if end := asked.moment("to"):
        bets = bets.filter(round_id__lt=end_id(end))
    ids = bets.values("round_id").distinct()
    return rows.filter(OneOf(F("id"), ArraySubquery(ids)))
