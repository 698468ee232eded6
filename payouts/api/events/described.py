"""What is sent to webhooks, in the section of OpenAPI 3.1 that is made for it."""

from typing import Any, Final

from payouts.api.events.shapes import EVENT_EXAMPLE
from payouts.api.events.stream import EventType
from payouts.api.events.told import PING

_ABOUT: Final = {
    EventType.SETTLED: "A round was settled for the first time.",
    EventType.CORRECTED: "A round was settled again; what it had paid was undone.",
    EventType.VOIDED: "A round was cancelled: every bet is void, and its stakes go back.",
}
_SIGNED: Final = (
    " Signed as Standard Webhooks (v1) has it. Answer 2xx within ten seconds; anything else is sent"
    " again with growing pauses. The same message may come twice: by its webhook-id you know it."
)
_HEADERS: Final = (
    ("webhook-id", "The id of the event, the same each time it is sent", EVENT_EXAMPLE["id"]),
    ("webhook-timestamp", "When this attempt was made, in seconds since 1970", "1795384804"),
    (
        "webhook-signature",
        "A signature for each secret in force, apart by spaces",
        "v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=",
    ),
)
_ANSWERS: Final = {
    "2XX": {"description": "It was taken"},
    "410": {"description": "No more is wanted; the webhook is stopped"},
}
_PING: Final = {
    "type": PING,
    "timestamp": "2026-11-21T22:00:00Z",
    "data": {"webhook": "5b0e9a52-8f5e-4d0c-9a3e-0d4c1f8f4d11"},
}
_PING_SHAPE: Final = {
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
    generator: Any,  # noqa: ANN401, ARG001  theirs
    request: Any,  # noqa: ANN401, ARG001
    public: bool,  # noqa: ARG001, FBT001
) -> dict[str, Any]:
    """Adds what is sent to webhooks to the description."""
    event = {"$ref": "#/components/schemas/Event"}
    result["webhooks"] = {
        of.value: _sent(of.value, about, event, EVENT_EXAMPLE | {"type": of.value})
        for of, about in _ABOUT.items()
    }
    about = "Sent when a ping was asked for; it is no event."
    result["webhooks"][PING] = _sent(PING, about, _PING_SHAPE, _PING)
    return result


def _sent(name: str, about: str, shape: Any, example: Any) -> dict[str, Any]:  # noqa: ANN401  JSON
    body = {"schema": shape, "examples": {name: {"value": example}}}
    operation = {
        "operationId": f"receive_{name.replace('.', '_')}",
        "summary": about,
        "description": about + _SIGNED,
        "parameters": [_header(*one) for one in _HEADERS],
        "requestBody": {"required": True, "content": {"application/json": body}},
        "responses": _ANSWERS,
    }
    return {"post": operation}


def _header(name: str, about: str, example: str) -> dict[str, Any]:
    return {
        "name": name,
        "in": "header",
        "required": True,
        "description": about,
        "schema": {"type": "string"},
        "example": example,
    }
