"""``/disputes/{dispute}/evidence``: files from the customer or the casino, byte for byte."""

from functools import partial
from hashlib import sha256
from http import HTTPStatus
from typing import Any, Final

from django.http import HttpResponse
from django.utils import timezone
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse
from rest_framework.exceptions import UnsupportedMediaType
from rest_framework.parsers import BaseParser, MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response

from casino.api import problems
from casino.api.client.shapes import disputes as shapes
from casino.api.client.shapes.page import Page
from casino.api.disputes.exceptions import service_errors_as_problems
from casino.api.disputes.lookup import get_dispute, visible_evidence
from casino.api.disputes.quotas import check_evidence
from casino.api.disputes.representation import evidence_details
from casino.api.disputes.views import CHANGED, DISPUTE, IF_MATCH, BaseDisputeView
from casino.api.files import FileRenderer, file_response
from casino.api.openapi.components import component
from casino.api.openapi.operations import BINARY, operation
from casino.api.pages import Listing
from casino.api.problems import FieldError, Problem
from casino.api.query_params import QueryParams, invalid_param
from casino.integrations.scopes import Scope
from payouts.disputes.models import Dispute, DisputeEvidence
from payouts.disputes.open_dispute import add_dispute_evidence
from payouts.evidence import EVIDENCE_TYPES, MOST_BYTES, File

_LISTING: Final = Listing("evidence", is_descending=False, most=100)
_MULTIPART_OVERHEAD: Final = 1 << 16
"""Octets of a multipart body beyond the file."""
_LONGEST_NAME: Final = 200
_MULTIPART: Final = "multipart/form-data"
_FORM: Final = {"type": "object", "properties": {"file": BINARY}, "required": ["file"]}
_EXTENSIONS: Final = {"application/pdf": "pdf", "image/png": "png", "image/jpeg": "jpg"}


class _FileParser(BaseParser):
    """Accepts a media type; the body itself is the file."""

    def parse(self, stream: Any, media_type: Any = None, parser_context: Any = None) -> Any:
        """The stream itself."""
        return stream


_PARSERS: Final = [
    type(f"_{extension}Parser", (_FileParser,), {"media_type": media_type})
    for media_type, extension in _EXTENSIONS.items()
]


class DisputeEvidenceView(BaseDisputeView):
    """The files of a dispute."""

    required_scopes = {"GET": (Scope.DISPUTES_READ,), "POST": (Scope.DISPUTES_WRITE,)}
    largest_body = MOST_BYTES + _MULTIPART_OVERHEAD
    parser_classes = (MultiPartParser, *_PARSERS)  # type: ignore[assignment]  # more
    _part: File | None = None

    @operation(
        "list_evidence",
        "List the evidence of a dispute",
        component(Page[shapes.Evidence]),
        [DISPUTE, *_LISTING.parameters],
    )
    def get(self, _request: Request, dispute: str) -> Response:
        """Oldest first."""
        row = get_dispute(dispute, self.caller)
        files = visible_evidence(row, self.caller).select_related("dispute", "share")
        key, details = self.caller.key.pk, partial(evidence_details, caller=self.caller)
        page = _LISTING.page(
            files.defer("content"), self.params, row.pk, key, shapes=partial(map, details)
        )
        return Response(page)

    @operation(
        "add_evidence",
        "Add evidence",
        {201: component(shapes.Evidence), **CHANGED},
        [
            DISPUTE,
            OpenApiParameter("name", str, description="The name of a file that is the body itself"),
            IF_MATCH,
        ],
        request={_MULTIPART: _FORM, **dict.fromkeys(EVIDENCE_TYPES, BINARY)},
    )
    def post(self, request: Request, dispute: str) -> Response:
        """Stores a file with the dispute: a PDF, a PNG or a JPEG of at most 10 MB.

        Either as `multipart/form-data`, in the part `file`, or as the body itself with the query
        parameter `name`. The content determines the type, not the name.
        """
        file = self._part or _file_in_body(request, self.params)
        dispute_row = self.lock(request, dispute).dispute
        now = timezone.now()
        check_evidence(dispute_row, len(file.content), at=now)
        with service_errors_as_problems({}):
            evidence = add_dispute_evidence(
                dispute=dispute_row, file=file, is_shared=True, at=now, actor=self.caller.actor
            )
        answer = evidence_details(evidence, self.caller)
        return Response(answer, HTTPStatus.CREATED, headers={"Location": answer.links.self})

    def _digest(self, request: Request) -> bytes:
        """The digest of the file of a form: a retry has another multipart boundary."""
        digest = super()._digest(request)
        if _media_type(request) != _MULTIPART:
            return digest
        self._part = _file_in_form(request)
        line = f"{request.method} {request.get_full_path()} {_MULTIPART} {self._part.name}\n"
        return sha256(line.encode() + self._part.content).digest()


class DisputeFileView(BaseDisputeView):
    """One file."""

    required_scopes = {"GET": (Scope.DISPUTES_READ,)}
    renderer_classes = (FileRenderer,)

    @operation(
        "read_evidence",
        "Download evidence",
        {(200, media): OpenApiResponse(BINARY, "The file") for media in EVIDENCE_TYPES},
        [
            DISPUTE,
            OpenApiParameter("sha256", str, "path", description="SHA-256 of the file, hexadecimal"),
        ],
    )
    def get(self, _request: Request, dispute: str, sha256: str) -> HttpResponse:
        """The file byte for byte, as an attachment: a browser does not display it."""
        row = get_dispute(dispute, self.caller)
        evidence = self._get_evidence(row, sha256)
        name = f"{row}-{bytes(evidence.digest).hex()[:12]}.{_EXTENSIONS[evidence.content_type]}"
        content = bytes(evidence.content)
        return file_response(content, content_type=evidence.content_type, name=name)

    def _get_evidence(self, dispute: Dispute, sha256: str) -> DisputeEvidence:
        try:
            digest = bytes.fromhex(sha256)
        except ValueError:
            digest = b""
        files = visible_evidence(dispute, self.caller).filter(digest=digest)
        evidence = files.order_by("pk").first()
        if evidence is None:
            needed = _("the SHA-256 of a file of this dispute")
            error = FieldError("path:sha256", sha256, needed)
            raise Problem(problems.NOT_FOUND, errors=[error])
        return evidence


def _media_type(request: Request) -> str:
    return request.content_type.partition(";")[0].strip().lower()


def _file_in_body(request: Request, params: QueryParams) -> File:
    """The file that is the body itself. Raises Problem or UnsupportedMediaType."""
    if _media_type(request) not in EVIDENCE_TYPES:
        raise UnsupportedMediaType(request.content_type)
    name = params.text("name")
    if name is None or not name.isprintable() or len(name) > _LONGEST_NAME:
        raise invalid_param("name", name or "", _("a file name of at most 200 characters"))
    content = request._request.body
    return File(name, content)


def _file_in_form(request: Request) -> File:
    """The file of a form. Raises Problem."""
    files = request.FILES.getlist("file")
    if len(files) != 1:
        found = _("%(number)d files") % {"number": len(files)}
        error = FieldError("/file", found, _("exactly one file, in the part with this name"))
        raise Problem(problems.REFUSED, errors=[error])
    return File(files[0].name or "file", files[0].read())
