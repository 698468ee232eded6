"""The settings of drf-spectacular: title, tags and hooks of the OpenAPI document."""

from typing import Any, Final

OPENAPI_SETTINGS: Final[dict[str, Any]] = {
    "OAS_VERSION": "3.1.1",
    "TITLE": "Sabot",
    "VERSION": "v1",
    "DESCRIPTION": "Ingest rounds; read results, explanations and disputes.",
    "CONTACT": {"name": "The operator of this installation"},
    "LICENSE": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
    "SERVERS": [{"url": "/", "description": "The host that serves this document"}],
    "SCHEMA_PATH_PREFIX": "/api/v1",
    "COMPONENT_SPLIT_PATCH": False,  # the body of a PATCH declares its own optional fields
    "TAGS": [  # in the order of the reference
        {"name": "rounds", "description": "Ingestion, validation, settlement and proofs."},
        {
            "name": "customers",
            "description": "A customer's rounds, and tokens for customers.",
        },
        {
            "name": "disputes",
            "description": "Customers' disputes, with evidence and dossiers.",
        },
        {"name": "exports", "description": "Bundles and certificates for the regulator."},
        {
            "name": "events",
            "description": "Changes of rounds and disputes, to be polled.",
        },
        {
            "name": "webhooks",
            "description": "The delivery of events by HTTPS, and its failures.",
        },
        {"name": "about", "description": "The entry points and the problem types of this API."},
    ],
    "POSTPROCESSING_HOOKS": [
        "casino.api.openapi.enumerations.name_enumerations",
        "casino.api.openapi.schema.add_components",
        "casino.api.events.openapi.add_webhooks",
        "casino.api.links.add_links",
    ],
}
