"""``/certificates``: the signed returns of rule sets, and their files."""

from functools import partial
from typing import Final

from django.http import HttpResponse
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse
from rest_framework.request import Request
from rest_framework.response import Response

from casino.api import problems
from casino.api.client.shapes.exports import Certificate, CertificateLinks
from casino.api.client.shapes.page import Page
from casino.api.files import FileRenderer, file_response
from casino.api.openapi.components import component
from casino.api.openapi.operations import (
    BINARY,
    JSON,
    PDF,
    SIGNATURE,
    operation,
    path_id,
)
from casino.api.pages import Listing
from casino.api.problems import FieldError, Problem
from casino.api.rendering import JsonRenderer
from casino.api.views import ApiView
from casino.integrations.scopes import Scope
from compliance.exports.encoders.certificate_files import (
    CONTENT_TYPES,
    certificate_file,
    file_name_of,
)
from compliance.exports.models import RuleCertificate
from rounds.field_errors import one_of
from rounds.rules.catalogue import RULE_SETS

_SCOPES: Final = {"GET": (Scope.EXPORTS_READ,)}
_FORMATS: Final = {
    "certificate.json": "json",
    "certificate.json.p7s": "p7s",
    "certificate.html": "html",
    "certificate.pdf": "pdf",
}
_CERTIFICATE: Final = path_id("certificate")
_LISTING: Final = Listing("certificates")


class CertificatesView(ApiView):
    """The list of certificates."""

    required_scopes = _SCOPES

    @operation(
        "list_certificates",
        "List certificates of rule sets",
        component(Page[Certificate]),
        [OpenApiParameter("rules", str, enum=sorted(RULE_SETS)), *_LISTING.parameters],
        tag="exports",
    )
    def get(self, _request: Request) -> Response:
        """Newest first; the first of a rule set is its latest."""
        rows = RuleCertificate.objects.defer("content")
        if rules := self.params.choice("rules", RULE_SETS):
            rows = rows.filter(rules=rules)
        key, shapes = self.caller.key.pk, partial(map, _shape)
        return Response(_LISTING.page(rows, self.params, key, shapes=shapes))


class CertificateView(ApiView):
    """One certificate."""

    required_scopes = _SCOPES

    @operation(
        "read_certificate",
        "Read a certificate",
        component(Certificate),
        [_CERTIFICATE],
        tag="exports",
    )
    def get(self, _request: Request, certificate: int) -> Response:
        """Its rule set, its digests, and the addresses of its files."""
        return Response(_shape(_get_certificate(certificate)))


class CertificateFileView(ApiView):
    """A file of a certificate."""

    required_scopes = _SCOPES
    renderer_classes = (FileRenderer, JsonRenderer)  # type: ignore[assignment]  # more

    @operation(
        "download_certificate_file",
        "Download a file of a certificate",
        {
            (200, JSON): OpenApiResponse({"type": "object"}, "The signed document, byte for byte"),
            (200, SIGNATURE): OpenApiResponse(BINARY, "Detached CMS signature, DER"),
            (200, "text/html"): OpenApiResponse({"type": "string"}, "The certificate as a page"),
            (200, PDF): OpenApiResponse(BINARY, "The certificate for printing"),
        },
        [_CERTIFICATE, OpenApiParameter("file", str, "path", enum=list(_FORMATS))],
        tag="exports",
    )
    def get(self, _request: Request, certificate: int, file: str) -> HttpResponse:
        """The signed document, its signature, or a document for people."""
        row = _get_certificate(certificate)
        if file not in _FORMATS:
            error = FieldError("path:file", file, one_of(list(_FORMATS)))
            raise Problem(problems.NOT_FOUND, errors=[error])
        form = _FORMATS[file]
        document, signature = row.content.encode(), bytes(row.signature)
        content = certificate_file(form, content=document, signature=signature)
        name = f"{file_name_of(row.rules)}-{row.issued_at:%Y-%m-%d}.{form}"
        return file_response(content, content_type=CONTENT_TYPES[form], name=name)


def _get_certificate(number: int) -> RuleCertificate:
    row = RuleCertificate.objects.filter(pk=number).first()
    if row is None:
        error = FieldError("path:certificate", number, _("the ID of a certificate"))
        raise Problem(problems.NOT_FOUND, errors=[error])
    return row


def _shape(row: RuleCertificate) -> Certificate:
    rule_set = RULE_SETS.get(row.rules)
    address = f"/api/v1/certificates/{row.pk}"
    return Certificate(
        id=row.pk,
        rules=row.rules,
        rules_sha256=bytes(row.rules_digest).hex(),
        current=rule_set is not None and bytes(row.rules_digest) == rule_set.digest,
        sha256=bytes(row.digest).hex(),
        key_id=row.key_id,
        issued_at=row.issued_at,
        links=CertificateLinks(
            self=address, files={name: f"{address}/{name}" for name in _FORMATS}
        ),
    )
