"""``/disputes/{dispute}/evidence``: files that customer or casino hand in, byte for byte."""

from hashlib import sha256
from http import HTTPStatus
from typing import Any, Final

from django.http import HttpResponse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import UnsupportedMediaType
from rest_framework.parsers import BaseParser, MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response

from payouts.api import problems
from payouts.api.asked import CURSOR, LIMIT, Asked, not_taken
from payouts.api.disputes import described
from payouts.api.disputes.finding import found_dispute
from payouts.api.disputes.refusals import refusals_told
from payouts.api.disputes.told import evidence_told
from payouts.api.disputes.views import OfDispute
from payouts.api.files import FileRenderer, file_answer
from payouts.api.paging import OLDEST_FIRST, page_of
from payouts.api.problems import FieldError, Problem, kind
from payouts.api.rounds.told import page_told
from payouts.api.scopes import Scope
from payouts.models import Dispute, DisputeEvidence
from payouts.services.open_case import EVIDENCE_TYPES, MOST_BYTES, File
from payouts.services.open_dispute import add_dispute_evidence

MOST_FILES: Final = 50
"""Of one dispute that programs may add to; persons may add more."""
_AROUND_A_FILE: Final = 1 << 16
"""Octets of a multipart body that are not the file."""
_LONGEST_NAME: Final = 200
_FORM: Final = "multipart/form-data"
_ENDINGS: Final = {"application/pdf": "pdf", "image/png": "png", "image/jpeg": "jpg"}
EVIDENCE_IS_FULL: Final = kind(
    "evidence-full",
    409,
    gettext_lazy("So many files are with the dispute that programs may add no more"),
    gettext_lazy("Have a person add what is missing."),
)


class _FileParser(BaseParser):
    """Names a media type; the body itself is the file."""

    def parse(self, stream: Any, media_type: Any = None, parser_context: Any = None) -> Any:  # noqa: ANN401, ARG002  the framework's
        """The stream itself."""
        return stream


_PARSERS: Final = [
    type(f"_{ending}Parser", (_FileParser,), {"media_type": media_type})
    for media_type, ending in _ENDINGS.items()
]


class DisputeEvidenceView(OfDispute):
    """The files of a dispute."""

    needs = {"GET": (Scope.DISPUTES_READ,), "POST": (Scope.DISPUTES_WRITE,)}
    asks = {"GET": (LIMIT, CURSOR), "POST": ("name",)}
    largest_body = MOST_BYTES + _AROUND_A_FILE
    parser_classes = (MultiPartParser, *_PARSERS)  # type: ignore[assignment]  # more
    _part: File | None = None

    @extend_schema(**described.EVIDENCE)
    def get(self, _request: Request, dispute: str) -> Response:
        """In the order in which they were handed in."""
        row = found_dispute(dispute, self.caller)
        files = DisputeEvidence.objects.filter(dispute=row).select_related("dispute")
        shown, following = page_of(
            files.defer("content"),
            self.asked,
            "evidence",
            row.pk,
            self.caller.key.pk,
            by=OLDEST_FIRST,
        )
        return Response(page_told((evidence_told(one, self.caller) for one in shown), following))

    @extend_schema(**described.ADDING)
    def post(self, request: Request, dispute: str) -> Response:
        """Keeps a file with the dispute: a PDF, a PNG or a JPEG of 10 MB at most.

        Either as `multipart/form-data`, in the part `file`, or as the body itself, whose name is
        then behind the question mark. What it is, is told by its content, whatever it is called.
        """
        file = self._part or _body(request, self.asked)
        held = self.held(request, dispute)
        if DisputeEvidence.objects.filter(dispute=held.dispute).count() >= MOST_FILES:
            error = FieldError("evidence", MOST_FILES, _("fewer files than that"))
            raise Problem(EVIDENCE_IS_FULL, errors=[error])
        with refusals_told({}):
            kept = add_dispute_evidence(
                dispute=held.dispute, file=file, at=timezone.now(), actor=self.caller.actor
            )
        told = evidence_told(kept, self.caller)
        return Response(told, HTTPStatus.CREATED, headers={"Location": told["links"]["self"]})

    def _digest(self, request: Request) -> bytes:
        """Of the file in a form: whoever sends it again draws another boundary around it."""
        digest = super()._digest(request)
        if _form_of(request) != _FORM:
            return digest
        self._part = _part(request)
        line = f"{request.method} {request.get_full_path()} {_FORM} {self._part.name}\n"
        return sha256(line.encode() + self._part.content).digest()


class DisputeFileView(OfDispute):
    """One file."""

    needs = {"GET": (Scope.DISPUTES_READ,)}
    renderer_classes = (FileRenderer,)

    @extend_schema(**described.FILE)
    def get(self, _request: Request, dispute: str, sha256: str) -> HttpResponse:
        """The file byte for byte, to be kept and not to be shown: a browser does not run it."""
        row = found_dispute(dispute, self.caller)
        kept = _kept(row, sha256)
        name = f"{row}-{bytes(kept.digest).hex()[:12]}.{_ENDINGS[kept.content_type]}"
        content = bytes(kept.content)
        return file_answer(content, content_type=kept.content_type, name=name)


def _form_of(request: Request) -> str:
    return request.content_type.partition(";")[0].strip().lower()


def _body(request: Request, asked: Asked) -> File:
    """The file that is the body itself. Raises Problem or UnsupportedMediaType."""
    if _form_of(request) not in EVIDENCE_TYPES:
        raise UnsupportedMediaType(request.content_type)
    name = asked.text("name")
    if name is None or not name.isprintable() or len(name) > _LONGEST_NAME:
        raise not_taken("name", name or "", _("the name of the file, at most 200 characters"))
    content = request._request.body  # noqa: SLF001  documented: the request of Django
    return File(name, content)


def _part(request: Request) -> File:
    """The file of a form. Raises Problem."""
    files = request.FILES.getlist("file")
    if len(files) != 1:
        found = _("%(number)d files") % {"number": len(files)}
        error = FieldError("/file", found, _("one file, in the part of that name"))
        raise Problem(problems.REFUSED, errors=[error])
    return File(files[0].name or "file", files[0].read())


def _kept(dispute: Dispute, sha256: str) -> DisputeEvidence:
    try:
        digest = bytes.fromhex(sha256)
    except ValueError:
        digest = b""
    found = DisputeEvidence.objects.filter(dispute=dispute, digest=digest).order_by("pk").first()
    if found is None:
        error = FieldError("path:sha256", sha256, _("the SHA-256 of a file of this dispute"))
        raise Problem(problems.NOT_FOUND, errors=[error])
    return found
