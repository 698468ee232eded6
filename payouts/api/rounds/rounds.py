"""``/rounds``: rounds delivered by studios, and the list of those that are stored."""

from collections.abc import Callable
from http import HTTPStatus
from typing import IO, Any, Final
from uuid import UUID

from django.db import transaction
from django.http import FileResponse, HttpResponse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import UnsupportedMediaType
from rest_framework.parsers import JSONParser
from rest_framework.request import Request
from rest_framework.response import Response

from payouts.api import problems
from payouts.api.asked import CURSOR, LIMIT
from payouts.api.problems import MEDIA_TYPE, FieldError, Problem, kind
from payouts.api.recording import Outcome
from payouts.api.rendering import JsonRenderer
from payouts.api.rounds import described, listing
from payouts.api.rounds.bodies import lines_of, pieces_of
from payouts.api.rounds.delivering import (
    begin_job,
    blank,
    digest_of,
    keep_body,
    take_document,
    take_stream,
)
from payouts.api.rounds.jobs import job_told
from payouts.api.rounds.ndjson import NDJSON, NdjsonParser, NdjsonRenderer
from payouts.api.rounds.told import links_of
from payouts.api.scopes import Scope
from payouts.api.views import ApiView, idempotency_key
from payouts.queries import standings_of
from payouts.services.answers import ACCEPTED, CONFLICT, REFUSED
from payouts.tasks import ring_for_uploads
from rounds.tasks import ring_for_settlement

LARGEST_DOCUMENT: Final = 8 << 20
"""Octets of a document that is taken at once; a larger one becomes a job."""
_JSON: Final = "application/json"
_ASYNC: Final = "respond-async"

ROUND_IN_CONFLICT: Final = kind(
    "round-in-conflict",
    409,
    _("The round is stored with other content"),
    _("A delivered round never changes. Both documents are kept, and a person decides."),
)
STREAM_STOPPED: Final = kind(
    "stream-stopped",
    500,
    _("Sabot failed in the middle of a stream"),
    _("Send the whole stream again: what was taken already is answered as known."),
)


class RoundsView(ApiView):
    """Rounds in, and those that are there."""

    needs = {"GET": (Scope.ROUNDS_READ,), "POST": (Scope.ROUNDS_WRITE,)}
    asks = {"GET": (*listing.FILTERS, LIMIT, CURSOR)}
    largest_body = LARGEST_DOCUMENT
    parser_classes = (JSONParser, NdjsonParser)  # type: ignore[assignment]  # more
    renderer_classes = (JsonRenderer, NdjsonRenderer)  # type: ignore[assignment]  # more
    _file: IO[bytes] | None = None

    @extend_schema(**described.ROUNDS)
    def get(self, _request: Request) -> Response:
        """Newest play first. What a key may not see is not listed."""
        return Response(listing.listed(self.asked, self.caller))

    @extend_schema(**described.DELIVERY)
    def post(self, request: Request) -> Response:
        """Takes documents of the feed (round/1, shoe/1): one, a stream, or a job.

        **One document** is `application/json`: 201 when it is taken, 200 when the very same was
        taken before, 409 when the round is stored with other content, 422 when it cannot be taken.
        A document in conflict and one that cannot be taken are kept for persons to look at. Held
        for anomalies is no refusal: that comes with the settlement, and the round tells it.

        **A stream** is `application/x-ndjson`, a document a line. It is answered with a line for
        each, by its number; each batch is stored for good before the next is read. A stream that
        broke off is simply sent again: what was taken is `known`. It needs no Idempotency-Key and
        none is looked at; the studio's ids of rounds do the same.

        **A job**, with `Prefer: respond-async` (a document of more than 8 MiB becomes one by
        itself), is kept and done by the workers; 202 leads to its progress and its answers. The
        body of a job may be gzip.
        """
        if self._file is not None:
            return self._begin_job(self._file)
        answer = take_document(
            request._request.body,  # noqa: SLF001  documented: the request of Django
            key=self.caller.key,
            at=timezone.now(),
            actor=self.caller.actor,
        )
        if answer is None:
            raise blank()
        transaction.on_commit(ring_for_settlement)
        return self._told(answer)

    def _carry_out(self, request: Request) -> HttpResponse:
        """A stream is no single transaction; all else is as with every call."""
        if request.method == "POST":
            if "Idempotency-Key" in request.headers:
                idempotency_key(request)  # a stream has no use for it, but takes none that is none
            if _form_of(request) == NDJSON and not _is_job(request):
                return self._take_stream(request)
        try:
            return super()._carry_out(request)
        finally:
            if self._file is not None:
                self._file.close()

    def _once(
        self, request: Request, method: Callable[..., HttpResponse], asked: bytes
    ) -> HttpResponse:
        """The Idempotency-Key may be missing: a round's own id does what it does."""
        if "Idempotency-Key" in request.headers:
            return super()._once(request, method, asked)
        answer = method(request, *self.args, **self.kwargs)
        self._record(request, Outcome(answer.status_code, asked=asked))
        return answer

    def _digest(self, request: Request) -> bytes:
        """That of a job is made while its body is kept, which may be larger than the memory."""
        if not _is_job(request):
            return super()._digest(request)
        digest = digest_of(_line_of(request))
        pieces = pieces_of(request._request, as_it_is=True)  # noqa: SLF001  as above
        self._file = keep_body(pieces, digest, is_document=_form_of(request) == _JSON)
        return bytes(digest.digest())

    def _take_stream(self, request: Request) -> HttpResponse:
        caller, digest = self.caller, digest_of(_line_of(request))
        try:
            answers = take_stream(
                lines_of(_noted(pieces_of(request._request), digest)),  # noqa: SLF001  as above
                key=caller.key,
                actor=caller.actor,
                now=timezone.now,
                after_batch=ring_for_settlement,
            )
        except Problem:
            raise
        except Exception as error:
            raise Problem(STREAM_STOPPED) from error
        self._record(request, Outcome(HTTPStatus.OK, asked=digest.digest()))
        return FileResponse(answers, content_type=NDJSON)  # type: ignore[return-value]  # theirs is narrower

    def _begin_job(self, file: IO[bytes]) -> Response:
        upload = begin_job(file, key=self.caller.key, at=timezone.now(), actor=self.caller.actor)
        transaction.on_commit(ring_for_uploads)
        told = job_told(upload)
        headers = {"Location": told["links"]["self"], "Preference-Applied": _ASYNC}
        return Response(told, HTTPStatus.ACCEPTED, headers=headers)

    def _told(self, answer: dict[str, Any]) -> Response:
        verdict = answer["verdict"]
        if verdict in (CONFLICT, REFUSED):
            of = ROUND_IN_CONFLICT if verdict == CONFLICT else problems.REFUSED
            problem = Problem(of, errors=[FieldError(**one) for one in answer["errors"]])
            document = problem.document(instance=self.call_id.urn)
            return Response(document, of.status, content_type=MEDIA_TYPE)
        status = HTTPStatus.CREATED if verdict == ACCEPTED else HTTPStatus.OK
        told = {name: value for name, value in answer.items() if name != "line"}
        if "shoe" in told:
            return Response(told, status)
        links, round_id = links_of(answer["id"]), UUID(answer["id"])
        standing = standings_of([round_id])[round_id]
        told |= {"status": standing.status.value, "links": links}
        return Response(told, status, headers={"Location": links["self"]})


def _form_of(request: Request) -> str:
    """The media type of the body. Raises UnsupportedMediaType."""
    form = request.content_type.partition(";")[0].strip().lower()
    if form not in (_JSON, NDJSON):
        raise UnsupportedMediaType(request.content_type)
    return form


def _is_job(request: Request) -> bool:
    asked = request.headers.get("Prefer", "").lower().split(",")
    if _ASYNC in (one.partition(";")[0].strip() for one in asked):
        return True
    length = int(request.headers.get("Content-Length") or 0)
    return _form_of(request) == _JSON and length > LARGEST_DOCUMENT


def _line_of(request: Request) -> str:
    return f"{request.method} {request.get_full_path()} {request.content_type}\n"


def _noted(pieces: Any, digest: Any) -> Any:  # noqa: ANN401
    for piece in pieces:
        digest.update(piece)
        yield piece
