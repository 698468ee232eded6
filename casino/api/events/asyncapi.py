"""The events as AsyncAPI 3: what webhooks receive, and what a client polls.

Its messages are those of the OpenAPI document's ``webhooks``, its schemas the components there.
"""

import json
import re
from collections.abc import Mapping
from typing import Any, Final

from casino.api.events.messages import HEADERS, MESSAGES, SIGNED, Message
from casino.api.openapi.examples import EXAMPLES

_SCHEMAS: Final = "#/components/schemas/"
_REFERENCE: Final = re.compile(f'"{_SCHEMAS}([A-Za-z0-9]+)"')
_PAGE: Final = "events"
_SIGNATURE: Final = {
    "type": "object",
    "properties": {
        name: {"type": "string", "description": description, "examples": [example]}
        for name, (description, example) in HEADERS.items()
    },
    "required": list(HEADERS),
}


def asyncapi_of(openapi: Mapping[str, Any]) -> dict[str, Any]:
    """The AsyncAPI document that belongs to an OpenAPI document."""
    schemas = openapi["components"]["schemas"]
    messages = {message.name: _message(message) for message in MESSAGES}
    page = {
        "title": "A page of events",
        "payload": {"$ref": f"{_SCHEMAS}EventPage"},
        "examples": [{"payload": EXAMPLES["list_events"]["200"]}],
    }
    delivered = {name: {"$ref": f"#/components/messages/{name}"} for name in messages}
    return {
        "asyncapi": "3.0.0",
        "info": {
            **{name: openapi["info"][name] for name in ("title", "version", "contact")},
            "description": "Changes of rounds, disputes and cases: sent to webhooks, and polled.",
            "license": {"name": openapi["info"]["license"]["name"]},
            "tags": [tag for tag in openapi["tags"] if tag["name"] in ("events", "webhooks")],
        },
        "servers": {
            "sabot": _server("The host that serves this document"),
            "receiver": _server("The host of a webhook's address"),
        },
        "defaultContentType": "application/json",
        "channels": {
            "webhook": {
                "address": None,
                "servers": [{"$ref": "#/servers/receiver"}],
                "title": "A webhook",
                "description": "The `url` of a webhook.",
                "messages": delivered,
            },
            _PAGE: {
                "address": "/api/v1/events",
                "servers": [{"$ref": "#/servers/sabot"}],
                "title": "The event stream",
                "description": "Continue with `cursor`: `next` of the previous page.",
                "messages": {_PAGE: {"$ref": f"#/components/messages/{_PAGE}"}},
            },
        },
        "operations": {
            "deliver_event": _operation("webhook", "POST", f"Sent to each webhook. {SIGNED}"),
            "list_events": _operation(_PAGE, "GET", "The answer to a client that polls."),
        },
        "components": {
            "messages": {**messages, _PAGE: page},
            "schemas": _referenced([*messages.values(), page], schemas),
        },
    }


def _server(description: str) -> dict[str, Any]:
    host = {"description": description}
    return {
        "host": "{host}",
        "protocol": "https",
        "description": description,
        "variables": {"host": host},
    }


def _operation(channel: str, method: str, description: str) -> dict[str, Any]:
    return {
        "action": "send",
        "channel": {"$ref": f"#/channels/{channel}"},
        "description": description,
        "bindings": {"http": {"method": method, "bindingVersion": "0.3.0"}},
    }


def _message(message: Message) -> dict[str, Any]:
    headers = {name: example for name, (_description, example) in HEADERS.items()}
    return {
        "name": message.name,
        "title": message.name,
        "summary": message.description,
        "headers": _SIGNATURE,
        "payload": message.schema,
        "examples": [{"headers": headers, "payload": message.example}],
    }


def _referenced(of: Any, schemas: Mapping[str, Any]) -> dict[str, Any]:
    """The schemas that ``of`` refers to, and those that they refer to."""
    found: dict[str, Any] = {}
    wanted = set(_REFERENCE.findall(json.dumps(of)))
    while wanted:
        name = wanted.pop()
        found[name] = schemas[name]
        wanted |= set(_REFERENCE.findall(json.dumps(schemas[name]))) - found.keys()
    return dict(sorted(found.items()))
