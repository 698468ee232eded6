"""Linters and client generators accept the OpenAPI document (issue 17).

``make check-api`` asks Redocly, Spectral and openapi-generator themselves; what they found once is
held here, where nothing but Python is needed.
"""

import json
from collections.abc import Iterator
from typing import Any, Final

from jsonschema import Draft202012Validator

from casino.api.index import openapi_document
from casino.api.rounds.ndjson import NDJSON
from rounds.rules.catalogue import RULE_SETS
from tests.casino.api.calling import Program, json_of
from tests.documents import baccarat_round

_SCHEMAS: Final = "#/components/schemas/"


def operations() -> Iterator[dict[str, Any]]:
    """Every call, and every message that is sent to webhooks."""
    for section in ("paths", "webhooks"):
        for methods in openapi_document()[section].values():
            yield from methods.values()


def nodes(of: Any) -> Iterator[dict[str, Any]]:
    """Every object in it, however deep."""
    if isinstance(of, dict):
        yield of
    for child in of.values() if isinstance(of, dict) else of if isinstance(of, list) else ():
        yield from nodes(child)


def delivery() -> dict[str, Any]:
    """What is sent with ``POST /rounds``, by media type."""
    content = openapi_document()["paths"]["/api/v1/rounds"]["post"]["requestBody"]["content"]
    return dict(content)


def validator(schema: dict[str, Any]) -> Draft202012Validator:
    """Of a schema that refers to components."""
    return Draft202012Validator({**schema, "components": openapi_document()["components"]})


class TestTheDescription:
    def test_has_the_schemes_that_its_calls_name(self) -> None:
        """None was under components, and each call named one: 56 errors of Redocly."""
        schemes = openapi_document()["components"]["securitySchemes"]

        named = {
            name
            for operation in operations()
            for needed in operation["security"]
            for name in needed
        }
        assert named == set(schemes) == {"key"}
        assert (schemes["key"]["type"], schemes["key"]["scheme"]) == ("http", "bearer")

    def test_asks_for_scopes_where_no_program_takes_them_for_those_of_oauth(self) -> None:
        """Spectral flags each scope of a scheme that lists none, and a bearer token lists none."""
        requested = [
            scope
            for operation in operations()
            for needed in operation["security"]
            for scope in needed["key"]
        ]

        assert requested == []
        assert any(operation.get("x-scopes") for operation in operations())

    def test_says_where_it_is_served(self) -> None:
        """By an address that is right on every host."""
        assert [server["url"] for server in openapi_document()["servers"]] == ["/"]

    def test_says_who_answers_for_it_and_its_licence(self) -> None:
        """Both are asked for by linters."""
        info = openapi_document()["info"]

        assert info["contact"]["name"]
        assert info["license"]["identifier"] == "Apache-2.0"

    def test_has_no_address_that_ends_in_a_stroke(self, db: None) -> None:
        """And the first page is there with and without one."""
        assert [path for path in openapi_document()["paths"] if path.endswith("/")] == []

        assert json_of(Program("").get("/api/v1")) == json_of(Program("").get("/api/v1/"))

    def test_has_links_without_bodies(self) -> None:
        """The parser of openapi-generator takes texts there and nothing else."""
        links = [
            link
            for node in nodes(openapi_document())
            for link in node.get("links", {}).values()
            if isinstance(link, dict)
        ]

        assert any("operationId" in link for link in links)
        assert [link for link in links if "requestBody" in link] == []

    def test_refers_to_nothing_that_it_lacks(self) -> None:
        """Every name of a schema, those of discriminators too."""
        schemas = openapi_document()["components"]["schemas"]
        named = {
            name
            for node in nodes(openapi_document())
            for name in (node.get("$ref"), *node.get("mapping", {}).values())
            if isinstance(name, str)
        }

        assert len(named) > 50
        assert {name for name in named if name.removeprefix(_SCHEMAS) not in schemas} == set()

    def test_chooses_by_a_field_that_each_choice_has(self) -> None:
        """A discriminator that leads to a further choice is one that generators drop."""
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
        """Not just any object: a generated client has a type for each."""
        schemas = openapi_document()["components"]["schemas"]

        assert delivery()["application/json"]["schema"] == {"$ref": f"{_SCHEMAS}FeedDocument"}
        assert set(schemas["FeedRound"]["discriminator"]["mapping"]) == set(RULE_SETS)

    def test_takes_a_round_and_not_a_mistyped_one(self) -> None:
        """By its schema alone."""
        fits = validator(delivery()["application/json"]["schema"])

        assert fits.is_valid(baccarat_round("r-1"))
        assert not fits.is_valid({**baccarat_round("r-1"), "sesion": "M1"})
        assert not fits.is_valid({"feed": "round/1"})

    def test_is_as_lines_a_document_a_line(self) -> None:
        """What the text holds is described, too, and the example is one."""
        content = delivery()[NDJSON]
        [example] = content["examples"].values()
        fits = validator(content["schema"]["contentSchema"])

        documents = [json.loads(line) for line in example["value"].splitlines()]
        assert [document["feed"] for document in documents] == ["shoe/1", "round/1"]
        assert fits.is_valid(documents)
        assert not fits.is_valid([{"feed": "round/2"}])
