"""The video of a round: its reference, a player, and the form that adds one."""

import re
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import urlsplit
from uuid import UUID

from django import forms
from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.backoffice.cases.round_decisions import round_of
from casino.backoffice.site.actions import cleaned_data_of, show_errors
from casino.backoffice.site.form_data import actor_in
from casino.page_policy import page_policy
from rounds.models import Round, RoundVideo
from rounds.models.round_video import LATEST_START
from rounds.row_mapping import video_of
from rounds.services.add_round_video import NewVideo, add_round_video

ADD: Final = "rounds.add_video"
"""Permission to add the reference of a video."""
_MOST_SHOWN: Final = 20
_TIME: Final = re.compile(r"(?:(?:(\d{1,2}):)?(\d{1,2}):)?(\d{1,5})")
_DIGEST: Final = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True)
class VideoLine:
    """A reference; ``row`` is None for the one that came with the feed."""

    reference: str
    start_seconds: int
    digest: str
    row: RoundVideo | None

    @property
    def start(self) -> str:
        """The start in the file, as hours, minutes and seconds."""
        minutes, seconds = divmod(self.start_seconds, 60)
        return f"{minutes // 60}:{minutes % 60:02}:{seconds:02}"

    @property
    def source(self) -> str:
        """The address for a player; empty unless it is HTTPS at a configured origin.

        A path or a query may follow the origin: it is compared as a browser compares origins.
        """
        try:
            parts = urlsplit(self.reference)
            origin = f"{parts.scheme}://{parts.netloc}"
        except ValueError:
            return ""
        is_allowed = parts.scheme == "https" and origin in settings.VIDEO_ORIGINS
        return (
            f"{parts._replace(fragment='').geturl()}#t={self.start_seconds}" if is_allowed else ""
        )


class VideoForm(forms.Form):
    """A reference to the video of a round."""

    reference = forms.CharField(
        label=gettext_lazy("Reference"),
        max_length=2000,
        widget=forms.TextInput({"autocomplete": "off"}),
        help_text=gettext_lazy("HTTPS address, or the key in the video archive"),
    )
    start = forms.CharField(
        label=gettext_lazy("Start of the round in the file"),
        max_length=12,
        required=False,
        widget=forms.TextInput({"autocomplete": "off", "placeholder": "0:00:00"}),
    )
    sha256 = forms.CharField(
        label=gettext_lazy("SHA-256 of the file"),
        max_length=80,
        widget=forms.TextInput({"autocomplete": "off", "class": "mono"}),
        help_text=gettext_lazy(
            "64 characters; choose the file below to compute it in this browser"
        ),
    )

    def clean_start(self) -> int:
        """The start in seconds: ``seconds``, ``minutes:seconds`` or with hours."""
        match = _TIME.fullmatch(self.cleaned_data["start"].strip() or "0")
        seconds = 0
        for part in match.groups(default="0") if match else ():
            seconds = seconds * 60 + int(part)
        if match is None or seconds > LATEST_START:
            raise forms.ValidationError(
                _("Enter the start as hours, minutes and seconds: 0:12:30.")
            )
        return seconds

    def clean_sha256(self) -> bytes:
        """The 32 bytes of the digest."""
        text = "".join(self.cleaned_data["sha256"].split()).lower()
        if not _DIGEST.fullmatch(text):
            raise forms.ValidationError(
                _("A SHA-256 digest has 64 characters, from 0 to 9 and a to f.")
            )
        return bytes.fromhex(text)


def video_context(request: HttpRequest, row: Round) -> dict[str, Any]:
    """The latest reference, those before it, and the form for who may add one."""
    added = RoundVideo.objects.filter(round=row).order_by("-id")[:_MOST_SHOWN]
    lines = [
        VideoLine(video.reference, video.start_seconds, bytes(video.sha256).hex(), video)
        for video in added
    ]
    if fed := video_of(row.video):
        lines.append(VideoLine(fed.ref, 0, fed.sha256, None))
    return {
        "video": {
            "line": lines[0] if lines else None,
            "earlier": lines[1:],
            "form": VideoForm() if request.user.has_perm(ADD) else None,
        }
    }


def restrict_media(answer: HttpResponse) -> HttpResponse:
    """The page with leave to play videos of the configured origins, and of no other."""
    answer.headers["Content-Security-Policy"] = page_policy(media_src=settings.VIDEO_ORIGINS)
    return answer


def add_video(request: HttpRequest, round_id: UUID) -> HttpResponse:
    """Add a reference; it supersedes the earlier one, which stays."""
    row = round_of(round_id)
    with show_errors(request, message=str):
        data = cleaned_data_of(VideoForm(request.POST))
        video = NewVideo(data["reference"], data["start"], data["sha256"])
        add_round_video(row=row, video=video, at=timezone.now(), actor=actor_in(request))
        messages.success(request, _("Video reference saved."))
    answer = redirect("admin:rounds_round_change", row.pk)
    answer.headers["Location"] += "#video"
    return answer
