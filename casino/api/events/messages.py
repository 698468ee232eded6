"""The messages that webhooks receive: declared once, for OpenAPI and AsyncAPI."""

from typing import Any, Final, NamedTuple

from casino.api.openapi.examples import EXAMPLES
from casino.integrations.event_representation import PING
from casino.integrations.event_stream import EventType

_DESCRIPTIONS: Final = {
    EventType.SETTLED: "A round was settled for the first time.",
    EventType.CORRECTED: "A round was resettled; its previous payouts were reversed.",
    EventType.VOIDED: "A round was voided: every bet is void, and its stake is refunded.",
}
_EVENTS: Final = {event["type"]: event for event in EXAMPLES["list_events"]["200"]["data"]}
SIGNED: Final = (
    "Signed as Standard Webhooks (v1) defines it. Answer 2xx within ten seconds; anything else is"
    " retried with exponential backoff. Delivery is at least once: deduplicate by webhook-id."
)
HEADERS: Final = {
    "webhook-id": (
        "The id of the event, the same for each attempt",
        _EVENTS[EventType.SETTLED]["id"],
    ),
    "webhook-timestamp": ("The time of this attempt, in seconds since 1970", "1795384804"),
    "webhook-signature": (
        "A signature for each valid secret, separated by spaces",
        "v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=",
    ),
}
"""By name: the description and an example."""
_PING: Final = {
    "type": PING,
    "timestamp": "2026-11-21T22:00:00Z",
    "data": {"webhook": "5b0e9a52-8f5e-4d0c-9a3e-0d4c1f8f4d11"},
}
_PING_SCHEMA: Final = {
    "type": "object",
    "properties": {
        "type": {"type": "string", "const": PING},
        "timestamp": {"type": "string", "format": "date-time"},
        "data": {"type": "object", "properties": {"webhook": {"type": "string"}}},
    },
    "required": ["type", "timestamp", "data"],
}


class Message(NamedTuple):
    """A message: its type, its description, its schema and an example."""

    name: str
    description: str
    schema: dict[str, Any]
    example: dict[str, Any]


MESSAGES: Final = (
    *(
        Message(of.value, description, {"$ref": "#/components/schemas/Event"}, _EVENTS[of.value])
        for of, description in _DESCRIPTIONS.items()
    ),
    Message(PING, "Sent when a ping was requested; it is not an event.", _PING_SCHEMA, _PING),
)
