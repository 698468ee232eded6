"""How the calls about dossiers are described in OpenAPI."""

from typing import Any, Final

from drf_spectacular.utils import OpenApiExample, OpenApiParameter, OpenApiResponse
from rest_framework import serializers

from compliance.exports.api.dossiers.told import FILES
from compliance.exports.dossier.models import Dossier
from payouts.api.fields import Body, Choice
from payouts.api.paging import DEFAULT, MOST
from payouts.api.problems import MEDIA_TYPE
from payouts.api.rounds.described import CURSOR, answer, limit

_TAG: Final = ["disputes"]
_REFERENCE: Final = "D-0001"
_ADDRESS: Final = f"/api/v1/disputes/{_REFERENCE}/dossiers/1"
_JSON: Final = "application/json"
_ZIP: Final = "application/zip"
_PDF: Final = "application/pdf"
_SIGNATURE: Final = "application/pkcs7-signature"
_BYTES: Final = {"type": "string", "format": "binary"}


class AskedDossier(Body):
    """For whom the dossier is."""

    reader = Choice(
        Dossier.Audience.values, help_text="The regulator alone sees who else bet in the same way"
    )


class DossierLinks(serializers.Serializer[Any]):
    """Where a dossier and its files are."""

    self = serializers.CharField()
    download = serializers.CharField(help_text="All of it in one ZIP")
    files = serializers.DictField(
        child=serializers.CharField(), help_text="The parts by themselves, by their names"
    )


class DossierTold(serializers.Serializer[Any]):
    """A dossier, and whether it is signed."""

    id = serializers.IntegerField()
    dispute = serializers.CharField()
    reader = serializers.ChoiceField(Dossier.Audience.values)
    status = serializers.ChoiceField(["waiting", "signed"], help_text="waiting: for its signature")
    sha256 = serializers.CharField(help_text="Of dossier.json, which is what is signed")
    issued_at = serializers.DateTimeField()
    signed_at = serializers.DateTimeField(allow_null=True)
    key_id = serializers.CharField(
        allow_null=True, help_text="SHA-256 of the certificate that verifies the signature"
    )
    links = DossierLinks()

    class Meta:
        ref_name = "Dossier"


class Dossiers(serializers.Serializer[Any]):
    """Some dossiers, newest first."""

    data = DossierTold(many=True)  # type: ignore[assignment]  # a field
    next = serializers.CharField(allow_null=True, help_text="The cursor of the page behind it")


WAITING: Final[dict[str, Any]] = {
    "id": 1,
    "dispute": _REFERENCE,
    "reader": "customer",
    "status": "waiting",
    "sha256": "7f83b1657ff1fc53b92dc18148a1d65dfc2d4b1fa3d677284addd200126d9069",
    "issued_at": "2026-11-21T22:15:00.000Z",
    "signed_at": None,
    "key_id": None,
    "links": {
        "self": _ADDRESS,
        "download": f"{_ADDRESS}/download",
        "files": {name: f"{_ADDRESS}/{name}" for name in FILES},
    },
}
SIGNED: Final[dict[str, Any]] = {
    **WAITING,
    "status": "signed",
    "signed_at": "2026-11-21T22:15:02.000Z",
    "key_id": "9c56cc51b374c3ba189210d5b6d4bf57790d351c96c47c02190ecf1e430635ab",
}
_NOT_SIGNED: Final = {
    "type": "/api/v1/problems/not-signed",
    "title": "It is not signed yet",
    "status": 409,
    "detail": "A worker that holds the key signs it. Ask again after the seconds of Retry-After.",
    "instance": "urn:uuid:2f0a3c6e-52a5-4d0e-9a3e-0d4c1f8f4d11",
    "errors": [],
}
_DISPUTE: Final = OpenApiParameter(
    "dispute",
    str,
    OpenApiParameter.PATH,
    description="The reference of the dispute",
    examples=[OpenApiExample("reference", value=_REFERENCE)],
)
_ONE: Final = OpenApiParameter(
    "dossier",
    {"type": "integer", "minimum": 1},
    OpenApiParameter.PATH,
    examples=[OpenApiExample("id", value=1)],
)
_UNSIGNED: Final = {
    (409, MEDIA_TYPE): OpenApiResponse(
        {"$ref": "#/components/schemas/Problem"}, "It waits for its signature; Retry-After"
    )
}
_REFUSAL: Final = answer(_NOT_SIGNED, "409", MEDIA_TYPE)

DOSSIERS: Final[dict[str, Any]] = {
    "operation_id": "list_dossiers",
    "tags": _TAG,
    "summary": "The dossiers of a dispute",
    "parameters": [_DISPUTE, limit(DEFAULT, MOST), CURSOR],
    "responses": Dossiers,
    "examples": [answer({"data": [SIGNED], "next": None})],
}
ASKING: Final[dict[str, Any]] = {
    "operation_id": "ask_dossier",
    "tags": _TAG,
    "summary": "Ask for the dossier of a dispute",
    "parameters": [_DISPUTE],
    "request": AskedDossier,
    "responses": {
        200: OpenApiResponse(DossierTold, "The latest for this reader tells all there is"),
        202: OpenApiResponse(DossierTold, "It is made, and a worker signs it"),
    },
    "examples": [
        OpenApiExample("for the customer", value={"reader": "customer"}, request_only=True),
        answer(SIGNED),
        answer(WAITING, "202"),
    ],
}
DOSSIER: Final[dict[str, Any]] = {
    "operation_id": "read_dossier",
    "tags": _TAG,
    "summary": "Where a dossier stands",
    "parameters": [_DISPUTE, _ONE],
    "responses": DossierTold,
    "examples": [answer(SIGNED)],
}
DOWNLOAD: Final[dict[str, Any]] = {
    "operation_id": "download_dossier",
    "tags": _TAG,
    "summary": "A dossier, to take away",
    "parameters": [_DISPUTE, _ONE],
    "responses": {(200, _ZIP): OpenApiResponse(_BYTES, "All of it in one file"), **_UNSIGNED},
    "examples": [answer("PK…", media_type=_ZIP), _REFUSAL],
}
FILE: Final[dict[str, Any]] = {
    "operation_id": "download_dossier_file",
    "tags": _TAG,
    "summary": "A part of a dossier, to take away",
    "parameters": [
        _DISPUTE,
        _ONE,
        OpenApiParameter("file", str, OpenApiParameter.PATH, enum=list(FILES)),
    ],
    "responses": {
        (200, _JSON): OpenApiResponse({"type": "object"}, "What is signed, byte for byte"),
        (200, _SIGNATURE): OpenApiResponse(_BYTES, "Detached CMS, DER"),
        (200, _PDF): OpenApiResponse(_BYTES, "The document for people"),
        **_UNSIGNED,
    },
    "examples": [
        answer({"format": "sabot-dossier/1", "audience": "customer"}),
        answer("…", media_type=_SIGNATURE),
        answer("%PDF-1.4 …", media_type=_PDF),
        _REFUSAL,
    ],
}
