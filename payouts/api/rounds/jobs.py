"""Jobs: deliveries that the workers take in, with their progress and their answers."""

import zlib
from collections.abc import Iterator
from typing import Any
from uuid import UUID

from django.http import HttpResponse, StreamingHttpResponse
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from payouts.api import problems
from payouts.api.caller import Caller
from payouts.api.problems import FieldError, Problem
from payouts.api.rendering import JsonRenderer
from payouts.api.rounds import described
from payouts.api.rounds.ndjson import NDJSON, NdjsonRenderer
from payouts.api.rounds.told import moment
from payouts.api.scopes import Scope
from payouts.api.views import ApiView
from payouts.models import FeedAnswers, FeedUpload

_ROOT = "/api/v1/rounds/jobs/"


class JobView(ApiView):
    """A job of the key that began it."""

    needs = {"GET": (Scope.ROUNDS_WRITE,)}

    @extend_schema(**described.JOB)
    def get(self, _request: Request, job: UUID) -> Response:
        """How far the workers have come. `finished` says that every line is answered."""
        return Response(job_told(_own(job, self.caller)))


class JobAnswersView(ApiView):
    """What became of each line of a job."""

    needs = {"GET": (Scope.ROUNDS_WRITE,)}
    renderer_classes = (NdjsonRenderer, JsonRenderer)  # type: ignore[assignment]  # more

    @extend_schema(**described.JOB_ANSWERS)
    def get(self, _request: Request, job: UUID) -> HttpResponse:
        """NDJSON: a line for each document, by its number, as far as the workers have come."""
        answers = _answers(_own(job, self.caller))
        return StreamingHttpResponse(answers, content_type=NDJSON)  # type: ignore[return-value]  # HttpResponseBase both


def job_told(upload: FeedUpload) -> dict[str, Any]:
    """A job as its key is told of it."""
    address = f"{_ROOT}{upload.delivery}"
    return {
        "id": str(upload.delivery),
        "status": _status(upload),
        "percent": upload.percent,
        "bytes": upload.size,
        "lines": upload.lines,
        "verdicts": {
            "accepted": upload.rounds + upload.shoes,
            "known": upload.known,
            "conflict": upload.conflicts,
            "refused": upload.quarantined,
        },
        "delivered_at": moment(upload.uploaded_at),
        "finished_at": moment(upload.finished_at),
        "links": {"self": address, "answers": f"{address}/answers"},
    }


def _status(upload: FeedUpload) -> str:
    if upload.finished_at is not None:
        return "finished"
    if upload.last_error:
        return "failing"  # it is tried again, and persons see it
    return "waiting" if upload.begun_at is None else "running"


def _own(job: UUID, caller: Caller) -> FeedUpload:
    found = FeedUpload.objects.filter(delivery=job, sender=caller.key.handle).first()
    if found is None:
        error = FieldError("path:job", str(job), _("a job that this key began"))
        raise Problem(problems.NOT_FOUND, errors=[error])
    return found


def _answers(upload: FeedUpload) -> Iterator[bytes]:
    kept = FeedAnswers.objects.filter(upload=upload).order_by("line")
    for content in kept.values_list("content", flat=True).iterator(chunk_size=10):
        yield zlib.decompress(content)
