"""``/jobs``: deliveries processed by workers: progress, results, cancellation."""

import zlib
from collections.abc import Iterator
from functools import partial
from typing import Final
from uuid import UUID

from django.db.models import QuerySet
from django.http import HttpResponse, StreamingHttpResponse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse
from rest_framework.request import Request
from rest_framework.response import Response

from casino.api import problems
from casino.api.client.shapes.page import Page
from casino.api.client.shapes.rounds import Job, JobLinks, JobVerdicts
from casino.api.openapi.components import component
from casino.api.openapi.operations import operation
from casino.api.pages import Listing, Order
from casino.api.problems import FieldError, Problem
from casino.api.rendering import JsonRenderer
from casino.api.rounds.ndjson import NDJSON, NdjsonRenderer
from casino.api.views import ApiView
from casino.integrations.caller import Caller
from casino.integrations.scopes import Scope
from rounds.models.upload import FeedAnswers, FeedUpload
from rounds.uploads.finish_upload import UploadFinished, cancel_upload

_TAG: Final = "rounds"
_ROOT: Final = "/api/v1/jobs/"
_JOB: Final = OpenApiParameter("job", OpenApiTypes.UUID, OpenApiParameter.PATH)
LINES: Final = {"type": "string", "description": "JSON, one result per line"}
_SCOPES: Final = (Scope.ROUNDS_WRITE,)
_LISTING: Final = Listing(
    "jobs",
    (
        Order("delivered", "Delivered", columns=("uploaded_at", "id")),
        Order("finished", "Finished or cancelled", columns=("finished_at", "id")),
    ),
)
JOB_FINISHED: Final = problems.declare_problem(
    "job-finished",
    409,
    gettext_lazy("The job is finished"),
    gettext_lazy("Every line was read. Only an unfinished job can be cancelled."),
)


class JobsView(ApiView):
    """The jobs of the key that calls."""

    required_scopes = {"GET": _SCOPES}

    @operation(
        "list_jobs",
        "List the jobs of the key",
        component(Page[Job]),
        _LISTING.parameters,
        tag=_TAG,
    )
    def get(self, _request: Request) -> Response:
        """Newest first, finished and cancelled ones too."""
        jobs, key, shapes = _jobs_of(self.caller), self.caller.key.pk, partial(map, job_of)
        return Response(_LISTING.page(jobs, self.params, key, shapes=shapes))


class JobView(ApiView):
    """A job of the key that calls."""

    required_scopes = {"GET": _SCOPES, "DELETE": _SCOPES}

    @operation("read_job", "Read the progress of a job", component(Job), [_JOB], tag=_TAG)
    def get(self, _request: Request, job: UUID) -> Response:
        """The progress of the workers. When it is `finished`, every line has a result."""
        return Response(job_of(_get_job(job, self.caller)))

    @operation("cancel_job", "Cancel a job", {200: component(Job)}, [_JOB], tag=_TAG)
    def delete(self, _request: Request, job: UUID) -> Response:
        """Ends the job: what is stored stays and keeps its results, the rest is never read.

        A batch that a worker is storing is completed first. Cancelling again changes nothing.
        """
        upload, actor = _get_job(job, self.caller), self.caller.actor
        try:
            cancelled = cancel_upload(upload_id=upload.pk, at=timezone.now(), actor=actor)
        except UploadFinished:
            raise Problem(JOB_FINISHED) from None
        return Response(job_of(cancelled))


class JobResultsView(ApiView):
    """The results of a job."""

    required_scopes = {"GET": _SCOPES}
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
    if upload.is_cancelled:
        return "cancelled"
    if upload.finished_at is not None:
        return "finished"
    if upload.last_error:
        return "failing"  # it is retried, and people see it
    return "waiting" if upload.begun_at is None else "running"


def _jobs_of(caller: Caller) -> QuerySet[FeedUpload]:
    return FeedUpload.objects.filter(delivery__isnull=False, sender=caller.key.handle)


def _get_job(job: UUID, caller: Caller) -> FeedUpload:
    upload = _jobs_of(caller).filter(delivery=job).first()
    if upload is None:
        error = FieldError("path:job", str(job), _("a job that this key started"))
        raise Problem(problems.NOT_FOUND, errors=[error])
    return upload


def _results(upload: FeedUpload) -> Iterator[bytes]:
    rows = FeedAnswers.objects.filter(upload=upload).order_by("line")
    for content in rows.values_list("content", flat=True).iterator(chunk_size=10):
        yield zlib.decompress(content)
