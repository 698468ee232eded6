"""How the calls about exports are described in OpenAPI."""

from typing import Any, Final

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiExample, OpenApiParameter, OpenApiResponse
from rest_framework import serializers

from compliance.exports.models import Bundle, BundleStep
from compliance.exports.standing import Stage
from payouts.api.files import OCTETS
from payouts.api.paging import DEFAULT, MOST
from payouts.api.problems import MEDIA_TYPE
from payouts.api.rounds.described import CURSOR, answer, limit

_TAG: Final = ["exports"]
_JSON: Final = "application/json"
_ZIP: Final = "application/zip"
_ADDRESS: Final = "/api/v1/exports/1"
_BYTES: Final = {"type": "string", "format": "binary"}
_SHA256: Final = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"


class ExportLinks(serializers.Serializer[Any]):
    """Where a bundle is."""

    self = serializers.CharField()
    download = serializers.CharField()


class ExportInShort(serializers.Serializer[Any]):
    """A bundle of gaming days, as the list tells it."""

    id = serializers.IntegerField(help_text="Its number in the chain, without a gap")
    first_day = serializers.DateField(help_text="Gaming day, Europe/Rome")
    last_day = serializers.DateField()
    kind = serializers.ChoiceField(
        Bundle.Kind.values, help_text="What tells of a closed day stays the same for ever"
    )
    contents = serializers.ChoiceField(Bundle.Contents.values)
    game = serializers.CharField(allow_null=True, help_text="null: of all; so the other three")
    table = serializers.CharField(allow_null=True)
    rules = serializers.CharField(allow_null=True)
    customer = serializers.CharField(allow_null=True)
    status = serializers.ChoiceField(
        [one.value for one in Stage],
        help_text="built, signed by one, approved by two, sent, received or refused, or set_aside",
    )
    supersedes = serializers.IntegerField(allow_null=True)
    superseded_by = serializers.IntegerField(allow_null=True)
    manifest_sha256 = serializers.CharField()
    previous_sha256 = serializers.CharField(
        allow_null=True, help_text="Of the manifest of the bundle before"
    )
    bytes = serializers.IntegerField()
    built_at = serializers.DateTimeField()
    links = ExportLinks()


class ExportStep(serializers.Serializer[Any]):
    """What a person did about a bundle."""

    action = serializers.ChoiceField(BundleStep.Action.values)
    at = serializers.DateTimeField()
    actor = serializers.CharField()
    reference = serializers.CharField(allow_null=True, help_text="Of the delivery or the answer")
    on_day = serializers.DateField(allow_null=True)
    note = serializers.CharField(allow_null=True)


class ExportFile(serializers.Serializer[Any]):
    """A file in a bundle."""

    name = serializers.CharField()
    bytes = serializers.IntegerField()
    sha256 = serializers.CharField()
    rows = serializers.IntegerField(allow_null=True, help_text="Of a register")
    link = serializers.CharField()


class Export(ExportInShort):
    """A bundle with everything."""

    steps = ExportStep(many=True)
    file = serializers.ChoiceField(
        ["fits", "missing", "changed"], help_text="Whether the file is the one that was made"
    )
    files = ExportFile(many=True, help_text="None unless it is")


class Exports(serializers.Serializer[Any]):
    """Some bundles, newest first."""

    data = ExportInShort(many=True)  # type: ignore[assignment]  # a field
    next = serializers.CharField(allow_null=True, help_text="The cursor of the page behind it")


IN_SHORT: Final[dict[str, Any]] = {
    "id": 1,
    "first_day": "2026-11-21",
    "last_day": "2026-11-21",
    "kind": "closed_day",
    "contents": "registers",
    "game": None,
    "table": None,
    "rules": None,
    "customer": None,
    "status": "approved",
    "supersedes": None,
    "superseded_by": None,
    "manifest_sha256": _SHA256,
    "previous_sha256": None,
    "bytes": 48_310_522,
    "built_at": "2026-11-22T05:31:07.000Z",
    "links": {"self": _ADDRESS, "download": f"{_ADDRESS}/download"},
}
_SIGNED: Final = {
    "action": "signed",
    "at": "2026-11-22T08:02:00.000Z",
    "actor": "Giulia Marchetti",
    "reference": None,
    "on_day": None,
    "note": None,
}
_WHOLE: Final[dict[str, Any]] = {
    **IN_SHORT,
    "steps": [
        _SIGNED,
        {**_SIGNED, "at": "2026-11-22T08:40:00.000Z", "actor": "Lorenzo Ferri"},
    ],
    "file": "fits",
    "files": [
        {
            "name": "registers/tax_base.csv",
            "bytes": 412,
            "sha256": "fcde2b2edba56bf408601fb721fe9b5c338d10ee429ea04fae5511b68fbf8fb9",
            "rows": 5,
            "link": f"{_ADDRESS}/files/registers/tax_base.csv",
        }
    ],
}
_NOT_APPROVED: Final = {
    "type": "/api/v1/problems/not-approved",
    "title": "Two persons have not signed the bundle",
    "status": 409,
    "detail": "A bundle leaves once two persons have signed it, on its page in the back office.",
    "instance": "urn:uuid:2f0a3c6e-52a5-4d0e-9a3e-0d4c1f8f4d11",
    "errors": [
        {"field": "path:export", "found": "signed", "needed": "approved, sent, received or refused"}
    ],
}
_ONE: Final = OpenApiParameter(
    "export",
    {"type": "integer", "minimum": 1},
    OpenApiParameter.PATH,
    description="Number of the bundle",
    examples=[OpenApiExample("number", value=1)],
)
_PROBLEM: Final = {"$ref": "#/components/schemas/Problem"}
_KEPT_BACK: Final = {
    304: OpenApiResponse(None, "It is as you know it"),
    (409, MEDIA_TYPE): OpenApiResponse(
        _PROBLEM, "Two persons have not signed, or the file is lost"
    ),
}
_KNOWN: Final = OpenApiParameter("If-None-Match", str, OpenApiParameter.HEADER, required=False)
_REFUSAL: Final = answer(_NOT_APPROVED, "409", MEDIA_TYPE)

EXPORTS: Final[dict[str, Any]] = {
    "operation_id": "list_exports",
    "tags": _TAG,
    "summary": "Bundles of gaming days, newest first",
    "parameters": [
        OpenApiParameter("from", OpenApiTypes.DATE, description="With this day or a later one"),
        OpenApiParameter("to", OpenApiTypes.DATE, description="With this day or an earlier one"),
        OpenApiParameter("contents", str, enum=Bundle.Contents.values),
        OpenApiParameter("status", str, enum=[one.value for one in Stage]),
        limit(DEFAULT, MOST),
        CURSOR,
    ],
    "responses": Exports,
    "examples": [answer({"data": [IN_SHORT], "next": None})],
}
EXPORT: Final[dict[str, Any]] = {
    "operation_id": "read_export",
    "tags": _TAG,
    "summary": "All about a bundle",
    "parameters": [_ONE],
    "responses": Export,
    "examples": [answer(_WHOLE)],
}
DOWNLOAD: Final[dict[str, Any]] = {
    "operation_id": "download_export",
    "tags": _TAG,
    "summary": "A bundle, to take away",
    "parameters": [
        _ONE,
        _KNOWN,
        OpenApiParameter(
            "Range",
            str,
            OpenApiParameter.HEADER,
            required=False,
            description="From where to go on; what is no range of bytes has no effect",
            examples=[OpenApiExample("the rest", value="bytes=1048576-")],
        ),
        OpenApiParameter(
            "If-Range",
            str,
            OpenApiParameter.HEADER,
            required=False,
            description="`ETag` of what was begun; where it is another file now, it comes whole",
        ),
    ],
    "responses": {
        (200, _ZIP): OpenApiResponse(_BYTES, "The whole file"),
        (206, _ZIP): OpenApiResponse(_BYTES, "The part that was asked for"),
        **_KEPT_BACK,
        (416, MEDIA_TYPE): OpenApiResponse(_PROBLEM, "The file has no such part"),
    },
    "examples": [
        answer("PK…", media_type=_ZIP),
        answer("…", "206", media_type=_ZIP),
        _REFUSAL,
        answer(
            {
                **_NOT_APPROVED,
                "type": "/api/v1/problems/no-such-range",
                "title": "The file has no such part",
                "status": 416,
                "detail": (
                    "Content-Range says how long the file is. Ask for bytes before its end, or for"
                    " all of it."
                ),
                "errors": [],
            },
            "416",
            MEDIA_TYPE,
        ),
    ],
}
FILE: Final[dict[str, Any]] = {
    "operation_id": "download_export_file",
    "tags": _TAG,
    "summary": "A file out of a bundle",
    "parameters": [
        _ONE,
        OpenApiParameter(
            "file",
            str,
            OpenApiParameter.PATH,
            description="Its name in the bundle, slashes and all",
            examples=[OpenApiExample("a register", value="registers/tax_base.csv")],
        ),
        _KNOWN,
    ],
    "responses": {(200, OCTETS): OpenApiResponse(_BYTES, "As it lies in the bundle"), **_KEPT_BACK},
    "examples": [answer("day;game;…", media_type=OCTETS), _REFUSAL],
}
