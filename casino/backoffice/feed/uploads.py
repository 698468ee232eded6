"""Uploaded feed files: form, progress and result."""

from datetime import datetime, timedelta
from http import HTTPStatus
from typing import Any, Final

from django.conf import settings
from django.contrib import admin, messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.template.defaultfilters import filesizeformat
from django.urls import reverse
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from casino.backoffice.cases.forms import ReasonForm
from casino.backoffice.cases.messages import PROPOSE, error_message
from casino.backoffice.lists.columns import Column, Kind
from casino.backoffice.lists.filters import (
    choice_filter,
    person_filter,
    text_filter,
    time_filters,
)
from casino.backoffice.lists.list_page import ListSpec
from casino.backoffice.security.confirmation import (
    NotConfirmed,
    confirmation_context,
    require_confirmed,
)
from casino.backoffice.site.actions import cleaned_data_of, show_errors, warn_broker_unavailable
from casino.backoffice.site.actor_labels import actor_label
from casino.backoffice.site.form_data import actor_in, text_of
from casino.backoffice.site.read_only_admin import ReadOnlyAdmin
from compliance.trail.steps import StepError
from payouts.cases.release_upload import open_upload_release_case
from payouts.cases.uploaded_rounds import (
    cases_of_upload,
    held_rounds_of_upload,
    rounds_outside_cases,
)
from payouts.tasks import wake_upload_workers
from rounds.models import Round
from rounds.models.upload import FeedUpload
from rounds.uploads.upload_feed import (
    FeedEmpty,
    FeedNotStored,
    FeedTooLarge,
    FeedUnreadable,
    upload_feed,
)

UPLOAD: Final = "payouts.upload_feed"
"""Permission to upload feed files."""

_REFRESH_SECONDS: Final = 2
_PIECE_BYTES: Final = 1 << 20
_MOST_SIGNATURES: Final = 16 << 20
_ERROR_MESSAGES: Final[dict[type[FeedNotStored], str | Promise]] = {
    FeedEmpty: gettext_lazy("The file is empty. Nothing was stored."),
    FeedUnreadable: gettext_lazy("The gzip file is damaged or incomplete. Nothing was stored."),
}


LIST: Final = ListSpec(
    name="uploads",
    live="feed",
    filters=(
        text_filter(
            "file", gettext_lazy("File"), lambda rows, value: rows.filter(name__icontains=value)
        ),
        choice_filter(
            "state",
            gettext_lazy("Status"),
            (
                ("running", gettext_lazy("In progress")),
                ("finished", gettext_lazy("Finished")),
                ("cancelled", pgettext_lazy("feed", "Cancelled")),
            ),
            lambda rows, value: rows.filter(
                finished_at__isnull=value == "running", is_cancelled=value == "cancelled"
            ),
        ),
        person_filter(gettext_lazy("Uploaded by")),
        *time_filters("uploaded_at"),
    ),
    columns=(
        Column(
            "uploaded", gettext_lazy("Uploaded"), lambda row: row.uploaded_at, Kind.MOMENT, "pk"
        ),
        Column("file", gettext_lazy("File"), lambda row: row.name, sort="name"),
        Column("person", gettext_lazy("Who"), lambda row: actor_label(row.actor), sort="actor"),
        Column("progress", gettext_lazy("Progress"), lambda row: f"{row.percent} %"),
        Column("rounds", gettext_lazy("Rounds"), lambda row: row.rounds, Kind.COUNT, "rounds"),
        Column(
            "known",
            gettext_lazy("Already stored"),
            lambda row: row.known,
            Kind.COUNT,
            "known",
            is_optional=True,
        ),
        Column(
            "conflicts",
            gettext_lazy("Conflicts"),
            lambda row: row.conflicts,
            Kind.COUNT,
            "conflicts",
        ),
        Column(
            "quarantined",
            gettext_lazy("Quarantined"),
            lambda row: row.quarantined,
            Kind.COUNT,
            "quarantined",
        ),
        Column(
            "finished",
            gettext_lazy("Finished"),
            lambda row: row.finished_at,
            Kind.MOMENT,
            "finished_at",
            is_optional=True,
        ),
    ),
    sort="-uploaded",
)


@admin.register(FeedUpload)
class FeedUploadAdmin(ReadOnlyAdmin):
    """Uploads, newest first, and the page of each. Both reload while a file is ingested."""

    spec = LIST
    list_template = "backoffice/feed/uploads.html"
    page_template = "backoffice/feed/upload.html"

    def list_context(self, request: HttpRequest, rows: list[Any]) -> dict[str, Any]:
        """The form for users who may upload."""
        may_upload = request.user.has_perm(UPLOAD)
        return {
            "may_upload": may_upload,
            **(confirmation_context(request) if may_upload else {}),
            "most_bytes": settings.FEED_UPLOAD_BYTES,
            "refresh_seconds": _REFRESH_SECONDS
            * any(row.finished_at is None for row in rows)
            * (not may_upload),  # a reload would discard a file that the user has selected
        }

    def page_context(self, request: HttpRequest, row: Any) -> dict[str, Any]:
        """The progress, the remaining time and the result."""
        held = held_rounds_of_upload(row) if row.is_by_hand else Round.objects.none()
        return {
            "title": row.name,
            "name": row.name,
            "held": held.count(),
            "to_release": rounds_outside_cases(held).exists(),
            "cases": cases_of_upload(row) if row.is_by_hand else (),
            "may_propose": request.user.has_perm(PROPOSE),
            "form": ReasonForm(purpose="release"),
            "left": _time_left(row, at=timezone.now()),
            "refresh_seconds": _REFRESH_SECONDS * (row.finished_at is None),
        }


def upload_now(request: HttpRequest) -> HttpResponse:
    """Store the file and start its ingestion. Requires a confirmed second factor."""
    file = request.FILES.get("file")
    try:
        require_confirmed(request, text_of(request, "code"))
        if file is None:
            raise FeedTooLarge if "sent" in request.POST else FeedEmpty
        upload = upload_feed(
            pieces=file.chunks(_PIECE_BYTES),
            signatures=_signatures(request),
            name=(file.name or "").replace("\0", "\N{REPLACEMENT CHARACTER}"),
            most_bytes=settings.FEED_UPLOAD_BYTES,
            at=timezone.now(),
            actor=actor_in(request),
        )
    except NotConfirmed as error:
        messages.error(request, _("Nothing was stored. %(why)s") % {"why": error})
        return _redirect(request, reverse("admin:payouts_feedupload_changelist"))
    except FeedNotStored as error:
        messages.error(request, _error_message(error))
        return _redirect(request, reverse("admin:payouts_feedupload_changelist"))
    if not wake_upload_workers():
        warn_broker_unavailable(request)
    return _redirect(request, reverse("admin:payouts_feedupload_change", args=[upload.pk]))


def _signatures(request: HttpRequest) -> bytes:
    """The studio's file of signatures, if one was uploaded. Raises FeedTooLarge."""
    file = request.FILES.get("signatures")
    if file is None:
        return b""
    content: bytes = file.read(_MOST_SIGNATURES + 1)
    if len(content) > _MOST_SIGNATURES:
        raise FeedTooLarge
    return content


def release_upload(request: HttpRequest, pk: int) -> HttpResponse:
    """Open a case to release the rounds that are held for their arrival alone."""
    upload = get_object_or_404(FeedUpload, pk=pk, delivery=None)
    answer: HttpResponse = redirect("admin:payouts_feedupload_change", upload.pk)
    with show_errors(request, StepError, message=error_message):
        data = cleaned_data_of(ReasonForm(request.POST, purpose="release"))
        case = open_upload_release_case(
            upload_id=upload.pk,
            reason=data["reason"],
            text=data["text"],
            at=timezone.now(),
            actor=actor_in(request),
        )
        messages.success(request, _("Case opened. Review the effect and propose a remedy."))
        answer = redirect("case", case.pk)
    return answer  # noqa: RET504  reassigned where no error was shown


def _redirect(request: HttpRequest, address: str) -> HttpResponse:
    """Redirect; a script gets the address in a header, so that messages are kept for the page."""
    if request.headers.get("X-Requested-With") == "XMLHttpRequest":
        return HttpResponse(status=HTTPStatus.NO_CONTENT, headers={"X-Lead-To": address})
    return redirect(address)


def _error_message(error: FeedNotStored) -> str:
    if isinstance(error, FeedTooLarge):
        most = filesizeformat(settings.FEED_UPLOAD_BYTES)
        return _("Choose a file of at most %(most)s uncompressed. Nothing was stored.") % {
            "most": most
        }
    return str(_ERROR_MESSAGES[type(error)])


def _time_left(upload: FeedUpload, *, at: datetime) -> timedelta | None:
    """Estimated remaining seconds; None if unknown or finished."""
    if upload.begun_at is None or upload.finished_at is not None or not upload.offset:
        return None
    return (at - upload.begun_at) * (upload.size - upload.offset) / upload.offset
