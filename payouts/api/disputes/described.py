"""How the calls about disputes are described in OpenAPI."""

from collections.abc import Mapping
from typing import Any, Final

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiExample, OpenApiParameter, OpenApiResponse

from payouts.api.disputes import bodies, examples, forms
from payouts.api.problems import MEDIA_TYPE
from payouts.api.rounds.described import CURSOR, answer, limit
from payouts.api.rounds.examples import NOT_IN_LOG
from payouts.disputes.standing import State
from payouts.services.open_case import EVIDENCE_TYPES

TAG: Final = ["disputes"]
_FORM: Final = "multipart/form-data"
_PROBLEM: Final[dict[str, Any]] = {"$ref": "#/components/schemas/Problem"}
DISPUTE_NAME: Final = OpenApiParameter(
    "dispute",
    str,
    OpenApiParameter.PATH,
    description="The name of the dispute",
    examples=[OpenApiExample("the first", value="D-0001")],
)
IF_MATCH: Final = OpenApiParameter(
    "If-Match",
    str,
    OpenApiParameter.HEADER,
    required=False,
    description="The ETag of the dispute that this is meant upon; where it is another now, 412",
)
_IF_NONE_MATCH: Final = OpenApiParameter(
    "If-None-Match", str, OpenApiParameter.HEADER, required=False
)
_LOCATION: Final = OpenApiParameter(
    "Location", str, OpenApiParameter.HEADER, response=[201], description="Where it is now"
)
_ETAG: Final = OpenApiParameter("ETag", str, OpenApiParameter.HEADER, response=[200, 201])


def asked(value: object, media_type: str = "application/json") -> OpenApiExample:
    """The example of a body."""
    return OpenApiExample("asked", value=value, request_only=True, media_type=media_type)


def changing(responses: Mapping[Any, Any]) -> dict[Any, Any]:
    """These, and that the dispute is another by now."""
    return {**responses, (412, MEDIA_TYPE): OpenApiResponse(_PROBLEM, "It has changed since")}


MOVED: Final = answer(examples.MOVED, "412", MEDIA_TYPE)

DISPUTES: Final[dict[str, Any]] = {
    "operation_id": "list_disputes",
    "tags": TAG,
    "summary": "Disputes, newest first",
    "parameters": [
        OpenApiParameter("state", str, enum=State.values),
        OpenApiParameter(
            "overdue", bool, description="Whether the next step should have been taken by now"
        ),
        OpenApiParameter("customer", str, description="Pseudonym of the customer"),
        OpenApiParameter("round", str, description="Sabot's id of the round, or the studio's"),
        OpenApiParameter(
            "from", OpenApiTypes.DATETIME, description="Opened then or later; with its zone"
        ),
        OpenApiParameter("to", OpenApiTypes.DATETIME, description="Opened before; with its zone"),
        limit(50, 200),
        CURSOR,
    ],
    "responses": forms.Disputes,
    "examples": [answer({"data": [examples.IN_SHORT], "next": None})],
}
OPENING: Final[dict[str, Any]] = {
    "operation_id": "open_dispute",
    "tags": TAG,
    "summary": "Open a dispute",
    "request": bodies.AskedDispute,
    "parameters": [_LOCATION, _ETAG],
    "responses": {201: forms.WholeDispute},
    "examples": [asked(examples.ASKED), answer(examples.WHOLE, "201")],
}
DISPUTE: Final[dict[str, Any]] = {
    "operation_id": "read_dispute",
    "tags": TAG,
    "summary": "All about a dispute",
    "parameters": [DISPUTE_NAME, _IF_NONE_MATCH, _ETAG],
    "responses": {200: forms.WholeDispute, 304: OpenApiResponse(None, "It is as you know it")},
    "examples": [answer(examples.WHOLE)],
}
STEPS: Final[dict[str, Any]] = {
    "operation_id": "list_dispute_steps",
    "tags": TAG,
    "summary": "What was done about a dispute",
    "parameters": [DISPUTE_NAME, limit(50, 100), CURSOR],
    "responses": forms.DisputeSteps,
    "examples": [answer({"data": [examples.STEP], "next": None})],
}
PROOF: Final[dict[str, Any]] = {
    "operation_id": "prove_dispute_record",
    "tags": TAG,
    "summary": "That a record which the finding names is in the signed log",
    "parameters": [
        DISPUTE_NAME,
        OpenApiParameter("record", OpenApiTypes.UUID, OpenApiParameter.PATH),
    ],
    "responses": {
        200: forms.RecordProof,
        (409, MEDIA_TYPE): OpenApiResponse(_PROBLEM, "It is not in the signed log yet"),
    },
    "examples": [answer(examples.PROOF), answer(NOT_IN_LOG, "409", MEDIA_TYPE)],
}
ANSWER: Final[dict[str, Any]] = {
    "operation_id": "answer_dispute",
    "tags": TAG,
    "summary": "Hand in the customer's answer",
    "request": bodies.AskedAnswer,
    "parameters": [DISPUTE_NAME, IF_MATCH, _LOCATION, _ETAG],
    "responses": changing({201: forms.WholeDispute}),
    "examples": [asked({"text": "The third box."}), answer(examples.WHOLE, "201"), MOVED],
}
ESCALATION: Final[dict[str, Any]] = {
    "operation_id": "escalate_dispute",
    "tags": TAG,
    "summary": "Put a dispute before the outside body",
    "request": bodies.AskedEscalation,
    "parameters": [DISPUTE_NAME, IF_MATCH, _LOCATION, _ETAG],
    "responses": changing({201: forms.WholeDispute}),
    "examples": [asked(examples.LETTER), answer(examples.WHOLE, "201"), MOVED],
}
PROPOSALS: Final[dict[str, Any]] = {
    "operation_id": "list_proposals",
    "tags": TAG,
    "summary": "The decisions that programs proposed",
    "parameters": [DISPUTE_NAME, limit(50, 100), CURSOR],
    "responses": forms.Proposals,
    "examples": [answer({"data": [examples.PROPOSAL], "next": None})],
}
PROPOSING: Final[dict[str, Any]] = {
    "operation_id": "propose_decision",
    "tags": TAG,
    "summary": "Propose a decision",
    "request": bodies.AskedProposal,
    "parameters": [DISPUTE_NAME, IF_MATCH, _LOCATION],
    "responses": changing({201: forms.Proposal}),
    "examples": [asked(examples.ASKED_PROPOSAL), answer(examples.PROPOSAL, "201"), MOVED],
}
PROPOSED: Final[dict[str, Any]] = {
    "operation_id": "read_proposal",
    "tags": TAG,
    "summary": "A decision that a program proposed",
    "parameters": [
        DISPUTE_NAME,
        OpenApiParameter(
            "proposal",
            {"type": "integer", "minimum": 1},
            OpenApiParameter.PATH,
            examples=[OpenApiExample("id", value=1)],
        ),
    ],
    "responses": forms.Proposal,
    "examples": [answer(examples.PROPOSAL)],
}
EVIDENCE: Final[dict[str, Any]] = {
    "operation_id": "list_evidence",
    "tags": TAG,
    "summary": "The files of a dispute",
    "parameters": [DISPUTE_NAME, limit(50, 100), CURSOR],
    "responses": forms.EvidenceList,
    "examples": [answer({"data": [examples.EVIDENCE], "next": None})],
}
_PART: Final[dict[str, Any]] = {
    "type": "object",
    "properties": {"file": {"type": "string", "format": "binary"}},
    "required": ["file"],
}
_BYTES: Final[dict[str, Any]] = {"type": "string", "format": "binary"}
ADDING: Final[dict[str, Any]] = {
    "operation_id": "add_evidence",
    "tags": TAG,
    "summary": "Hand in a file",
    "request": {_FORM: _PART, **dict.fromkeys(EVIDENCE_TYPES, _BYTES)},
    "parameters": [
        DISPUTE_NAME,
        OpenApiParameter("name", str, description="The name of a file that is the body itself"),
        IF_MATCH,
        _LOCATION,
    ],
    "responses": changing({201: forms.Evidence}),
    "examples": [
        asked({"file": "%PDF-1.7 …"}, _FORM),
        *(asked("%PDF-1.7 …", one) for one in EVIDENCE_TYPES),
        answer(examples.EVIDENCE, "201"),
        MOVED,
    ],
}
FILE: Final[dict[str, Any]] = {
    "operation_id": "read_evidence",
    "tags": TAG,
    "summary": "A file that was handed in",
    "parameters": [
        DISPUTE_NAME,
        OpenApiParameter("sha256", str, OpenApiParameter.PATH, description="Of the file, in hex"),
    ],
    "responses": {(200, one): OpenApiResponse(_BYTES, "The file") for one in EVIDENCE_TYPES},
    "examples": [answer("%PDF-1.7 …", media_type=one) for one in EVIDENCE_TYPES],
}
