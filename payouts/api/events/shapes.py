"""Events, as the description of the API has them."""

from typing import Any, Final

from rest_framework import serializers

from payouts.api.events.stream import EventType
from payouts.models import Settlement

_ID: Final = "019abc3e-7d80-7000-8000-000001000007"
_ROUND: Final = "019abc3e-5a00-7b1c-9d2e-3f4a5b6c7d8e"
EVENT_EXAMPLE: Final[dict[str, Any]] = {
    "id": _ID,
    "type": "round.settled",
    "timestamp": "2026-11-21T22:00:04.250000Z",
    "leaf": 184_266,
    "cursor": "184267",
    "data": {
        "round": "bac-1-20261121-000417",
        "round_id": _ROUND,
        "table": "bac-1",
        "rules": "baccarat/1",
        "settlement": 1,
        "kind": "settled",
        "staked_cents": 2_200,
        "paid_cents": 2_500,
        "paid_before_cents": None,
        "booked_on": "2026-11-21",
    },
    "links": {
        "round": f"/api/v1/rounds/{_ROUND}",
        "event": f"/api/v1/events/{_ID}",
        "proof": f"/api/v1/events/{_ID}/proof",
    },
}


class EventData(serializers.Serializer[Any]):
    """The settlement: money in cents of the table's currency."""

    round = serializers.CharField(help_text="The studio's name of the round")
    round_id = serializers.UUIDField()
    table = serializers.CharField()
    rules = serializers.CharField(help_text="The rule set by which it was settled")
    settlement = serializers.IntegerField(help_text="1 for the first; each replaces the one before")
    kind = serializers.ChoiceField(Settlement.Kind.values)
    staked_cents = serializers.IntegerField()
    paid_cents = serializers.IntegerField(help_text="Stakes that go back included")
    paid_before_cents = serializers.IntegerField(
        allow_null=True, help_text="What the settlement before had paid"
    )
    booked_on = serializers.DateField(help_text="The day whose books it enters")


class EventLinks(serializers.Serializer[Any]):
    """Where there is more."""

    round = serializers.CharField()
    event = serializers.CharField()
    proof = serializers.CharField(help_text="That the event is in the signed log")


class EventShape(serializers.Serializer[Any]):
    """A round was settled, corrected or voided. An event never changes."""

    id = serializers.UUIDField(help_text="By it one knows what one has had; a webhook-id")
    type = serializers.ChoiceField([one.value for one in EventType])
    timestamp = serializers.DateTimeField(help_text="When it was settled, in UTC")
    leaf = serializers.IntegerField(help_text="Its place in the signed log, from 0")
    cursor = serializers.CharField(help_text="`after` of a call that goes on behind it")
    data = EventData()  # type: ignore[assignment]  # the framework takes fields off the class
    links = EventLinks()

    class Meta:
        ref_name = "Event"


class EventPage(serializers.Serializer[Any]):
    """Events in the order of the log."""

    events = EventShape(many=True)
    next = serializers.CharField(help_text="`after` of the call that goes on from here; always")
    more = serializers.BooleanField(
        help_text="Whether to call on at once; else the end was reached, and it is time to wait"
    )
