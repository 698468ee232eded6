"""Feed files that were uploaded: a form, how far each has come, what became of its documents."""

from datetime import datetime, timedelta
from http import HTTPStatus
from typing import Any, Final

from django.conf import settings
from django.contrib import admin, messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.defaultfilters import filesizeformat
from django.urls import reverse
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from payouts.models import FeedUpload
from payouts.pages.asked import asker
from payouts.pages.fact_admin import FactAdmin
from payouts.services.upload_feed import (
    FeedEmpty,
    FeedNotStored,
    FeedTooLarge,
    FeedUnreadable,
    upload_feed,
)
from payouts.tasks import ring_for_uploads

UPLOAD: Final = "payouts.upload_feed"
"""The permission to upload feed files."""

_REFRESH_SECONDS: Final = 2
_PIECE_BYTES: Final = 1 << 20
_REFUSALS: Final[dict[type[FeedNotStored], str | Promise]] = {
    FeedEmpty: gettext_lazy("Nothing was stored: the file is empty."),
    FeedUnreadable: gettext_lazy(
        "Nothing was stored: the file begins like gzip and cannot be unpacked to its end."
    ),
}


@admin.register(FeedUpload)
class FeedUploadAdmin(FactAdmin):
    """Uploads, newest first, and the page of each. Both load again while one is being ingested."""

    list_template = "pages/uploads.html"
    page_template = "pages/upload.html"

    def list_context(self, request: HttpRequest, rows: list[Any]) -> dict[str, Any]:
        """Each with how far it is; the form for those who may upload."""
        may_upload = request.user.has_perm(UPLOAD)
        return {
            "rows": rows,
            "may_upload": may_upload,
            "most_bytes": settings.FEED_UPLOAD_BYTES,
            "refresh_seconds": _REFRESH_SECONDS
            * any(row.finished_at is None for row in rows)
            * (not may_upload),  # else the file that somebody has just chosen would be forgotten
        }

    def page_context(self, request: HttpRequest, row: Any) -> dict[str, Any]:  # noqa: ANN401  the model's row
        """How far it is, how long it may still take, and what became of its documents."""
        return {
            "title": row.name,
            "name": row.name,
            "left": _time_left(row, at=timezone.now()),
            "refresh_seconds": _REFRESH_SECONDS * (row.finished_at is None),
        }


def upload_now(request: HttpRequest) -> HttpResponse:
    """Stores the file of the form and rings for its ingest; shows how it goes."""
    file = request.FILES.get("file")
    try:
        if file is None:
            raise FeedTooLarge if "sent" in request.POST else FeedEmpty
        upload = upload_feed(
            pieces=file.chunks(_PIECE_BYTES),
            name=(file.name or "").replace("\0", "\N{REPLACEMENT CHARACTER}"),
            most_bytes=settings.FEED_UPLOAD_BYTES,
            at=timezone.now(),
            actor=asker(request),
        )
    except FeedNotStored as refusal:
        messages.error(request, _refusal_words(refusal))
        return _lead_to(request, reverse("admin:payouts_feedupload_changelist"))
    if not ring_for_uploads():
        messages.warning(request, _("The broker is away: it begins when it is back."))
    return _lead_to(request, reverse("admin:payouts_feedupload_change", args=[upload.pk]))


def _lead_to(request: HttpRequest, address: str) -> HttpResponse:
    """There; a script that sent the file is told where, so that the messages are not lost to it."""
    if request.headers.get("X-Requested-With") == "XMLHttpRequest":
        return HttpResponse(status=HTTPStatus.NO_CONTENT, headers={"X-Lead-To": address})
    return redirect(address)


def _refusal_words(refusal: FeedNotStored) -> str:
    if isinstance(refusal, FeedTooLarge):
        most = filesizeformat(settings.FEED_UPLOAD_BYTES)
        return _("Nothing was stored: choose a file of at most %(most)s, unpacked.") % {
            "most": most
        }
    return str(_REFUSALS[type(refusal)])


def _time_left(upload: FeedUpload, *, at: datetime) -> timedelta | None:
    """How long the rest takes if it goes on as until now; None where nothing is known or left."""
    if upload.begun_at is None or upload.finished_at is not None or not upload.offset:
        return None
    return (at - upload.begun_at) * (upload.size - upload.offset) / upload.offset
