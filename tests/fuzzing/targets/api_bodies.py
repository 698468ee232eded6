"""Bodies of the API: taken, or refused by a 4xx whose problem can be read."""

import json
from typing import Any, Final

from django.test import RequestFactory
from rest_framework.request import Request

import tests.fuzzing.django_setup  # noqa: F401  before serializers are imported
from casino.api.customers.tokens import TokenRequest
from casino.api.disputes.bodies import (
    AnswerRequest,
    DisputeRequest,
    EscalationRequest,
    ProposalRequest,
)
from casino.api.dossiers.views import DossierRequest
from casino.api.exceptions import problem_of
from casino.api.fields import Body
from casino.api.parsing import JsonParser
from casino.api.rendering import JsonRenderer
from casino.api.webhooks.bodies import (
    ResendRequest,
    SecretRequest,
    WebhookChanges,
    WebhookRequest,
)
from casino.integrations.webhook_addresses import checked_url
from tests.fuzzing.json_mutation import JsonMutation
from tests.fuzzing.target import Target

_BODIES: Final[dict[str, type[Body]]] = {
    body.__name__: body
    for body in (
        *(AnswerRequest, DisputeRequest, EscalationRequest, ProposalRequest, DossierRequest),
        *(TokenRequest, ResendRequest, SecretRequest, WebhookChanges, WebhookRequest),
    )
}
_requests: Final = RequestFactory()


def check(data: bytes) -> None:
    """The body under the name of its operation: ``{"AnswerRequest": {"text": "…"}}``."""
    sent = _requests.post("/api/v1/x", data, content_type="application/json")
    request = Request(sent, parsers=[JsonParser()])
    try:
        _read(request)
    except Exception as error:
        check_refusal(error, request)


def _read(request: Request) -> None:
    body = request.data
    [(name, inner)] = body.items() if isinstance(body, dict) and len(body) == 1 else [("", body)]
    form = _BODIES.get(name, AnswerRequest)(data=inner)
    form.is_valid(raise_exception=True)
    if "url" in form.validated_data:
        checked_url(form.validated_data["url"])
    json.dumps(form.validated_data, default=str).encode()
    assert _texts_are_storable(form.validated_data)


def _texts_are_storable(value: Any) -> bool:
    """Whether PostgreSQL can store every text."""
    if isinstance(value, dict):
        return all(map(_texts_are_storable, value.values()))
    if isinstance(value, list | tuple):
        return all(map(_texts_are_storable, value))
    return not (isinstance(value, str) and "\0" in value)


def check_refusal(error: Exception, request: Request) -> None:
    """Raises the error unless it is a refusal, with a document that is valid JSON."""
    problem = problem_of(error, request)
    if problem is None or not 400 <= problem.status_code < 500:
        raise error
    document = problem.document(instance="urn:uuid:0")
    answer = json.loads(JsonRenderer().render(document), parse_constant=_no_json)
    assert answer["status"] == problem.status_code
    assert answer["detail"]
    assert all(entry["needed"] for entry in answer["errors"])


def _no_json(name: str) -> None:
    raise AssertionError(f"found {name} in an answer")


def seeds() -> list[bytes]:
    """A valid body of each operation."""
    texts: dict[str, Any] = {
        "AnswerRequest": {"text": "I was at the table."},
        "DisputeRequest": {
            "round": "r-1",
            "bet_number": 0,
            "bet": None,
            "customer": "p-1",
            "reason": "payout",
            "claimed_cents": 5000,
            "text": "It was a push.",
            "language": "it",
        },
        "EscalationRequest": {"reference": "ADR 1", "on_day": "2026-11-21", "text": ""},
        "ProposalRequest": {
            "verdict": "rejected",
            "text": "The rules give this.",
            "citations": [{"sheet": "BAC", "heading": "Regole del baccarat"}],
            "way": "refund",
            "remedy_words": "",
            "accepted_loss_cents": 0,
        },
        "DossierRequest": {"audience": "customer"},
        "TokenRequest": {"hours": 24, "customer": "p-1", "days": 30},
        "ResendRequest": {
            "given_up_since": "2026-11-21T21:10:10Z",
            "given_up_before": "2026-11-22T21:10:10+01:00",
        },
        "SecretRequest": {"overlap_hours": 24},
        "WebhookChanges": {"types": ["round.settled"], "description": ""},
        "WebhookRequest": {"url": "https://example.com/x", "types": [], "cursor": "12"},
    }
    return [json.dumps({name: body}).encode() for name, body in texts.items()]


TARGET = Target(check, seeds, JsonMutation(seeds()), longest=2048)
