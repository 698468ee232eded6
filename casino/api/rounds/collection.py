"""``/rounds``: deliver rounds, list rounds."""

from collections.abc import Callable
from datetime import datetime
from http import HTTPStatus
from typing import IO, Any, Final
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.http import FileResponse, HttpResponse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse
from rest_framework.exceptions import UnsupportedMediaType
from rest_framework.request import Request
from rest_framework.response import Response

from casino.api import problems
from casino.api.call_log import Outcome
from casino.api.client.shapes import rounds as shapes
from casino.api.client.shapes.page import Page
from casino.api.openapi.components import component
from casino.api.openapi.operations import IDEMPOTENCY_KEY, JSON, header, operation
from casino.api.parsing import JsonParser
from casino.api.problems import MEDIA_TYPE, FieldError, Problem, declare_problem
from casino.api.rendering import JsonRenderer
from casino.api.rounds import round_list
from casino.api.rounds.bodies import read_pieces, split_lines
from casino.api.rounds.deliveries import (
    begin_job,
    buffer_body,
    digest_of,
    empty_body,
    pieces_of,
    take_document,
    take_stream,
    too_large,
)
from casino.api.rounds.jobs import LINES, job_of
from casino.api.rounds.ndjson import NDJSON, NdjsonParser, NdjsonRenderer
from casino.api.rounds.representation import round_links
from casino.api.rounds.signed_requests import is_signed_request, verify_request
from casino.api.views import ApiView, idempotency_key
from casino.integrations.scopes import Scope
from payouts.settlement.queries import settlement_statuses
from payouts.tasks import wake_upload_workers
from rounds.feed import DOCUMENT
from rounds.signatures.message_signature import ContentDigests
from rounds.signatures.signature import Signature
from rounds.uploads.document_answers import ACCEPTED, CONFLICT, REFUSED
from rounds.wake_workers import wake_settlement_workers

LARGEST_DOCUMENT: Final = 8 << 20
"""Octets of a document that is stored at once; a larger one becomes a job."""
_ASYNC: Final = "respond-async"

ROUND_IN_CONFLICT: Final = declare_problem(
    "round-in-conflict",
    409,
    _("The round is stored with different content"),
    _("A stored round never changes. Both documents are kept for review by a user."),
)
STREAM_STOPPED: Final = declare_problem(
    "stream-stopped",
    500,
    _("Server error in the middle of a stream"),
    _("Send the whole stream again. Documents that are already stored are reported as known."),
)


_DOCUMENT: Final[dict[str, Any]] = {"$ref": f"#/components/schemas/{DOCUMENT}"}
_DOCUMENTS: Final[dict[str, Any]] = {
    "type": "string",
    "description": "JSON, one document of the feed per line",
    "contentMediaType": NDJSON,
    "contentSchema": {"type": "array", "items": _DOCUMENT},
}


class RoundsView(ApiView):
    """Delivery and list of rounds."""

    required_scopes = {"GET": (Scope.ROUNDS_READ,), "POST": (Scope.ROUNDS_WRITE,)}
    largest_body = LARGEST_DOCUMENT
    parser_classes = (JsonParser, NdjsonParser)  # type: ignore[assignment]  # more
    renderer_classes = (JsonRenderer, NdjsonRenderer)  # type: ignore[assignment]  # more
    _file: IO[bytes] | None = None

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self._body_digests = ContentDigests()

    @operation(
        "list_rounds",
        "List rounds",
        {(200, JSON): component(Page[shapes.ListedRound])},
        round_list.PARAMETERS,
    )
    def get(self, _request: Request) -> Response:
        """Newest first, those that the key may read."""
        return Response(round_list.round_page(self.params, self.caller))

    @operation(
        "deliver_rounds",
        "Deliver rounds and shoes",
        {
            (200, JSON): OpenApiResponse(component(shapes.DeliveryResult), "It was stored before"),
            (200, NDJSON): OpenApiResponse(LINES, "For a stream: one result per line"),
            (201, JSON): OpenApiResponse(component(shapes.DeliveryResult), "It is stored"),
            (202, JSON): OpenApiResponse(component(shapes.Job), "It is queued for the workers"),
        },
        [
            OpenApiParameter(
                "Idempotency-Key",
                IDEMPOTENCY_KEY,
                OpenApiParameter.HEADER,
                required=False,
                description=(
                    "With a document or a job: a repeated call gets the first answer again, byte"
                    " for byte. Optional, because the studio's id of a round is unique."
                ),
            ),
            header("Prefer", "`respond-async`: as a job"),
            header("Content-Digest", "The digest of a signed body, RFC 9530"),
            header("Signature-Input", "What the studio signed, RFC 9421"),
            header("Signature", "The studio's signature, RFC 9421"),
        ],
        request={JSON: _DOCUMENT, NDJSON: _DOCUMENTS},
    )
    def post(self, request: Request) -> Response:
        """Stores documents of the feed (round/1, shoe/1): one, a stream, or a job.

        **One document** is `application/json`: 201 if it is new, 200 if the same document is
        stored already, 409 if the round is stored with other content, 422 if it is invalid.
        Conflicting and invalid documents are kept for review by people. A round that is held for
        anomalies is accepted here; its status changes when it is validated.

        **A stream** is `application/x-ndjson`, one document per line. The answer has one result
        per line, with the line number; each batch is committed before the next is read. After an
        interruption, send the whole stream again: stored documents are `known`. The
        Idempotency-Key is ignored, because the studio's ids of rounds are unique.

        **A job**, with `Prefer: respond-async` (or for a document of more than 8 MiB), is
        processed by workers; 202 has the addresses of its progress and its results. The body of a
        job may be gzip.

        A request may be **signed** by the studio (RFC 9421, RFC 9530): rounds of tables that
        require signatures are held otherwise. If the signature is wrong, the answer is 400 and
        nothing is stored.
        """
        at = timezone.now()
        if self._file is not None:
            return self._begin_job(request, self._file, at=at)
        body = request._request.body
        self._body_digests.update(body)
        result = take_document(
            body,
            signature=verify_request(request, self._body_digests, lambda: [body], at=at),
            key=self.caller.key,
            at=at,
            actor=self.caller.actor,
        )
        if result is None:
            raise empty_body()
        transaction.on_commit(wake_settlement_workers)
        return self._delivery_response(result)

    def _handle(self, request: Request) -> HttpResponse:
        """A stream is not one transaction; everything else is like other calls."""
        if request.method == "POST" and "Idempotency-Key" in request.headers:
            idempotency_key(request)  # a stream ignores it, but an invalid one is an error
        try:
            is_stream = request.method == "POST" and _media_type(request) == NDJSON
            if is_stream and not _is_job(request):
                return self._take_stream(request)
            return super()._handle(request)
        finally:
            if self._file is not None:
                self._file.close()

    def _post_once(
        self, request: Request, method: Callable[..., HttpResponse], digest: bytes
    ) -> HttpResponse:
        """The Idempotency-Key is optional: the studio's id of a round is unique."""
        if "Idempotency-Key" in request.headers:
            return super()._post_once(request, method, digest)
        answer = self._rendered(request, method)
        self._record(request, Outcome(answer.status_code, digest=digest))
        return answer

    def _digest(self, request: Request) -> bytes:
        """The digest of a job is computed while its body is buffered on disk."""
        if not _is_job(request):
            return super()._digest(request)
        if int(request.headers.get("Content-Length") or 0) > settings.FEED_UPLOAD_BYTES:
            raise too_large()
        digest = digest_of(_request_line(request))
        pieces = read_pieces(request._request, allow_encoding=True)
        self._file = buffer_body(pieces, digest, self._body_digests)
        return bytes(digest.digest())

    def _take_stream(self, request: Request) -> HttpResponse:
        caller, digest = self.caller, digest_of(_request_line(request))
        pieces = _add_to_digest(read_pieces(request._request), digest)
        signature: Signature | None = None
        if is_signed_request(request):  # nothing is stored before the whole body is verified
            file = self._file = buffer_body(pieces, self._body_digests)
            signature = verify_request(
                request, self._body_digests, lambda: pieces_of(file), at=timezone.now()
            )
            pieces = pieces_of(file)
        try:
            results = take_stream(
                split_lines(pieces),
                signature=signature,
                key=caller.key,
                actor=caller.actor,
                now=timezone.now,
                after_batch=wake_settlement_workers,
            )
        except Problem:
            raise
        except Exception as error:
            raise Problem(STREAM_STOPPED) from error
        self._record(request, Outcome(HTTPStatus.OK, digest=digest.digest()))
        return FileResponse(results, content_type=NDJSON)  # type: ignore[return-value]  # theirs is narrower

    def _begin_job(self, request: Request, file: IO[bytes], *, at: datetime) -> Response:
        upload = begin_job(
            file,
            is_document=_media_type(request) == JSON,
            signature=verify_request(request, self._body_digests, lambda: pieces_of(file), at=at),
            key=self.caller.key,
            at=at,
            actor=self.caller.actor,
        )
        transaction.on_commit(wake_upload_workers)
        job = job_of(upload)
        headers = {"Location": job.links.self, "Preference-Applied": _ASYNC}
        return Response(job, HTTPStatus.ACCEPTED, headers=headers)

    def _delivery_response(self, result: dict[str, Any]) -> Response:
        verdict = result["verdict"]
        if verdict in (CONFLICT, REFUSED):
            problem_type = ROUND_IN_CONFLICT if verdict == CONFLICT else problems.REFUSED
            errors = [FieldError(**error) for error in result["errors"]]
            document = Problem(problem_type, errors=errors).document(instance=self.call_id.urn)
            return Response(document, problem_type.status, content_type=MEDIA_TYPE)
        status = HTTPStatus.CREATED if verdict == ACCEPTED else HTTPStatus.OK
        if "shoe" in result:
            shoe = shapes.DeliveryResult(
                verdict=verdict,
                round=None,
                id=None,
                shoe=result["shoe"],
                anomalies=(),
                status=None,
                links=None,
            )
            return Response(shoe, status)
        links, round_id = round_links(result["id"]), UUID(result["id"])
        answer = shapes.DeliveryResult(
            verdict=verdict,
            round=result["round"],
            id=round_id,
            shoe=None,
            anomalies=tuple(result["anomalies"]),
            status=settlement_statuses([round_id])[round_id].status.value,
            links=links,
        )
        return Response(answer, status, headers={"Location": links.self})


def _media_type(request: Request) -> str:
    """The media type of the body. Raises UnsupportedMediaType."""
    media_type = request.content_type.partition(";")[0].strip().lower()
    if media_type not in (JSON, NDJSON):
        raise UnsupportedMediaType(request.content_type)
    return media_type


def _is_job(request: Request) -> bool:
    preferences = request.headers.get("Prefer", "").lower().split(",")
    if _ASYNC in (preference.partition(";")[0].strip() for preference in preferences):
        return True
    length = int(request.headers.get("Content-Length") or 0)
    return _media_type(request) == JSON and length > LARGEST_DOCUMENT


def _request_line(request: Request) -> str:
    return f"{request.method} {request.get_full_path()} {request.content_type}\n"


def _add_to_digest(pieces: Any, digest: Any) -> Any:
    for piece in pieces:
        digest.update(piece)
        yield piece
