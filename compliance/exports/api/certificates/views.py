"""Certificates of rule sets: listed, told, taken away."""

from typing import Any, Final

from django.http import HttpResponse
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from compliance.exports.api.certificates import described
from compliance.exports.encoders.certificate_files import (
    CONTENT_TYPES,
    certificate_file,
    file_name_of,
)
from compliance.exports.models import RuleCertificate
from payouts.api import problems
from payouts.api.asked import CURSOR, LIMIT
from payouts.api.files import FileRenderer, file_answer
from payouts.api.paging import NEWEST_FIRST, page_of
from payouts.api.problems import FieldError, Problem
from payouts.api.rendering import JsonRenderer
from payouts.api.rounds.told import moment, page_told
from payouts.api.scopes import Scope
from payouts.api.views import ApiView
from rounds.rules.catalogue import RULE_SETS
from rounds.services.table_fields import one_of

_NEEDS: Final = {"GET": (Scope.EXPORTS_READ,)}


class CertificatesView(ApiView):
    """The certificates."""

    needs = _NEEDS
    asks = {"GET": ("rules", LIMIT, CURSOR)}

    @extend_schema(**described.CERTIFICATES)
    def get(self, _request: Request) -> Response:
        """Newest first; the first of a rule set is its latest."""
        rows = RuleCertificate.objects.defer("content")
        if rules := self.asked.choice("rules", RULE_SETS):
            rows = rows.filter(rules=rules)
        shown, following = page_of(
            rows, self.asked, "certificates", self.caller.key.pk, by=NEWEST_FIRST
        )
        return Response(page_told([_told(one) for one in shown], following))


class CertificateView(ApiView):
    """One certificate."""

    needs = _NEEDS

    @extend_schema(**described.CERTIFICATE)
    def get(self, _request: Request, certificate: int) -> Response:
        """Of which rule set it is, and where its files are."""
        return Response(_told(_found(certificate)))


class CertificateFileView(ApiView):
    """A file of a certificate."""

    needs = _NEEDS
    renderer_classes = (FileRenderer, JsonRenderer)  # type: ignore[assignment]  # more

    @extend_schema(**described.FILE)
    def get(self, _request: Request, certificate: int, file: str) -> HttpResponse:
        """What was signed, its signature, or a document for people."""
        one = _found(certificate)
        if file not in described.FILES:
            error = FieldError("path:file", file, one_of(list(described.FILES)))
            raise Problem(problems.NOT_FOUND, errors=[error])
        form = described.FILES[file]
        signed, signature = one.content.encode(), bytes(one.signature)
        content = certificate_file(form, content=signed, signature=signature)
        name = f"{file_name_of(one.rules)}-{one.issued_at:%Y-%m-%d}.{form}"
        return file_answer(content, content_type=CONTENT_TYPES[form], name=name)


def _found(number: int) -> RuleCertificate:
    found = RuleCertificate.objects.filter(pk=number).first()
    if found is None:
        error = FieldError("path:certificate", number, _("the id of a certificate"))
        raise Problem(problems.NOT_FOUND, errors=[error])
    return found


def _told(one: RuleCertificate) -> dict[str, Any]:
    known = RULE_SETS.get(one.rules)
    address = f"/api/v1/certificates/{one.pk}"
    return {
        "id": one.pk,
        "rules": one.rules,
        "rules_sha256": bytes(one.rules_digest).hex(),
        "current": known is not None and bytes(one.rules_digest) == known.digest,
        "sha256": bytes(one.digest).hex(),
        "key_id": one.key_id,
        "issued_at": moment(one.issued_at),
        "links": {
            "self": address,
            "files": {name: f"{address}/{name}" for name in described.FILES},
        },
    }
