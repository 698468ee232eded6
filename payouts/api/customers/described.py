"""How the calls about customers' histories are described in OpenAPI."""

from typing import Any, Final

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiExample, OpenApiParameter
from rest_framework import serializers

from payouts.api.rounds import examples
from payouts.api.rounds.described import CURSOR, answer, limit
from payouts.api.rounds.forms import Rounds

_TAG: Final = ["customers"]
_WHO: Final = OpenApiParameter(
    "pseudonym",
    str,
    OpenApiParameter.PATH,
    description="The operator's pseudonym of the account, the feed's player",
    examples=[OpenApiExample("pseudonym", value="p-8731")],
)


class GameOfDay(serializers.Serializer[Any]):
    """What the customer did at one game."""

    rules = serializers.CharField()
    rounds = serializers.IntegerField()
    bets = serializers.IntegerField()
    staked_cents = serializers.IntegerField(help_text="Stakes and raises")
    payout_cents = serializers.IntegerField(help_text="All that was credited, stakes included")
    open_rounds = serializers.IntegerField(help_text="Not settled yet: they have paid nothing")


class DayLinks(serializers.Serializer[Any]):
    """Where the rounds of the day are."""

    rounds = serializers.CharField()


class Day(serializers.Serializer[Any]):
    """A day on which the customer played."""

    date = serializers.DateField()
    rounds = serializers.IntegerField()
    staked_cents = serializers.IntegerField()
    payout_cents = serializers.IntegerField()
    games = GameOfDay(many=True)
    links = DayLinks()


class History(serializers.Serializer[Any]):
    """Some days, newest first."""

    data = Day(many=True)  # type: ignore[assignment]  # a field
    next = serializers.CharField(allow_null=True, help_text="The cursor of the page behind it")


_DAY: Final = {
    "date": "2026-11-21",
    "rounds": 1,
    "staked_cents": 1_000,
    "payout_cents": 2_000,
    "games": [
        {
            "rules": "baccarat/1",
            "rounds": 1,
            "bets": 1,
            "staked_cents": 1_000,
            "payout_cents": 2_000,
            "open_rounds": 0,
        }
    ],
    "links": {"rounds": "/api/v1/customers/p-8731/history/2026-11-21"},
}
HISTORY: Final[dict[str, Any]] = {
    "operation_id": "read_history",
    "tags": _TAG,
    "summary": "A customer's days of play",
    "parameters": [_WHO, limit(31, 92), CURSOR],
    "responses": History,
    "examples": [answer({"data": [_DAY], "next": None})],
}
HISTORY_DAY: Final[dict[str, Any]] = {
    "operation_id": "read_day_of_history",
    "tags": _TAG,
    "summary": "A customer's rounds of a day",
    "parameters": [
        _WHO,
        OpenApiParameter("day", OpenApiTypes.DATE, OpenApiParameter.PATH),
        limit(50, 200),
        CURSOR,
    ],
    "responses": Rounds,
    "examples": [answer({"data": [examples.IN_SHORT], "next": None})],
}
