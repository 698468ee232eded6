"""Linters and client generators accept the OpenAPI document (issue 17).

``make check-api`` runs Redocly, Spectral and openapi-generator. These tests hold what they once
reported, with Python alone.
"""

import json
from collections.abc import Iterator
from typing import Any, Final

from jsonschema import Draft202012Validator

from casino.api.index import openapi_document
from casino.api.rounds.ndjson import NDJSON
from rounds.rules.catalogue import RULE_SETS
from tests.casino.api.api_client import Program, json_of
from tests.documents import baccarat_round

_SCHEMAS: Final = "#/components/schemas/"


def operations() -> Iterator[dict[str, Any]]:
    """Every operation, and every webhook message."""
    for section in ("paths", "webhooks"):
        for methods in openapi_document()[section].values():
            yield from methods.values()


def nodes(of: Any) -> Iterator[dict[str, Any]]:
    """Every object of the document, at any depth."""
    if isinstance(of, dict):
        yield of
    for child in of.values() if isinstance(of, dict) else of if isinstance(of, list) else ():
        yield from nodes(child)


def delivery() -> dict[str, Any]:
    """The request body of ``POST /rounds`` by media type."""
    content = openapi_document()["paths"]["/api/v1/rounds"]["post"]["requestBody"]["content"]
    return dict(content)


def validator(schema: dict[str, Any]) -> Draft202012Validator:
    """A validator of a schema that refers to components."""
    return Draft202012Validator({**schema, "components": openapi_document()["components"]})


class TestTheDescription:
    def test_defines_the_security_schemes_it_uses(self) -> None:
        """Redocly reported 56 errors without them."""
        schemes = openapi_document()["components"]["securitySchemes"]

        named = {
            name
            for operation in operations()
            for needed in operation["security"]
            for name in needed
        }
        assert named == set(schemes) == {"key"}
        assert (schemes["key"]["type"], schemes["key"]["scheme"]) == ("http", "bearer")

    def test_declares_scopes_outside_of_security(self) -> None:
        """Spectral rejects scopes of a bearer scheme."""
        requested = [
            scope
            for operation in operations()
            for needed in operation["security"]
            for scope in needed["key"]
        ]

        assert requested == []
        assert any(operation.get("x-scopes") for operation in operations())

    def test_has_a_relative_server_url(self) -> None:
        """It is right on every host."""
        assert [server["url"] for server in openapi_document()["servers"]] == ["/"]

    def test_has_contact_and_licence(self) -> None:
        """Linters require both."""
        info = openapi_document()["info"]

        assert info["contact"]["name"]
        assert info["license"]["identifier"] == "Apache-2.0"

    def test_has_no_trailing_slashes(self, db: None) -> None:
        """The index answers with and without one."""
        assert [path for path in openapi_document()["paths"] if path.endswith("/")] == []

        assert json_of(Program("").get("/api/v1")) == json_of(Program("").get("/api/v1/"))

    def test_has_links_without_bodies(self) -> None:
        """openapi-generator cannot parse objects there."""
        links = [
            link
            for node in nodes(openapi_document())
            for link in node.get("links", {}).values()
            if isinstance(link, dict)
        ]

        assert any("operationId" in link for link in links)
        assert [link for link in links if "requestBody" in link] == []

    def test_has_every_referenced_schema(self) -> None:
        """Discriminator mappings and headers included."""
        components = openapi_document()["components"]
        named = {
            name
            for node in nodes(openapi_document())
            for name in (node.get("$ref"), *node.get("mapping", {}).values())
            if isinstance(name, str)
        }

        assert len(named) > 50
        declared = {
            f"#/components/{kind}/{name}" for kind in components for name in components[kind]
        }
        assert named - declared == set()

    def test_discriminators_are_fields_of_each_choice(self) -> None:
        """Generators drop nested discriminators."""
        schemas = openapi_document()["components"]["schemas"]
        chosen = [
            schema["discriminator"] for schema in schemas.values() if "discriminator" in schema
        ]

        assert chosen
        for discriminator in chosen:
            for value, name in discriminator["mapping"].items():
                choice = schemas[name.removeprefix(_SCHEMAS)]
                assert discriminator["propertyName"] in choice["required"]
                assert choice["properties"][discriminator["propertyName"]]["enum"] == [value]


class TestTheBodyOfADelivery:
    def test_is_a_round_of_each_game_or_a_shoe(self) -> None:
        """Generated clients have a type for each."""
        schemas = openapi_document()["components"]["schemas"]

        assert delivery()["application/json"]["schema"] == {"$ref": f"{_SCHEMAS}FeedDocument"}
        assert set(schemas["FeedRound"]["discriminator"]["mapping"]) == set(RULE_SETS)

    def test_accepts_a_round_and_refuses_a_mistyped_one(self) -> None:
        """By its schema alone."""
        fits = validator(delivery()["application/json"]["schema"])

        assert fits.is_valid(baccarat_round("r-1"))
        assert not fits.is_valid({**baccarat_round("r-1"), "sesion": "M1"})
        assert not fits.is_valid({"feed": "round/1"})

    def test_is_required(self) -> None:
        """As is evidence; drf-spectacular knows it of JSON alone."""
        required = {
            str(operation["operationId"]): operation["requestBody"].get("required", False)
            for operation in operations()
            if "requestBody" in operation
        }

        assert required["deliver_rounds"]
        assert required["add_evidence"]
        assert not required["resend_dead_letters"]

    def test_is_declared_as_ndjson(self) -> None:
        """The lines are described, and the example is valid."""
        content = delivery()[NDJSON]
        [example] = content["examples"].values()
        fits = validator(content["schema"]["contentSchema"])

        documents = [json.loads(line) for line in example["value"].splitlines()]
        assert {document["feed"] for document in documents} == {"shoe/1", "round/1"}
        assert fits.is_valid(documents)
        assert not fits.is_valid([{"feed": "round/2"}])
