"""Bundles for the regulator: listed, told, taken away once two persons have signed."""

from http import HTTPStatus
from pathlib import Path
from typing import Final

from django.db.models import F, QuerySet
from django.db.models.functions import Coalesce
from django.http import HttpResponse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from compliance.exports.api.bundles import described
from compliance.exports.api.bundles.told import bundle_told, whole_bundle_told
from compliance.exports.bundle.files import files_in, opened, seal_of
from compliance.exports.chain import Standing, standings
from compliance.exports.models import Bundle
from compliance.exports.services.download_bundle import (
    FileLost,
    NotApproved,
    file_to_give,
    record_download,
)
from compliance.exports.standing import GIVEN_AWAY, Stage, at_stage
from payouts.api import problems
from payouts.api.asked import CURSOR, LIMIT, Asked
from payouts.api.caller import Caller
from payouts.api.etags import is_known, kept
from payouts.api.files import FileRenderer, stored_answer, unpacked_answer
from payouts.api.paging import NEWEST_FIRST, page_of
from payouts.api.problems import FieldError, Problem, kind
from payouts.api.rendering import JsonRenderer
from payouts.api.rounds.told import page_told
from payouts.api.scopes import Scope
from payouts.api.views import ApiView
from rounds.services.table_fields import one_of

FILTERS: Final = ("from", "to", "contents", "status")
NOT_APPROVED: Final = kind(
    "not-approved",
    409,
    gettext_lazy("Two persons have not signed the bundle"),
    gettext_lazy(
        "A bundle leaves once two persons have signed it, on its page in the back office."
    ),
)
FILE_LOST: Final = kind(
    "file-lost",
    409,
    gettext_lazy("The file is not the one that was made"),
    gettext_lazy(
        "Have the export made again: it gets the same number, and a missing file comes back."
    ),
)


class ExportsView(ApiView):
    """The bundles."""

    needs = {"GET": (Scope.EXPORTS_READ,)}
    asks = {"GET": (*FILTERS, LIMIT, CURSOR)}

    @extend_schema(**described.EXPORTS)
    def get(self, _request: Request) -> Response:
        """Newest first. A key that is bound to tables sees extracts of these alone."""
        rows = _filtered(self.asked, _seen(self.caller))
        shown, following = page_of(rows, self.asked, "exports", self.caller.key.pk, by=NEWEST_FIRST)
        return Response(page_told([bundle_told(one) for one in standings(shown)], following))


class ExportView(ApiView):
    """One bundle."""

    needs = {"GET": (Scope.EXPORTS_READ,)}

    @extend_schema(**described.EXPORT)
    def get(self, _request: Request, export: int) -> Response:
        """How far it has come, who did what about it, and the files in it with their digests."""
        return Response(whole_bundle_told(_found(export, self.caller)))


class _FilesView(ApiView):
    """What gives files away."""

    needs = {"GET": (Scope.EXPORTS_READ,)}
    renderer_classes = (FileRenderer, JsonRenderer)  # type: ignore[assignment]  # more

    def record(self, bundle: Bundle, file: str) -> None:
        """Who takes it is on record before it is sent."""
        record_download(bundle, file=file, at=timezone.now(), actor=self.caller.actor)


class ExportDownloadView(_FilesView):
    """A whole bundle."""

    @extend_schema(**described.DOWNLOAD)
    def get(self, request: Request, export: int) -> HttpResponse:
        """The ZIP as it was made. `Range` goes on where a download broke off.

        `ETag` is the seal over all of its bytes; send it as `If-Range`, so that parts of two files
        never come together.
        """
        bundle = _found(export, self.caller).bundle
        path = _given(bundle)
        etag = f'"{seal_of(path)}"'
        answer = stored_answer(
            request, path, content_type="application/zip", name=bundle.path, etag=etag
        )
        if answer.streaming:
            part = answer.headers.get("Content-Range")
            self.record(bundle, f"{bundle.path} ({part})" if part else bundle.path)
        return answer


class ExportFileView(_FilesView):
    """A file out of a bundle."""

    @extend_schema(**described.FILE)
    def get(self, request: Request, export: int, file: str) -> HttpResponse:
        """One of the bundle's files by itself, unpacked; `ETag` is its SHA-256."""
        bundle = _found(export, self.caller).bundle
        path = _given(bundle)
        files = {one.name: one for one in files_in(bundle, opened(bundle).manifest)}
        if file not in files:
            error = FieldError("path:file", file, one_of(list(files)))
            raise Problem(problems.NOT_FOUND, errors=[error])
        headers = kept(f'"{files[file].sha256}"')
        if is_known(request, headers["ETag"]):
            return HttpResponse(status=HTTPStatus.NOT_MODIFIED, headers=headers)
        self.record(bundle, f"{bundle.path}/{file}")
        return unpacked_answer(path, file, headers=headers)


def _seen(caller: Caller) -> QuerySet[Bundle]:
    """The bundles that the key may see: those of its tables, or all."""
    rows = Bundle.objects.all()
    return rows.filter(table__in=caller.key.tables) if caller.key.tables else rows


def _filtered(asked: Asked, rows: QuerySet[Bundle]) -> QuerySet[Bundle]:
    if contents := asked.choice("contents", Bundle.Contents.values):
        rows = rows.filter(contents=contents)
    if status := asked.choice("status", list(Stage)):
        rows = at_stage(rows, Stage(status))
    if start := asked.day("from"):
        rows = rows.filter(day__gte=start)
    if end := asked.day("to"):
        rows = rows.alias(begins=Coalesce(F("first_day"), F("day"))).filter(begins__lte=end)
    return rows


def _found(number: int, caller: Caller) -> Standing:
    bundle = _seen(caller).filter(number=number).first()
    if bundle is None:
        needed = _("the number of a bundle that the key may see")
        raise Problem(problems.NOT_FOUND, errors=[FieldError("path:export", number, needed)])
    [standing] = standings([bundle])
    return standing


def _given(bundle: Bundle) -> Path:
    """Where the file lies. Raises Problem where it does not leave."""
    try:
        return file_to_give(bundle)
    except NotApproved as refusal:
        found, needed, of = refusal.stage.value, one_of(GIVEN_AWAY), NOT_APPROVED
    except FileLost as refusal:
        found, needed, of = refusal.state, _("the file as it was made"), FILE_LOST
    raise Problem(of, errors=[FieldError("path:export", found, needed)])
