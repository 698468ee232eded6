"""``/jobs``: deliveries processed by workers, their progress and their results."""

import zlib
from collections.abc import Iterator
from typing import Final
from uuid import UUID

from django.http import HttpResponse, StreamingHttpResponse
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse
from rest_framework.request import Request
from rest_framework.response import Response

from casino.api import problems
from casino.api.client.shapes.rounds import Job, JobLinks, JobVerdicts
from casino.api.openapi.components import component
from casino.api.openapi.operations import operation
from casino.api.problems import FieldError, Problem
from casino.api.rendering import JsonRenderer
from casino.api.rounds.ndjson import NDJSON, NdjsonRenderer
from casino.api.views import ApiView
from casino.integrations.caller import Caller
from casino.integrations.scopes import Scope
from rounds.models.upload import FeedAnswers, FeedUpload

_TAG: Final = "rounds"
_ROOT: Final = "/api/v1/jobs/"
_JOB: Final = OpenApiParameter("job", OpenApiTypes.UUID, OpenApiParameter.PATH)
LINES: Final = {"type": "string", "description": "JSON, one result per line"}


class JobView(ApiView):
    """A job of the key that calls."""

    required_scopes = {"GET": (Scope.ROUNDS_WRITE,)}

    @operation("read_job", "Read the progress of a job", component(Job), [_JOB], tag=_TAG)
    def get(self, _request: Request, job: UUID) -> Response:
        """The progress of the workers. When it is `finished`, every line has a result."""
        return Response(job_of(_get_job(job, self.caller)))


class JobResultsView(ApiView):
    """The results of a job."""

    required_scopes = {"GET": (Scope.ROUNDS_WRITE,)}
    renderer_classes = (NdjsonRenderer, JsonRenderer)  # type: ignore[assignment]  # more

    @operation(
        "list_job_results",
        "List the results of a job",
        {(200, NDJSON): OpenApiResponse(LINES, "One result per line")},
        [_JOB],
        tag=_TAG,
    )
    def get(self, _request: Request, job: UUID) -> HttpResponse:
        """NDJSON: the results so far, one line per document, with its line number."""
        answers = _results(_get_job(job, self.caller))
        return StreamingHttpResponse(answers, content_type=NDJSON)  # type: ignore[return-value]  # HttpResponseBase both


def job_of(upload: FeedUpload) -> Job:
    """A job with its progress."""
    if upload.delivery is None:
        raise ValueError(f"upload {upload.pk} is of a person and is no job of the API")
    address = f"{_ROOT}{upload.delivery}"
    return Job(
        id=upload.delivery,
        status=_status(upload),
        percent=upload.percent,
        bytes=upload.size,
        lines=upload.lines,
        verdicts=JobVerdicts(
            accepted=upload.rounds + upload.shoes,
            known=upload.known,
            conflict=upload.conflicts,
            refused=upload.quarantined,
        ),
        delivered_at=upload.uploaded_at,
        finished_at=upload.finished_at,
        links=JobLinks(self=address, results=f"{address}/results"),
    )


def _status(upload: FeedUpload) -> str:
    if upload.finished_at is not None:
        return "finished"
    if upload.last_error:
        return "failing"  # it is retried, and people see it
    return "waiting" if upload.begun_at is None else "running"


def _get_job(job: UUID, caller: Caller) -> FeedUpload:
    upload = FeedUpload.objects.filter(delivery=job, sender=caller.key.handle).first()
    if upload is None:
        error = FieldError("path:job", str(job), _("a job that this key started"))
        raise Problem(problems.NOT_FOUND, errors=[error])
    return upload


def _results(upload: FeedUpload) -> Iterator[bytes]:
    rows = FeedAnswers.objects.filter(upload=upload).order_by("line")
    for content in rows.values_list("content", flat=True).iterator(chunk_size=10):
        yield zlib.decompress(content)
