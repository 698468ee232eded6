"""Programs and customers that open disputes, for tests."""

from typing import Any, Final

from django.http import HttpResponse

from tests.casino.api.api_client import Program, customer_token, json_of
from tests.casino.api.studio import studio

DISPUTES: Final = "/api/v1/disputes"
PDF: Final = b"%PDF-1.7\n"
PNG: Final = b"\x89PNG\r\n\x1a\nscreen"
SERVICE: Final = ("disputes:read", "disputes:write")
SAID: Final[dict[str, Any]] = {
    "round": "r-1",
    "customer": "p-1",
    "reason": "wrong_payout",
    "text": "I had Player and it won.",
}


def service(**key_fields: Any) -> Program:
    """Customer service's program, which opens and reads disputes."""
    return studio(**{"owner": "Customer service", "scopes": SERVICE, **key_fields})


def own(customer: str, **key: Any) -> Program:
    """A program with a customer's token."""
    return Program(customer_token(customer, **key))


def contest(program: Program, *, once: str | None = None, **fields: Any) -> HttpResponse:
    """Opens a dispute about all bets of p-1 in r-1; None removes a field."""
    body = {name: value for name, value in {**SAID, **fields}.items() if value is not None}
    return program.post(DISPUTES, body, once=once)


def contested(program: Program, **fields: Any) -> dict[str, Any]:
    """Opens a dispute and returns it."""
    answer = contest(program, **fields)
    assert answer.status_code == 201, answer.content
    return dict(json_of(answer))


def hand_in(program: Program, dispute: str, content: bytes = PDF, **options: str) -> HttpResponse:
    """Uploads a file as the body of the call."""
    name = options.pop("name", "statement.pdf")
    media_type = options.pop("media_type", "application/pdf")
    path = f"{DISPUTES}/{dispute}/evidence?name={name}"
    return program.post(path, content, Content_Type=media_type, **options)


def read(program: Program, path: str = "") -> Any:
    """The JSON of a dispute or of the list."""
    answer = program.get(f"{DISPUTES}{path}")
    assert answer.status_code == 200, answer.content
    return json_of(answer)
