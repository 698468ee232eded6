"""Every error in a request body is reported with its field and what is needed (issue 8)."""

from collections.abc import Iterator
from typing import Any, Final

import pytest
from django.utils.translation import override

from casino.api.disputes.bodies import DisputeRequest, ProposalRequest
from casino.api.fields import Body
from casino.api.index import openapi_document
from casino.api.webhooks.bodies import WebhookRequest
from casino.integrations.events.types import EventType
from tests.casino.api.api_client import Program, issued, json_of

_DISPUTE: Final = {"round": "r-1", "reason": "wrong_payout", "text": "Player won."}
_CITED: Final = {"sheet": "BAC", "heading": "Regole del baccarat"}
_PROPOSAL: Final = {"verdict": "rejected", "text": "The Banker won.", "citations": [_CITED]}
_SETTLED: Final = ["round.settled"]
_WEBHOOK: Final = {"url": "https://studio.example/"}


def needed(body: type[Body], body_data: object) -> dict[str, str]:
    """What is needed, by the path of each error."""
    form = body(data=body_data)
    form.is_valid()
    return dict(_places(form.errors, ""))


def _places(errors: Any, place: str) -> Iterator[tuple[str, str]]:
    if isinstance(errors, dict):
        for name, inner in errors.items():
            yield from _places(inner, place if name == "non_field_errors" else f"{place}/{name}")
    else:
        for number, inner in enumerate(errors):
            if isinstance(inner, dict):
                yield from _places(inner, f"{place}/{number}")
            else:
                yield place, str(inner)


@pytest.mark.parametrize(
    ("body", "body_data", "place", "expected"),
    [
        (DisputeRequest, {**_DISPUTE, "claimed": 1}, "/claimed", "one of: round, bet_number, "),
        (DisputeRequest, [], "", "an object"),
        (DisputeRequest, {}, "/text", "a value"),
        (DisputeRequest, {**_DISPUTE, "text": None}, "/text", "a value other than null"),
        (DisputeRequest, {**_DISPUTE, "text": 1}, "/text", "a string"),
        (DisputeRequest, {**_DISPUTE, "text": ""}, "/text", "a string that is not empty"),
        (DisputeRequest, {**_DISPUTE, "text": "x" * 4001}, "/text", "at most 4000 characters"),
        (DisputeRequest, {**_DISPUTE, "reason": "luck"}, "/reason", "one of: wrong_payout, "),
        (DisputeRequest, {**_DISPUTE, "reason": []}, "/reason", "one of: wrong_payout, "),
        (DisputeRequest, {**_DISPUTE, "bet_number": "1"}, "/bet_number", "a whole number"),
        (DisputeRequest, {**_DISPUTE, "bet_number": True}, "/bet_number", "a whole number"),
        (DisputeRequest, {**_DISPUTE, "bet_number": -1}, "/bet_number", "at least 0"),
        (DisputeRequest, {**_DISPUTE, "claimed_cents": 10**13}, "/claimed_cents", "at most 10000"),
        (ProposalRequest, {**_PROPOSAL, "citations": "BAC"}, "/citations", "a list"),
        (ProposalRequest, {**_PROPOSAL, "citations": ["BAC"]}, "/citations/0", "an object"),
        (
            ProposalRequest,
            {**_PROPOSAL, "citations": [{**_CITED, "page": 3}]},
            "/citations/0/page",
            "one of: sheet, heading",
        ),
        (WebhookRequest, {**_WEBHOOK, "types": "all"}, "/types", "a list"),
        (WebhookRequest, {**_WEBHOOK, "types": ["won"]}, "/types/0", "one of: round.settled"),
        (
            WebhookRequest,
            {**_WEBHOOK, "types": _SETTLED * 99},
            "/types",
            f"at most {len(EventType)}",
        ),
    ],
)
def test_an_invalid_value_is_reported_with_what_is_needed(
    body: type[Body], body_data: object, place: str, expected: str
) -> None:
    """With its path, in English and Italian."""
    english = needed(body, body_data)
    with override("it"):
        italian = needed(body, body_data)

    assert english[place].startswith(expected)
    assert italian[place] != english[place]


def test_an_unknown_name_is_reported_with_its_value(db: None) -> None:
    """Unknown fields are refused, without effect."""
    answer = Program(issued().token).post(
        "/api/v1/customer-tokens", {"customer": "p-1", "minute": 60}
    )

    assert answer.status_code == 422
    assert json_of(answer)["errors"] == [
        {"field": "/minute", "found": 60, "needed": "one of: customer, minutes"}
    ]


def test_valid_bodies_have_no_errors() -> None:
    """Verifies that the examples above are valid otherwise."""
    assert needed(DisputeRequest, _DISPUTE) == {}
    assert needed(ProposalRequest, _PROPOSAL) == {}
    assert needed(WebhookRequest, _WEBHOOK) == {}


def test_bodies_allow_no_additional_properties() -> None:
    """Generated clients learn that unknown fields are refused."""
    schemas = openapi_document()["components"]["schemas"]

    open_ones = [
        body.__name__
        for body in Body.__subclasses__()
        if schemas[body.__name__].get("additionalProperties") is not False
    ]
    assert len(Body.__subclasses__()) >= 9
    assert open_ones == []
