"""``/disputes/{dispute}/dossiers``: issue, list and download dossiers."""

from functools import partial
from http import HTTPStatus
from typing import Final

from django.db import transaction
from django.http import HttpResponse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import (
    OpenApiExample,
    OpenApiParameter,
    OpenApiResponse,
)
from rest_framework.request import Request
from rest_framework.response import Response

from casino.api import problems
from casino.api.client.shapes import dossiers as shapes
from casino.api.client.shapes.page import Page
from casino.api.disputes.lookup import get_dispute
from casino.api.dossiers.lookup import check_audience, get_dossier, visible_dossiers
from casino.api.dossiers.representation import FORMATS, dossier_details, is_signed
from casino.api.fields import Body, Choice
from casino.api.files import FileRenderer, file_response
from casino.api.openapi.components import component
from casino.api.openapi.operations import (
    BINARY,
    JSON,
    PDF,
    SIGNATURE,
    ZIP,
    operation,
    path_id,
    problem,
)
from casino.api.pages import Listing
from casino.api.problems import FieldError, Problem, declare_problem
from casino.api.rendering import JsonRenderer
from casino.api.views import ApiView
from casino.integrations.scopes import Scope
from compliance.exports.dossier.files import CONTENT_TYPES
from compliance.exports.dossier.models import Dossier
from compliance.exports.services.download_dossier import NotSigned, download_dossier
from compliance.exports.services.issue_dossier import issue_dossier
from compliance.exports.tasks import notify_dossier_workers
from rounds.field_errors import one_of

_RETRY: Final = {"Retry-After": "5"}
"""Seconds. A worker is notified at once, and polls every half a minute."""
NOT_SIGNED: Final = declare_problem(
    "not-signed",
    409,
    _("The dossier is not signed yet"),
    _(
        "A worker with the signing key signs it. Try again after the number of seconds in"
        " Retry-After."
    ),
)
_DISPUTE: Final = OpenApiParameter(
    "dispute",
    str,
    OpenApiParameter.PATH,
    description="The reference of the dispute",
    examples=[OpenApiExample("reference", value="D-0001")],
)
_DOSSIER: Final = path_id("dossier")
_UNSIGNED: Final = problem(409, "It is not signed yet; Retry-After")
_RESPONSE: Final = component(shapes.Dossier)
_LISTING: Final = Listing("dossiers")


class DossierRequest(Body):
    """The audience of a dossier."""

    audience = Choice(
        Dossier.Audience.values,
        help_text="Only the regulator sees which other customers placed the same bet",
    )


class DossiersView(ApiView):
    """The dossiers of a dispute."""

    required_scopes = {
        "GET": (Scope.DISPUTES_READ,),
        "POST": (Scope.DISPUTES_READ, Scope.DISPUTES_WRITE),
    }

    @operation(
        "list_dossiers",
        "List the dossiers of a dispute",
        component(Page[shapes.Dossier]),
        [_DISPUTE, *_LISTING.parameters],
    )
    def get(self, _request: Request, dispute: str) -> Response:
        """Newest first, for the audiences that the key covers."""
        row = get_dispute(dispute, self.caller)
        rows = visible_dossiers(row, self.caller).defer("content")
        key, details = self.caller.key.pk, partial(dossier_details, dispute=str(row))
        page = _LISTING.page(rows, self.params, row.pk, key, shapes=partial(map, details))
        return Response(page)

    @operation(
        "issue_dossier",
        "Issue the dossier of a dispute",
        {
            200: OpenApiResponse(_RESPONSE, "The latest dossier for this audience is up to date"),
            202: OpenApiResponse(_RESPONSE, "Issued; a worker signs it"),
        },
        [_DISPUTE],
        request=DossierRequest,
    )
    def post(self, request: Request, dispute: str) -> Response:
        """Fixes the content of a dossier for one of three audiences; a worker signs it.

        202 until it is signed. 200 returns the latest dossier for the same audience if nothing has
        changed since. The regulator's names the customers who placed the same bet, so it also
        needs `exports:read`. A customer's own token gets the customer's.
        """
        row = get_dispute(dispute, self.caller)
        form = DossierRequest(data=request.data)
        form.is_valid(raise_exception=True)
        audience = Dossier.Audience(form.validated_data["audience"])
        check_audience(audience, self.caller)
        dossier, is_new = issue_dossier(row, audience, at=timezone.now(), actor=self.caller.actor)
        transaction.on_commit(notify_dossier_workers)
        answer = dossier_details(dossier, dispute=str(row))
        status = HTTPStatus.ACCEPTED if is_new else HTTPStatus.OK
        headers = {"Location": answer.links.self, **_retry_after(dossier)}
        return Response(answer, status, headers=headers)


class DossierView(ApiView):
    """One dossier."""

    required_scopes = {"GET": (Scope.DISPUTES_READ,)}

    @operation("read_dossier", "Read the status of a dossier", _RESPONSE, [_DISPUTE, _DOSSIER])
    def get(self, _request: Request, dispute: str, dossier: int) -> Response:
        """Whether it is signed, and where its files are. Its content never changes."""
        row = get_dispute(dispute, self.caller)
        stored = get_dossier(row, dossier, self.caller)
        return Response(dossier_details(stored, dispute=str(row)), headers=_retry_after(stored))


class _DownloadView(ApiView):
    required_scopes = {"GET": (Scope.DISPUTES_READ,)}
    renderer_classes = (FileRenderer, JsonRenderer)  # type: ignore[assignment]  # more

    def download(self, dispute: str, dossier: int, form: str) -> HttpResponse:
        """The file; the download is recorded in the audit trail. Raises Problem."""
        row = get_dossier(get_dispute(dispute, self.caller), dossier, self.caller)
        try:
            content = download_dossier(row, form, at=timezone.now(), actor=self.caller.actor)
        except NotSigned:
            raise Problem(NOT_SIGNED, headers=_RETRY) from None
        name = f"{row.name}.{form}"
        return file_response(content, content_type=CONTENT_TYPES[form], name=name)


class DossierDownloadView(_DownloadView):
    """A whole dossier."""

    @operation(
        "download_dossier",
        "Download a dossier",
        {(200, ZIP): OpenApiResponse(BINARY, "The whole dossier"), **_UNSIGNED},
        [_DISPUTE, _DOSSIER],
    )
    def get(self, _request: Request, dispute: str, dossier: int) -> HttpResponse:
        """A ZIP: README, signed document, signature, PDFs and evidence."""
        return self.download(dispute, dossier, "zip")


class DossierFileView(_DownloadView):
    """A file of a dossier."""

    @operation(
        "download_dossier_file",
        "Download a file of a dossier",
        {
            (200, JSON): OpenApiResponse({"type": "object"}, "The signed document, byte for byte"),
            (200, SIGNATURE): OpenApiResponse(BINARY, "Detached CMS signature, DER"),
            (200, PDF): OpenApiResponse(BINARY, "The dossier for printing"),
            **_UNSIGNED,
        },
        [_DISPUTE, _DOSSIER, OpenApiParameter("file", str, "path", enum=list(FORMATS))],
    )
    def get(self, _request: Request, dispute: str, dossier: int, file: str) -> HttpResponse:
        """The signed document, its signature, or a PDF; the PDFs are available unsigned."""
        if file not in FORMATS:
            error = FieldError("path:file", file, one_of(list(FORMATS)))
            raise Problem(problems.NOT_FOUND, errors=[error])
        return self.download(dispute, dossier, FORMATS[file])


def _retry_after(dossier: Dossier) -> dict[str, str]:
    return {} if is_signed(dossier) else _RETRY
