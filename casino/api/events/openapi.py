"""The messages that webhooks receive, in the ``webhooks`` section of OpenAPI 3.1."""

from typing import Any, Final

from casino.api.events.messages import HEADERS, MESSAGES, SIGNED, Message

_ANSWERS: Final = {
    "2XX": {"description": "Accepted"},
    "410": {"description": "Stop: no further events are sent"},
}


def add_webhooks(
    result: dict[str, Any],
    generator: Any,
    request: Any,
    public: bool,  # noqa: FBT001  drf-spectacular's signature
) -> dict[str, Any]:
    """Adds the messages that webhooks receive."""
    result["webhooks"] = {message.name: {"post": _operation(message)} for message in MESSAGES}
    return result


def _operation(message: Message) -> dict[str, Any]:
    body = {"schema": message.schema, "examples": {message.name: {"value": message.example}}}
    return {
        "operationId": f"receive_{message.name.replace('.', '_')}",
        "summary": message.description,
        "description": f"{message.description} {SIGNED}",
        "parameters": [_header(name, *texts) for name, texts in HEADERS.items()],
        "requestBody": {"required": True, "content": {"application/json": body}},
        "responses": _ANSWERS,
        "security": [],
    }


def _header(name: str, description: str, example: str) -> dict[str, Any]:
    return {
        "name": name,
        "in": "header",
        "required": True,
        "description": description,
        "schema": {"type": "string"},
        "example": example,
    }
