"""File responses."""

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

from casino.api.problems import Problem, declare_problem
from casino.api.rendering import JsonRenderer

OCTETS: Final = "application/octet-stream"
NO_SUCH_RANGE: Final = declare_problem(
    "no-such-range",
    416,
    _("The requested range is outside the file"),
    _(
        "Content-Range contains the length of the file. Request a range within it, or the whole"
        " file."
    ),
)


class FileRenderer(JsonRenderer):
    """Accepts any media type for a file; a problem is JSON."""

    media_type = "*/*"
    format = "file"


class _StoredFile(StaticFile):  # type: ignore[misc]  # it ships no types
    """A file that serves ranges of one byte, which WhiteNoise treats as empty."""

    def get_range_response(
        self,
        range_header: str,
        base_headers: Iterable[tuple[str, str]],
        file_handle: BinaryIO | None,
    ) -> ServedFile:
        """The requested range."""
        others = dict(base_headers)
        size = int(others.pop("Content-Length"))
        start, end = self.get_byte_range(range_header, size)
        if start != end:
            return super().get_range_response(range_header, base_headers, file_handle)
        part = None if file_handle is None else SlicedFile(file_handle, start, end)
        others |= {"Content-Range": f"bytes {start}-{end}/{size}", "Content-Length": "1"}
        return ServedFile(HTTPStatus.PARTIAL_CONTENT, list(others.items()), part)


def file_response(content: bytes, *, content_type: str, name: str) -> HttpResponse:
    """A file of a few megabytes at most, as an attachment."""
    return HttpResponse(
        content,
        content_type=content_type,
        headers={
            "Content-Disposition": f'attachment; filename="{name}"',
            "Content-Length": str(len(content)),
            "X-Content-Type-Options": "nosniff",
        },
    )


def stored_file_response(
    request: Request, path: Path, *, content_type: str, name: str, etag: str
) -> HttpResponse:
    """A stored file of any length, streamed, or the range that Range names. Raises Problem (416).

    304 where If-None-Match names its tag. The whole file where If-Range names another tag.
    """
    headers = [
        ("Content-Type", content_type),
        ("Content-Disposition", f'attachment; filename="{name}"'),
        ("X-Content-Type-Options", "nosniff"),
        ("Cache-Control", "private, no-cache"),
        ("Accept-Ranges", "bytes"),
        ("ETag", etag),
    ]
    meta = dict(request.META)
    if meta.get("HTTP_IF_RANGE", etag) != etag:
        meta.pop("HTTP_RANGE", None)
    served = _StoredFile(str(path), headers).get_response(request.method, meta)
    if served.status == HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE:
        raise Problem(NO_SUCH_RANGE, headers=dict(served.headers))
    answer = HttpResponse() if served.file is None else FileResponse(served.file)
    answer.status_code = served.status
    for header, value in served.headers:
        answer.headers[header] = value
    return answer  # type: ignore[return-value]  # HttpResponseBase both


def zip_member_response(path: Path, name: str, *, headers: Mapping[str, str]) -> HttpResponse:
    """A member of a ZIP file, of any length, streamed."""
    with zipfile.ZipFile(path) as archive:
        size, content = archive.getinfo(name).file_size, archive.open(name)
    own = {"Content-Length": str(size), "X-Content-Type-Options": "nosniff", **headers}
    answer = FileResponse(content, content_type=OCTETS, headers=own)
    answer.headers["Content-Disposition"] = f'attachment; filename="{name.rpartition("/")[2]}"'
    return answer  # type: ignore[return-value]  # as above
