"""How the calls about rounds are described in OpenAPI."""

from typing import Any, Final

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiExample, OpenApiParameter, OpenApiResponse

from payouts.api.problems import MEDIA_TYPE
from payouts.api.rounds import examples, forms
from payouts.api.rounds.ndjson import NDJSON
from payouts.queries import RoundStatus
from rounds.rules.catalogue import RULE_SETS

_JSON: Final = "application/json"
TAG: Final = ["rounds"]
CURSOR: Final = OpenApiParameter(
    "cursor", str, description="`next` of the page before, of the same list with the same filters"
)
CUSTOMER: Final = OpenApiParameter(
    "customer", str, description="The bets and the money of this customer alone"
)
_ROUND: Final = OpenApiParameter(
    "round",
    str,
    OpenApiParameter.PATH,
    description="Sabot's id of the round, or the studio's",
    examples=[
        OpenApiExample("id", value=examples.ROUND_ID),
        OpenApiExample("studio", value=examples.DOCUMENT["round"]),
    ],
)


def limit(default: int, most: int) -> OpenApiParameter:
    """How many rows a page has."""
    schema = {"type": "integer", "minimum": 1, "maximum": most, "default": default}
    return OpenApiParameter("limit", schema, description="Rows of a page")


def answer(value: object, status: str = "200", media_type: str = _JSON) -> OpenApiExample:
    """The example of an answer."""
    return OpenApiExample(
        f"answer {status}",
        value=value,
        response_only=True,
        status_codes=[status],
        media_type=media_type,
    )


_ANY: Final[dict[str, Any]] = {
    "type": "object",
    "description": "A document of the feed contract, round/1 or shoe/1, in each of its fields.",
    "properties": {"feed": {"type": "string", "enum": ["round/1", "shoe/1"]}},
    "required": ["feed"],
}
_LINES: Final = {"type": "string", "description": "JSON, an answer a line"}

DELIVERY: Final[dict[str, Any]] = {
    "operation_id": "deliver_rounds",
    "tags": TAG,
    "summary": "Deliver rounds and shoes",
    "request": {_JSON: _ANY, NDJSON: {"description": "JSON, a document of the feed a line"}},
    "responses": {
        (200, _JSON): OpenApiResponse(forms.Taken, "It was taken before"),
        (200, NDJSON): OpenApiResponse(_LINES, "Of a stream: an answer to each line"),
        (201, _JSON): OpenApiResponse(forms.Taken, "It is taken"),
        (202, _JSON): OpenApiResponse(forms.Job, "The workers take it in"),
    },
    "parameters": [
        OpenApiParameter(
            "Idempotency-Key",
            {"type": "string", "minLength": 1, "maxLength": 255, "pattern": "^[ -~]+$"},
            OpenApiParameter.HEADER,
            required=False,
            description=(
                "With a document or a job: the first answer is given again, byte for byte. It may"
                " be missing, because the studio's id of a round does as much."
            ),
        ),
        OpenApiParameter(
            "Prefer",
            str,
            OpenApiParameter.HEADER,
            required=False,
            description="`respond-async`: as a job",
        ),
    ],
    "examples": [
        OpenApiExample("a round", value=examples.DOCUMENT, request_only=True, media_type=_JSON),
        OpenApiExample(
            "a stream",
            value='{"feed": "shoe/1", …}\n{"feed": "round/1", …}\n',
            request_only=True,
            media_type=NDJSON,
        ),
        answer({**examples.TAKEN, "verdict": "known", "status": "settled"}),
        answer(examples.ANSWERS, media_type=NDJSON),
        answer(examples.TAKEN, "201"),
        answer({**examples.JOB, "status": "waiting", "percent": 0, "lines": 0}, "202"),
    ],
}
_A_JOB: Final = OpenApiParameter("job", OpenApiTypes.UUID, OpenApiParameter.PATH)
JOB: Final[dict[str, Any]] = {
    "operation_id": "read_job",
    "tags": TAG,
    "summary": "How far a job has come",
    "parameters": [_A_JOB],
    "responses": forms.Job,
    "examples": [answer(examples.JOB)],
}
JOB_ANSWERS: Final[dict[str, Any]] = {
    "operation_id": "read_job_answers",
    "tags": TAG,
    "summary": "What became of each line of a job",
    "parameters": [_A_JOB],
    "responses": {(200, NDJSON): OpenApiResponse(_LINES, "An answer to each line")},
    "examples": [answer(examples.ANSWERS, media_type=NDJSON)],
}
ROUNDS: Final[dict[str, Any]] = {
    "operation_id": "list_rounds",
    "tags": TAG,
    "summary": "Rounds, newest play first",
    "parameters": [
        OpenApiParameter("table", str, description="Code of a table"),
        OpenApiParameter("rules", str, enum=sorted(RULE_SETS)),
        OpenApiParameter("status", str, enum=RoundStatus.values),
        OpenApiParameter(
            "from", OpenApiTypes.DATETIME, description="Opened then or later; with its zone"
        ),
        OpenApiParameter("to", OpenApiTypes.DATETIME, description="Opened before; with its zone"),
        CUSTOMER,
        OpenApiParameter("session", str, description="AAMS session id"),
        limit(50, 200),
        CURSOR,
    ],
    "responses": {(200, _JSON): forms.Rounds},
    "examples": [answer({"data": [examples.IN_SHORT], "next": None})],
}
_BETS: Final = [_ROUND, CUSTOMER, limit(50, 200), CURSOR]
ROUND: Final[dict[str, Any]] = {
    "operation_id": "read_round",
    "tags": TAG,
    "summary": "All about a round",
    "parameters": [
        *_BETS,
        OpenApiParameter("If-None-Match", str, OpenApiParameter.HEADER, required=False),
    ],
    "responses": {200: forms.WholeRound, 304: OpenApiResponse(None, "It is as you know it")},
    "examples": [answer(examples.ROUND)],
}
BETS: Final[dict[str, Any]] = {
    "operation_id": "list_bets",
    "tags": TAG,
    "summary": "A round's bets",
    "parameters": _BETS,
    "responses": forms.Bets,
    "examples": [answer(examples.BETS)],
}
TIMELINE: Final[dict[str, Any]] = {
    "operation_id": "read_timeline",
    "tags": TAG,
    "summary": "What was recorded about a round",
    "parameters": [_ROUND, limit(50, 100), CURSOR],
    "responses": forms.Timeline,
    "examples": [answer(examples.TIMELINE)],
}
RECEIPT: Final[dict[str, Any]] = {
    "operation_id": "read_receipt",
    "tags": TAG,
    "summary": "Proofs of a round, to take away",
    "parameters": [_ROUND],
    "responses": {
        200: forms.Receipt,
        (409, MEDIA_TYPE): OpenApiResponse(
            {"$ref": "#/components/schemas/Problem"}, "It is not in the signed log yet"
        ),
    },
    "examples": [
        answer(examples.RECEIPT),
        answer(examples.NOT_IN_LOG, "409", MEDIA_TYPE),
    ],
}
