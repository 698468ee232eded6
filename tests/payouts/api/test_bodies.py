"""What is sent in a body: each thing that is wrong is named, with what is needed (issue 8)."""

from collections.abc import Iterator
from typing import Any, Final

import pytest
from django.utils.translation import override

from payouts.api.disputes.bodies import AskedDispute, AskedProposal
from payouts.api.fields import Body
from payouts.api.index import described
from payouts.api.webhooks.told import AskedWebhookShape
from tests.payouts.api.calling import Program, issued, told

_DISPUTE: Final = {"round": "r-1", "reason": "wrong_payout", "text": "Player won."}
_CITED: Final = {"sheet": "BAC", "heading": "Regole del baccarat"}
_PROPOSAL: Final = {"verdict": "rejected", "text": "The Banker won.", "citations": [_CITED]}
_SETTLED: Final = ["round.settled"]
_WEBHOOK: Final = {"url": "https://studio.example/"}


def needed(body: type[Body], said: object) -> dict[str, str]:
    """What is needed, by the place where something is wrong."""
    form = body(data=said)
    form.is_valid()
    return dict(_places(form.errors, ""))


def _places(errors: Any, place: str) -> Iterator[tuple[str, str]]:  # noqa: ANN401  theirs
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
    ("body", "said", "place", "wanted"),
    [
        (AskedDispute, {**_DISPUTE, "claimed": 1}, "/claimed", "one of: round, bet_number, "),
        (AskedDispute, [], "", "an object"),
        (AskedDispute, {}, "/text", "a value: it is missing"),
        (AskedDispute, {**_DISPUTE, "text": None}, "/text", "a value other than null"),
        (AskedDispute, {**_DISPUTE, "text": 1}, "/text", "a text"),
        (AskedDispute, {**_DISPUTE, "text": ""}, "/text", "a text that is not empty"),
        (AskedDispute, {**_DISPUTE, "text": "x" * 4001}, "/text", "at most 4000 characters"),
        (AskedDispute, {**_DISPUTE, "reason": "luck"}, "/reason", "one of: wrong_payout, "),
        (AskedDispute, {**_DISPUTE, "reason": []}, "/reason", "one of: wrong_payout, "),
        (AskedDispute, {**_DISPUTE, "bet_number": "1"}, "/bet_number", "a whole number"),
        (AskedDispute, {**_DISPUTE, "bet_number": True}, "/bet_number", "a whole number"),
        (AskedDispute, {**_DISPUTE, "bet_number": -1}, "/bet_number", "at least 0"),
        (AskedDispute, {**_DISPUTE, "claimed_cents": 10**13}, "/claimed_cents", "at most 10000"),
        (AskedProposal, {**_PROPOSAL, "citations": "BAC"}, "/citations", "a list"),
        (AskedProposal, {**_PROPOSAL, "citations": ["BAC"]}, "/citations/0", "an object"),
        (
            AskedProposal,
            {**_PROPOSAL, "citations": [{**_CITED, "page": 3}]},
            "/citations/0/page",
            "one of: sheet, heading",
        ),
        (AskedWebhookShape, {**_WEBHOOK, "types": "all"}, "/types", "a list"),
        (AskedWebhookShape, {**_WEBHOOK, "types": ["won"]}, "/types/0", "one of: round.settled"),
        (AskedWebhookShape, {**_WEBHOOK, "types": _SETTLED * 9}, "/types", "at most 3"),
    ],
)
def test_what_is_wrong_is_told_with_what_is_needed(
    body: type[Body], said: object, place: str, wanted: str
) -> None:
    """The place, and what would be taken there; in Italian for whoever asks."""
    english = needed(body, said)
    with override("it"):
        italian = needed(body, said)

    assert english[place].startswith(wanted)
    assert italian[place] != english[place]


def test_a_name_that_a_body_does_not_have_is_told_with_what_was_found(db: None) -> None:
    """As is all else; nothing is done."""
    answer = Program(issued().token).post(
        "/api/v1/customer-tokens", {"customer": "p-1", "minute": 60}
    )

    assert answer.status_code == 422
    assert told(answer)["errors"] == [
        {"field": "/minute", "found": 60, "needed": "one of: customer, minutes"}
    ]


def test_what_is_right_is_taken() -> None:
    """Else the rest would say nothing."""
    assert needed(AskedDispute, _DISPUTE) == {}
    assert needed(AskedProposal, _PROPOSAL) == {}
    assert needed(AskedWebhookShape, _WEBHOOK) == {}


def test_the_description_closes_every_body() -> None:
    """Whoever generates a client from it learns that no other names are taken."""
    schemas = described()["components"]["schemas"]

    open_ones = [
        body.__name__
        for body in Body.__subclasses__()
        if schemas[body.__name__].get("additionalProperties") is not False
    ]
    assert len(Body.__subclasses__()) >= 9
    assert open_ones == []
