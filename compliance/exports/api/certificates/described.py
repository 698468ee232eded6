"""How the calls about certificates are described in OpenAPI."""

from typing import Any, Final

from drf_spectacular.utils import OpenApiExample, OpenApiParameter, OpenApiResponse
from rest_framework import serializers

from payouts.api.paging import DEFAULT, MOST
from payouts.api.rounds.described import CURSOR, answer, limit
from rounds.rules.catalogue import RULE_SETS

FILES: Final = {
    "certificate.json": "json",
    "certificate.json.p7s": "p7s",
    "certificate.html": "html",
    "certificate.pdf": "pdf",
}
"""The files of a certificate, with their forms."""
_TAG: Final = ["exports"]
_JSON: Final = "application/json"
_PDF: Final = "application/pdf"
_HTML: Final = "text/html"
_SIGNATURE: Final = "application/pkcs7-signature"
_BYTES: Final = {"type": "string", "format": "binary"}
_ADDRESS: Final = "/api/v1/certificates/1"


class CertificateLinks(serializers.Serializer[Any]):
    """Where a certificate and its files are."""

    self = serializers.CharField()
    files = serializers.DictField(child=serializers.CharField(), help_text="By their names")


class Certificate(serializers.Serializer[Any]):
    """What a rule set returns, bet by bet, as it was computed and signed."""

    id = serializers.IntegerField()
    rules = serializers.CharField()
    rules_sha256 = serializers.CharField(help_text="Of the rule set that was certified")
    current = serializers.BooleanField(help_text="Whether that is the rule set which is run")
    sha256 = serializers.CharField(help_text="Of certificate.json, which is what is signed")
    key_id = serializers.CharField(help_text="SHA-256 of the certificate of the signature")
    issued_at = serializers.DateTimeField()
    links = CertificateLinks()


class Certificates(serializers.Serializer[Any]):
    """Some certificates, newest first."""

    data = Certificate(many=True)  # type: ignore[assignment]  # a field
    next = serializers.CharField(allow_null=True, help_text="The cursor of the page behind it")


_TOLD: Final[dict[str, Any]] = {
    "id": 1,
    "rules": "baccarat/1",
    "rules_sha256": "5d41402abc4b2a76b9719d911017c592ae2f3a8ef1d8a7d6a8a0c4c2d5fd3c01",
    "current": True,
    "sha256": "fcde2b2edba56bf408601fb721fe9b5c338d10ee429ea04fae5511b68fbf8fb9",
    "key_id": "9c56cc51b374c3ba189210d5b6d4bf57790d351c96c47c02190ecf1e430635ab",
    "issued_at": "2026-11-02T09:00:00.000Z",
    "links": {"self": _ADDRESS, "files": {name: f"{_ADDRESS}/{name}" for name in FILES}},
}
_ONE: Final = OpenApiParameter(
    "certificate",
    {"type": "integer", "minimum": 1},
    OpenApiParameter.PATH,
    examples=[OpenApiExample("id", value=1)],
)

CERTIFICATES: Final[dict[str, Any]] = {
    "operation_id": "list_certificates",
    "tags": _TAG,
    "summary": "Certificates of rule sets, newest first",
    "parameters": [
        OpenApiParameter("rules", str, enum=sorted(RULE_SETS)),
        limit(DEFAULT, MOST),
        CURSOR,
    ],
    "responses": Certificates,
    "examples": [answer({"data": [_TOLD], "next": None})],
}
CERTIFICATE: Final[dict[str, Any]] = {
    "operation_id": "read_certificate",
    "tags": _TAG,
    "summary": "A certificate",
    "parameters": [_ONE],
    "responses": Certificate,
    "examples": [answer(_TOLD)],
}
FILE: Final[dict[str, Any]] = {
    "operation_id": "download_certificate_file",
    "tags": _TAG,
    "summary": "A file of a certificate",
    "parameters": [
        _ONE,
        OpenApiParameter("file", str, OpenApiParameter.PATH, enum=list(FILES)),
    ],
    "responses": {
        (200, _JSON): OpenApiResponse({"type": "object"}, "What was signed, byte for byte"),
        (200, _SIGNATURE): OpenApiResponse(_BYTES, "Detached CMS, DER"),
        (200, _HTML): OpenApiResponse({"type": "string"}, "The document as a page"),
        (200, _PDF): OpenApiResponse(_BYTES, "The document to be printed"),
    },
    "examples": [
        answer({"format": "sabot-certificate/1", "rules": "baccarat/1"}),
        answer("…", media_type=_SIGNATURE),
        answer("<!doctype html>…", media_type=_HTML),
        answer("%PDF-1.4 …", media_type=_PDF),
    ],
}
