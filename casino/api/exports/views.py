"""``/exports``: bundles for the regulator; files can be downloaded after two people have signed."""

from collections.abc import Iterable
from http import HTTPStatus
from pathlib import Path
from typing import Any, Final

from django.db.models import F, QuerySet
from django.db.models.functions import Coalesce, Greatest
from django.http import HttpResponse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiExample, OpenApiParameter, OpenApiResponse
from rest_framework.request import Request
from rest_framework.response import Response

from casino.api import problems
from casino.api.client.shapes import exports as shapes
from casino.api.client.shapes.page import Page
from casino.api.etags import cache_headers, is_not_modified
from casino.api.exports.representation import export_details, export_summary
from casino.api.files import OCTETS, FileRenderer, stored_file_response, zip_member_response
from casino.api.openapi.components import component
from casino.api.openapi.operations import (
    BINARY,
    IF_NONE_MATCH,
    NOT_MODIFIED,
    ZIP,
    header,
    operation,
    path_id,
    problem,
)
from casino.api.pages import Facts, Listing, Order, latest_of
from casino.api.problems import FieldError, Problem, declare_problem
from casino.api.query_params import QueryParams
from casino.api.rendering import JsonRenderer
from casino.api.views import ApiView
from casino.integrations.caller import Caller
from casino.integrations.scopes import Scope
from compliance.exports.bundle.stored_file import files_in, inspect_file, seal_of
from compliance.exports.bundle_chain import BundleStatus, bundle_statuses
from compliance.exports.bundle_status import DOWNLOADABLE, Stage, at_stage
from compliance.exports.models import Bundle, BundleStep
from compliance.exports.services.download_bundle import (
    InvalidBundleFile,
    InvalidSignatures,
    NotApproved,
    downloadable_file,
    record_download,
)
from rounds.field_errors import one_of

NOT_APPROVED: Final = declare_problem(
    "not-approved",
    409,
    gettext_lazy("The bundle does not have two signatures"),
    gettext_lazy(
        "Two persons must sign the bundle in the back office before it can be downloaded."
    ),
)
FILE_LOST: Final = declare_problem(
    "file-lost",
    409,
    gettext_lazy("The file differs from the one that was created"),
    gettext_lazy("Have the export created again. A missing file is restored with the same number."),
)
_SCOPES: Final = {"GET": (Scope.EXPORTS_READ,)}
_LISTING: Final = Listing(
    "exports",
    (
        Order("number"),
        Order("built", "Built", columns=("built_at", "number")),
        Order(
            "changed",
            "Last built, signed, set aside, sent or answered",
            facts=(
                Facts(Bundle.objects.all(), "built_at", "number"),
                Facts(BundleStep.objects.all(), "at", "bundle_id"),
            ),
            latest=Greatest("built_at", latest_of(BundleStep, "bundle", "at")),
        ),
    ),
)
_EXPORT: Final = path_id("export", "Number of the bundle")
_FILE_RESPONSES: Final[dict[Any, OpenApiResponse]] = {
    304: NOT_MODIFIED,
    **problem(409, "Two people have not signed yet, or the file is missing or changed"),
}


class ExportsView(ApiView):
    """The list of bundles."""

    required_scopes = _SCOPES

    @operation(
        "list_exports",
        "List bundles of gaming days",
        component(Page[shapes.ExportSummary]),
        [
            OpenApiParameter("from", OpenApiTypes.DATE, description="Ending on this day or later"),
            OpenApiParameter(
                "to", OpenApiTypes.DATE, description="Beginning on this day or earlier"
            ),
            OpenApiParameter("contents", str, enum=Bundle.Contents.values),
            OpenApiParameter("status", str, enum=[stage.value for stage in Stage]),
            *_LISTING.parameters,
        ],
    )
    def get(self, _request: Request) -> Response:
        """Newest first. A key restricted to tables gets only the extracts of these tables."""
        rows = _filtered(self.params, _visible_bundles(self.caller))
        key = self.caller.key.pk
        return Response(_LISTING.page(rows, self.params, key, shapes=_summaries))


class ExportView(ApiView):
    """One bundle."""

    required_scopes = _SCOPES

    @operation("read_export", "Read a bundle", component(shapes.ExportDetails), [_EXPORT])
    def get(self, _request: Request, export: int) -> Response:
        """The status, the steps with their actors, and the files with their digests."""
        return Response(export_details(_get_bundle(export, self.caller)))


class _DownloadView(ApiView):
    required_scopes = _SCOPES
    renderer_classes = (FileRenderer, JsonRenderer)  # type: ignore[assignment]  # more

    def record(self, bundle: Bundle, file: str) -> None:
        """Records the download before the file is sent."""
        record_download(bundle, file=file, at=timezone.now(), actor=self.caller.actor)


class ExportDownloadView(_DownloadView):
    """A whole bundle."""

    @operation(
        "download_export",
        "Download a bundle",
        {
            (200, ZIP): OpenApiResponse(BINARY, "The whole file"),
            (206, ZIP): OpenApiResponse(BINARY, "The requested range"),
            **_FILE_RESPONSES,
            **problem(416, "The range is outside the file"),
        },
        [
            _EXPORT,
            IF_NONE_MATCH,
            header(
                "Range",
                "Byte range to send; other units are ignored",
                examples=[OpenApiExample("the rest", value="bytes=1048576-")],
            ),
            header(
                "If-Range", "`ETag` of the first part; if the file has changed, all of it is sent"
            ),
        ],
    )
    def get(self, request: Request, export: int) -> HttpResponse:
        """The ZIP file. `Range` resumes an interrupted download.

        `ETag` is the seal over all of its bytes; send it as `If-Range`, so that parts of two files
        are never combined.
        """
        bundle = _get_bundle(export, self.caller).bundle
        path = _approved_file(bundle)
        etag = f'"{seal_of(path)}"'
        answer = stored_file_response(
            request, path, content_type="application/zip", name=bundle.path, etag=etag
        )
        if answer.streaming:
            part = answer.headers.get("Content-Range")
            self.record(bundle, f"{bundle.path} ({part})" if part else bundle.path)
        return answer


class ExportFileView(_DownloadView):
    """A file out of a bundle."""

    @operation(
        "download_export_file",
        "Download a file of a bundle",
        {(200, OCTETS): OpenApiResponse(BINARY, "The file, unpacked"), **_FILE_RESPONSES},
        [
            _EXPORT,
            OpenApiParameter(
                "file",
                str,
                OpenApiParameter.PATH,
                description="Its name in the bundle, including slashes",
                examples=[OpenApiExample("a register", value="registers/tax_base.csv")],
            ),
            IF_NONE_MATCH,
        ],
    )
    def get(self, request: Request, export: int, file: str) -> HttpResponse:
        """One file of the bundle, unpacked; `ETag` is its SHA-256."""
        bundle = _get_bundle(export, self.caller).bundle
        path = _approved_file(bundle)
        files = {entry.name: entry for entry in files_in(bundle, inspect_file(bundle).manifest)}
        if file not in files:
            error = FieldError("path:file", file, one_of(list(files)))
            raise Problem(problems.NOT_FOUND, errors=[error])
        headers = cache_headers(f'"{files[file].sha256}"')
        if is_not_modified(request, headers["ETag"]):
            return HttpResponse(status=HTTPStatus.NOT_MODIFIED, headers=headers)
        self.record(bundle, f"{bundle.path}/{file}")
        return zip_member_response(path, file, headers=headers)


def _summaries(bundles: list[Bundle]) -> Iterable[shapes.ExportSummary]:
    return map(export_summary, bundle_statuses(bundles))


def _visible_bundles(caller: Caller) -> QuerySet[Bundle]:
    """The bundles of the key's tables; all for a key without tables."""
    rows = Bundle.objects.all()
    return rows.filter(table__in=caller.key.tables) if caller.key.tables else rows


def _filtered(params: QueryParams, rows: QuerySet[Bundle]) -> QuerySet[Bundle]:
    if contents := params.choice("contents", Bundle.Contents.values):
        rows = rows.filter(contents=contents)
    if status := params.choice("status", list(Stage)):
        rows = at_stage(rows, Stage(status))
    if start := params.day("from"):
        rows = rows.filter(day__gte=start)
    if end := params.day("to"):
        rows = rows.alias(begins=Coalesce(F("first_day"), F("day"))).filter(begins__lte=end)
    return rows


def _get_bundle(number: int, caller: Caller) -> BundleStatus:
    bundle = _visible_bundles(caller).filter(number=number).first()
    if bundle is None:
        needed = _("the number of a bundle that the key may access")
        raise Problem(problems.NOT_FOUND, errors=[FieldError("path:export", number, needed)])
    [bundle_status] = bundle_statuses([bundle])
    return bundle_status


def _approved_file(bundle: Bundle) -> Path:
    """The path of the file. Raises Problem (409) unless it may be downloaded."""
    try:
        return downloadable_file(bundle)
    except NotApproved as error:
        found, needed, problem_type = error.stage.value, one_of(DOWNLOADABLE), NOT_APPROVED
    except InvalidSignatures:
        found, needed = _("signatures that are not valid"), _("the signatures of two persons")
        problem_type = NOT_APPROVED
    except InvalidBundleFile as error:
        found, needed, problem_type = error.state, _("the file as it was created"), FILE_LOST
    raise Problem(problem_type, errors=[FieldError("path:export", found, needed)])
