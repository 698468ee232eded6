"""Files as answers."""

import zipfile
from collections.abc import Iterable, Mapping
from http import HTTPStatus
from pathlib import Path
from typing import BinaryIO, Final

from django.http import FileResponse, HttpResponse
from django.utils.translation import gettext_lazy as _
from rest_framework.request import Request
from whitenoise.responders import Response as ServedFile
from whitenoise.responders import SlicedFile, StaticFile

from payouts.api.problems import Problem, kind
from payouts.api.rendering import JsonRenderer

OCTETS: Final = "application/octet-stream"
NO_SUCH_RANGE: Final = kind(
    "no-such-range",
    416,
    _("The file has no such part"),
    _("Content-Range says how long the file is. Ask for bytes before its end, or for all of it."),
)


class FileRenderer(JsonRenderer):
    """Lets programs ask for whatever a file is; a problem in its stead is JSON."""

    media_type = "*/*"
    format = "file"


class _StoredFile(StaticFile):  # type: ignore[misc]  # it ships no types
    """A file whose parts may be of one octet, too; the library takes such a part for none."""

    def get_range_response(
        self,
        range_header: str,
        base_headers: Iterable[tuple[str, str]],
        file_handle: BinaryIO | None,
    ) -> ServedFile:
        """The part that was asked for."""
        others = dict(base_headers)
        size = int(others.pop("Content-Length"))
        start, end = self.get_byte_range(range_header, size)
        if start != end:
            return super().get_range_response(range_header, base_headers, file_handle)
        part = None if file_handle is None else SlicedFile(file_handle, start, end)
        others |= {"Content-Range": f"bytes {start}-{end}/{size}", "Content-Length": "1"}
        return ServedFile(HTTPStatus.PARTIAL_CONTENT, list(others.items()), part)


def file_answer(content: bytes, *, content_type: str, name: str) -> HttpResponse:
    """A file of a few megabytes at most, to be kept under this name."""
    return HttpResponse(
        content,
        content_type=content_type,
        headers={
            "Content-Disposition": f'attachment; filename="{name}"',
            "Content-Length": str(len(content)),
            "X-Content-Type-Options": "nosniff",
        },
    )


def stored_answer(
    request: Request, path: Path, *, content_type: str, name: str, etag: str
) -> HttpResponse:
    """A file of any length as it is read, or the part that Range asks for. Raises Problem.

    304 without a body for whoever has it. A part of another file than the one that was begun
    (If-Range) is no use to anybody: then it comes whole.
    """
    headers = [
        ("Content-Type", content_type),
        ("Content-Disposition", f'attachment; filename="{name}"'),
        ("X-Content-Type-Options", "nosniff"),
        ("Cache-Control", "private, no-cache"),
        ("Accept-Ranges", "bytes"),
        ("ETag", etag),
    ]
    asked = dict(request.META)
    if asked.get("HTTP_IF_RANGE", etag) != etag:
        asked.pop("HTTP_RANGE", None)
    found = _StoredFile(str(path), headers).get_response(request.method, asked)
    if found.status == HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE:
        raise Problem(NO_SUCH_RANGE, headers=dict(found.headers))
    answer = HttpResponse() if found.file is None else FileResponse(found.file)
    answer.status_code = found.status
    for header, value in found.headers:
        answer.headers[header] = value
    return answer  # type: ignore[return-value]  # HttpResponseBase both


def unpacked_answer(path: Path, name: str, *, headers: Mapping[str, str]) -> HttpResponse:
    """A file out of a ZIP, of any length, as it is read."""
    with zipfile.ZipFile(path) as archive:
        size, content = archive.getinfo(name).file_size, archive.open(name)
    own = {"Content-Length": str(size), "X-Content-Type-Options": "nosniff", **headers}
    answer = FileResponse(content, content_type=OCTETS, headers=own)
    answer.headers["Content-Disposition"] = f'attachment; filename="{name.rpartition("/")[2]}"'
    return answer  # type: ignore[return-value]  # as above
