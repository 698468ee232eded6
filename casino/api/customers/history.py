"""``/customers/{pseudonym}/history``: the game history of a customer, by day and by round."""

from datetime import UTC, date, datetime
from functools import partial
from itertools import groupby
from typing import Final
from urllib.parse import quote

from django.db.models import QuerySet
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiExample, OpenApiParameter
from rest_framework.request import Request
from rest_framework.response import Response

from casino.api import problems
from casino.api.client.shapes import customers, rounds
from casino.api.client.shapes.page import Page
from casino.api.openapi.components import component
from casino.api.openapi.operations import CURSOR, limit, operation
from casino.api.pages import Listing, Order, page_of
from casino.api.problems import FieldError, Problem
from casino.api.query_params import make_cursor
from casino.api.rounds.lookup import rounds_with, visible_rounds
from casino.api.rounds.representation import round_summaries
from casino.api.views import ApiView
from casino.integrations.caller import Caller
from casino.integrations.scopes import Scope
from payouts.settlement.customer_totals import DailyGameTotals, days_played
from rounds.gaming_day import begin_of_day, end_of_day
from rounds.models import Bet, Customer
from rounds.search import end_id, first_id

MOST_DAYS: Final = 92
_DAYS: Final = 31
_LISTING: Final = Listing("history day", (Order(columns=("id",)),))
_IDS_BEGIN: Final = datetime(1970, 1, 1, tzinfo=UTC)
PSEUDONYM: Final = OpenApiParameter(
    "pseudonym",
    str,
    OpenApiParameter.PATH,
    description="The operator's pseudonym of the account, the feed's player",
    examples=[OpenApiExample("pseudonym", value="p-8731")],
)


class HistoryView(ApiView):
    """A customer's days."""

    required_scopes = {"GET": (Scope.CUSTOMERS_READ,)}

    @operation(
        "list_history_days",
        "List a customer's days of play",
        component(Page[customers.HistoryDay]),
        [PSEUDONYM, limit(_DAYS, MOST_DAYS), CURSOR],
    )
    def get(self, _request: Request, pseudonym: str) -> Response:
        """The days on which the customer played, newest first, with totals by game.

        A round belongs to the day of its opening in Rome. Each day links to its rounds.
        """
        customer = get_customer(pseudonym, self.caller)
        key = self.params.list_key("history", customer.pk)
        position = self.params.position(key)
        most = self.params.limit(default=_DAYS, most=MOST_DAYS)
        before = None if position is None else date.fromisoformat(position)
        rows = days_played(customer.pk, before=before, most=most + 1)
        days = [(day, list(games)) for day, games in groupby(rows, key=lambda row: row.day)]
        page = days[:most]
        next_cursor = make_cursor(key, page[-1][0].isoformat()) if len(days) > most else None
        data = (_day(pseudonym, day, games) for day, games in page)
        return Response(page_of(data, next_cursor))


class HistoryDayView(ApiView):
    """A customer's rounds of a day."""

    required_scopes = {"GET": (Scope.CUSTOMERS_READ,)}

    @operation(
        "list_history_rounds",
        "List a customer's rounds of a day",
        component(Page[rounds.RoundSummary]),
        [
            PSEUDONYM,
            OpenApiParameter("day", OpenApiTypes.DATE, OpenApiParameter.PATH),
            *_LISTING.parameters,
        ],
    )
    def get(self, _request: Request, pseudonym: str, day: str) -> Response:
        """The rounds of one day, latest first, with the customer's stakes and payouts."""
        customer = get_customer(pseudonym, self.caller)
        begin, end = begin_of_day(parse_day(day)), end_of_day(parse_day(day))
        bets = _bets_between(customer, begin, end)
        rows = rounds_with(bets, among=visible_rounds(self.caller))
        shapes = partial(round_summaries, customer=customer)
        return Response(_LISTING.page(rows, self.params, customer.pk, day, shapes=shapes))


def get_customer(pseudonym: str, caller: Caller) -> Customer:
    """The customer of the path. Raises Problem (404), also if the key may not read the customer."""
    customer = None
    is_covered = caller.covers_customer(pseudonym)
    if is_covered and not caller.key.tables and "\0" not in pseudonym:
        customer = Customer.objects.filter(pseudonym=pseudonym).first()
    if customer is None:
        found = pseudonym if is_covered else _("another customer")
        needed = _("a customer with bets, and a key for all tables")
        raise Problem(problems.NOT_FOUND, errors=[FieldError("path:pseudonym", found, needed)])
    return customer


def parse_day(text: str) -> date:
    """The day of the path. Raises Problem (404)."""
    try:
        return date.fromisoformat(text)
    except ValueError:
        error = FieldError("path:day", text, _("a date such as 2026-11-21"))
        raise Problem(problems.NOT_FOUND, errors=[error]) from None


def _bets_between(customer: Customer, begin: datetime, end: datetime) -> QuerySet[Bet]:
    """The customer's bets in rounds that opened then; ids do not encode times before 1970."""
    first, before = first_id(begin), end_id(end)
    bets = Bet.objects.filter(customer=customer, round_id__gte=first, round_id__lt=before)
    if begin >= _IDS_BEGIN:
        return bets
    return bets.filter(round__opened_at__gte=begin, round__opened_at__lt=end)


def _day(pseudonym: str, day: date, games: list[DailyGameTotals]) -> customers.HistoryDay:
    history = f"/api/v1/customers/{quote(pseudonym, safe='')}/history"
    return customers.HistoryDay(
        date=day,
        rounds=sum(game.rounds for game in games),
        staked_cents=sum(game.staked_cents for game in games),
        payout_cents=sum(game.payout_cents for game in games),
        games=tuple(
            customers.GameTotals(
                rules=game.rules,
                rounds=game.rounds,
                bets=game.bets,
                staked_cents=game.staked_cents,
                payout_cents=game.payout_cents,
                open_rounds=game.open_rounds,
            )
            for game in games
        ),
        links=customers.DayLinks(rounds=f"{history}/{day.isoformat()}"),
    )
