"""The messages that webhooks receive: declared once, for OpenAPI and AsyncAPI."""

from typing import Any, Final, NamedTuple

from casino.api.openapi.examples import EXAMPLES
from casino.integrations.events.representation import PING
from casino.integrations.events.types import EventType

_DESCRIPTIONS: Final = {
    EventType.SETTLED: "A round was settled for the first time.",
    EventType.CORRECTED: "A round was resettled; its previous payouts were reversed.",
    EventType.VOIDED: "A round was voided: every bet is void, and its stake is refunded.",
    EventType.DISPUTE_OPENED: "A customer disputes a round.",
    EventType.DISPUTE_IN_REVIEW: "A person has begun to review a dispute.",
    EventType.DISPUTE_QUESTION_SENT: "A dispute waits for the customer's answer to a question.",
    EventType.DISPUTE_ANSWERED: "The customer's answer was recorded.",
    EventType.DISPUTE_DUE: "The next step of a dispute is due soon.",
    EventType.DISPUTE_DECIDED: "A dispute was upheld, partly upheld or rejected.",
    EventType.DISPUTE_REMEDY_FAILED: "A remedy could not be carried out; the review goes on.",
    EventType.DISPUTE_CLOSED: "A dispute was closed; a remedy, if any, was carried out.",
    EventType.DISPUTE_ESCALATED: "The customer went to the external body.",
    EventType.DISPUTE_EXTERNAL_DECISION: "The external body confirmed or overturned a decision.",
    EventType.DISPUTE_REOPENED: "A closed dispute is reviewed again.",
    EventType.CASE_OPENED: "A case was opened: a malfunction, a correction, a refund, a credit.",
    EventType.CASE_PROPOSED: "A person proposed the decision of a case.",
    EventType.CASE_REFERRED: "The decision waits for the regulator.",
    EventType.CASE_ALLOWED: "The regulator permitted the decision.",
    EventType.CASE_REFUSED: "The regulator refused the decision.",
    EventType.CASE_APPROVED: "A second person approved the decision; it is being executed.",
    EventType.CASE_REJECTED: "A second person rejected the decision.",
    EventType.CASE_WITHDRAWN: "The case was withdrawn.",
    EventType.CASE_EXECUTED: "Every round and credit of the case was executed.",
}
_RECORDED: Final = {event["type"]: event for event in EXAMPLES["list_events"]["200"]["data"]}
SIGNED: Final = (
    "Signed as Standard Webhooks (v1) defines it. Answer 2xx within ten seconds; anything else is"
    " retried with exponential backoff. Delivery is at least once: deduplicate by webhook-id."
)
HEADERS: Final = {
    "webhook-id": (
        "The id of the event, the same for each attempt",
        _RECORDED[EventType.SETTLED]["id"],
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
    "sandbox": False,
    "data": {"webhook": "5b0e9a52-8f5e-4d0c-9a3e-0d4c1f8f4d11"},
}
_PING_SCHEMA: Final = {
    "type": "object",
    "properties": {
        "type": {"type": "string", "const": PING},
        "timestamp": {"type": "string", "format": "date-time"},
        "sandbox": {"type": "boolean"},
        "data": {"type": "object", "properties": {"webhook": {"type": "string"}}},
    },
    "required": ["type", "timestamp", "sandbox", "data"],
}


class Message(NamedTuple):
    """A message: its type, its description, its schema and an example."""

    name: str
    description: str
    schema: dict[str, Any]
    example: dict[str, Any]


def _example(event_type: EventType) -> dict[str, Any]:
    """A recorded event of the type, or of another type about the same with this type's name."""
    about = event_type.partition(".")[0]
    similar = (event for name, event in _RECORDED.items() if name.partition(".")[0] == about)
    return {**_RECORDED.get(event_type, next(similar)), "type": event_type.value}


MESSAGES: Final = (
    *(
        Message(of.value, description, {"$ref": "#/components/schemas/Event"}, _example(of))
        for of, description in _DESCRIPTIONS.items()
    ),
    Message(PING, "Sent when a ping was requested; it is not an event.", _PING_SCHEMA, _PING),
)
