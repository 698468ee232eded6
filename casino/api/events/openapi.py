"""The messages that webhooks receive, in the ``webhooks`` section of OpenAPI 3.1."""

from typing import Any, Final

from casino.api.openapi.examples import EXAMPLES
from casino.integrations.event_representation import PING
from casino.integrations.event_stream import EventType

_EXAMPLE: Final = EXAMPLES["Event"]
_DESCRIPTIONS: Final = {
    EventType.SETTLED: "A round was settled for the first time.",
    EventType.CORRECTED: "A round was resettled; its previous payouts were reversed.",
    EventType.VOIDED: "A round was voided: every bet is void, and its stake is refunded.",
}
_SIGNED: Final = (
    " Signed as Standard Webhooks (v1) defines it. Answer 2xx within ten seconds; anything else is"
    " retried with exponential backoff. Delivery is at least once: deduplicate by webhook-id."
)
_HEADERS: Final = (
    ("webhook-id", "The id of the event, the same for each attempt", _EXAMPLE["id"]),
    ("webhook-timestamp", "The time of this attempt, in seconds since 1970", "1795384804"),
    (
        "webhook-signature",
        "A signature for each valid secret, separated by spaces",
        "v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=",
    ),
)
_ANSWERS: Final = {
    "2XX": {"description": "Accepted"},
    "410": {"description": "Stop: no further events are sent"},
}
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


def add_webhooks(
    result: dict[str, Any],
    generator: Any,
    request: Any,
    public: bool,  # noqa: FBT001  drf-spectacular's signature
) -> dict[str, Any]:
    """Adds the messages that webhooks receive."""
    event = {"$ref": "#/components/schemas/Event"}
    result["webhooks"] = {
        event_type.value: _message(
            event_type.value, description, event, _EXAMPLE | {"type": event_type.value}
        )
        for event_type, description in _DESCRIPTIONS.items()
    }
    description = "Sent when a ping was requested; it is not an event."
    result["webhooks"][PING] = _message(PING, description, _PING_SCHEMA, _PING)
    return result


def _message(name: str, summary: str, schema: Any, example: Any) -> dict[str, Any]:
    body = {"schema": schema, "examples": {name: {"value": example}}}
    operation = {
        "operationId": f"receive_{name.replace('.', '_')}",
        "summary": summary,
        "description": summary + _SIGNED,
        "parameters": [_header(*header) for header in _HEADERS],
        "requestBody": {"required": True, "content": {"application/json": body}},
        "responses": _ANSWERS,
        "security": [],
    }
    return {"post": operation}


def _header(name: str, description: str, example: str) -> dict[str, Any]:
    return {
        "name": name,
        "in": "header",
        "required": True,
        "description": description,
        "schema": {"type": "string"},
        "example": example,
    }
