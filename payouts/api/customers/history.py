"""``/customers/{pseudonym}/history``: what the sheets promise a player, by day, then by round."""

from datetime import date, timedelta
from itertools import groupby
from typing import Any, Final
from urllib.parse import quote
from uuid import UUID

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from payouts.api import problems
from payouts.api.asked import CURSOR, LIMIT, cursor_of
from payouts.api.caller import Caller
from payouts.api.customers import described
from payouts.api.problems import FieldError, Problem
from payouts.api.rounds.finding import seen_rounds
from payouts.api.rounds.told import page_told, rounds_told
from payouts.api.scopes import Scope
from payouts.api.views import ApiView
from payouts.own_bets import DayOfGame, days_of
from rounds.gaming_day import end_of_day
from rounds.models import Bet, Customer
from rounds.search import end_id, first_id

MOST_DAYS: Final = 92
_DAYS: Final = 31
_ROUNDS: Final = 50
_MOST_ROUNDS: Final = 200
_FIRST_DAY: Final = date(1970, 1, 2)
_LAST_DAY: Final = date(9999, 12, 30)
_DAY: Final = timedelta(days=1)


class HistoryView(ApiView):
    """A customer's days."""

    needs = {"GET": (Scope.CUSTOMERS_READ,)}
    asks = {"GET": (LIMIT, CURSOR)}

    @extend_schema(**described.HISTORY)
    def get(self, _request: Request, pseudonym: str) -> Response:
        """The days on which the customer played, newest first: by game, rounds, stakes and wins.

        A day is that of a round's opening in Rome. Each leads to its rounds, and each round to all
        about it.
        """
        customer = _customer(pseudonym, self.caller)
        name = self.asked.name("history", customer.pk)
        place, limit = self.asked.place(name), self.asked.limit(default=_DAYS, most=MOST_DAYS)
        before = _LAST_DAY if place is None else date.fromisoformat(place)
        found = days_of(customer.pk, before=before, most=limit + 1)
        days = [(day, list(games)) for day, games in groupby(found, key=lambda one: one.day)]
        shown = days[:limit]
        following = cursor_of(name, shown[-1][0].isoformat()) if len(days) > limit else None
        return Response(page_told((_day_told(pseudonym, *one) for one in shown), following))


class HistoryDayView(ApiView):
    """A customer's rounds of a day."""

    needs = {"GET": (Scope.CUSTOMERS_READ,)}
    asks = {"GET": (LIMIT, CURSOR)}

    @extend_schema(**described.HISTORY_DAY)
    def get(self, _request: Request, pseudonym: str, day: str) -> Response:
        """The rounds of one day, latest first, with what the customer staked and was paid."""
        customer = _customer(pseudonym, self.caller)
        end = end_of_day(_day(day))
        begin = end_of_day(_day(day) - _DAY)
        name = self.asked.name("history day", customer.pk, day)
        place, limit = self.asked.place(name), self.asked.limit(default=_ROUNDS, most=_MOST_ROUNDS)
        before = end_id(end) if place is None else UUID(place)
        ids = _rounds_of(customer, first_id(begin), before, limit + 1)
        rows = seen_rounds(self.caller).filter(id__in=ids[:limit]).order_by("-id")
        following = cursor_of(name, ids[limit - 1].hex) if len(ids) > limit else None
        return Response(page_told(rounds_told(list(rows), customer), following))


def _customer(pseudonym: str, caller: Caller) -> Customer:
    found = None
    if caller.covers_customer(pseudonym) and not caller.key.tables and "\0" not in pseudonym:
        found = Customer.objects.filter(pseudonym=pseudonym).first()
    if found is None:
        error = FieldError(
            "path:pseudonym", pseudonym, _("a customer who has played, and a key of all tables")
        )
        raise Problem(problems.NOT_FOUND, errors=[error])
    return found


def _day(text: str) -> date:
    try:
        found = date.fromisoformat(text)
    except ValueError:
        found = date.max
    if not _FIRST_DAY <= found <= _LAST_DAY:
        error = FieldError("path:day", text, _("a day such as 2026-11-21"))
        raise Problem(problems.NOT_FOUND, errors=[error])
    return found


def _rounds_of(customer: Customer, first: UUID, before: UUID, most: int) -> list[UUID]:
    bets = Bet.objects.filter(customer=customer, round_id__gte=first, round_id__lt=before)
    rounds = bets.order_by("-round_id").values_list("round_id", flat=True).distinct()
    return list(rounds[:most])


def _day_told(pseudonym: str, day: date, games: list[DayOfGame]) -> dict[str, Any]:
    return {
        "date": day.isoformat(),
        "rounds": sum(game.rounds for game in games),
        "staked_cents": sum(game.staked_cents for game in games),
        "payout_cents": sum(game.payout_cents for game in games),
        "games": [
            {
                "rules": game.rules,
                "rounds": game.rounds,
                "bets": game.bets,
                "staked_cents": game.staked_cents,
                "payout_cents": game.payout_cents,
                "open_rounds": game.open_rounds,
            }
            for game in games
        ],
        "links": {
            "rounds": f"/api/v1/customers/{quote(pseudonym, safe='')}/history/{day.isoformat()}"
        },
    }
