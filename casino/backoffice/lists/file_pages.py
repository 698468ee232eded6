"""The list files that a person requested, and their download."""

from collections.abc import Iterator
from typing import Final

from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.utils.translation import gettext as _

from casino.access.current_user import request_user
from casino.backoffice.lists.background_files import may_see, record_download
from casino.backoffice.lists.files import CONTENT_TYPES
from casino.backoffice.lists.models import KEPT_FOR, ListFile, ListFilePart
from casino.backoffice.security.step_up import step_up_to_download
from casino.backoffice.site.form_data import actor_in
from casino.backoffice.site.views import show
from compliance.notifications.inbox import inbox_of

_REFRESH_SECONDS: Final = 5


def show_files(request: HttpRequest) -> HttpResponse:
    """The person's files, newest first; the page follows their progress."""
    files = list(_files_of(request).order_by("-pk"))
    context = {
        "title": _("Your files"),
        "files": files,
        "live": inbox_of(request_user(request).pk),
        "reload_seconds": _REFRESH_SECONDS * any(file.finished_at is None for file in files),
    }
    return show(request, "backoffice/lists/files_page.html", context)


def download(request: HttpRequest, pk: int) -> HttpResponseBase:
    """A file of the person, who still has access to its list. The download is recorded."""
    if way := step_up_to_download(request):
        return way
    finished = _files_of(request).filter(problem="").exclude(finished_at=None)
    file = get_object_or_404(finished, pk=pk)
    if not may_see(file):
        raise PermissionDenied
    record_download(file, rows=file.rows or 0, actor=actor_in(request))
    headers = {
        "Content-Disposition": f'attachment; filename="{file}"',
        "Content-Length": str(file.size),
    }
    content_type = CONTENT_TYPES[file.file_format]
    return StreamingHttpResponse(_content_of(file), content_type=content_type, headers=headers)


def _files_of(request: HttpRequest) -> QuerySet[ListFile]:
    since = timezone.now() - KEPT_FOR
    return ListFile.objects.filter(owner=request_user(request), requested_at__gt=since)


def _content_of(file: ListFile) -> Iterator[bytes]:
    """One part in memory at a time."""
    parts = ListFilePart.objects.filter(file=file).order_by("pk")
    for pk in list(parts.values_list("pk", flat=True)):
        yield bytes(ListFilePart.objects.values_list("content", flat=True).get(pk=pk))
