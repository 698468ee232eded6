"""Write and withdraw comments."""

from collections.abc import Sequence
from typing import Any, Final

from django.contrib import messages
from django.contrib.auth.models import User
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, resolve_url
from django.utils import timezone
from django.utils.translation import gettext as _

from casino.access.current_user import request_user
from casino.backoffice.comments.forms import CommentForm, WithdrawalForm
from casino.backoffice.comments.records import RECORD_KINDS, people_to_mention, record_or_404
from casino.backoffice.site.actions import cleaned_data_of, show_errors
from casino.backoffice.site.form_data import actor_in
from casino.notification_kinds import MENTION
from compliance.notifications.notify import notify
from compliance.trail.people import name_of
from compliance.trail.steps import StepError
from payouts.comments.mentions import mentioned_in
from payouts.comments.models import Comment
from payouts.comments.write_comment import AlreadyWithdrawn, withdraw_comment, write_comment

COMMENTS: Final = "#comments"
"""The place of the comments on a page."""


def write(request: HttpRequest, kind: str, key: str) -> HttpResponse:
    """Write a comment; it cannot be changed afterwards."""
    record = record_or_404(request, kind, key)
    with show_errors(request, message=str):
        text = cleaned_data_of(CommentForm(request.POST))["text"]
        people = mentioned_in(text, people_to_mention())
        _write(request, kind, record, text, people)
        messages.success(request, _saved([name_of(person) or "" for person in people]))
    return _back_to(kind, record.pk)


def _write(request: HttpRequest, kind: str, record: Any, text: str, people: Sequence[User]) -> None:
    """With a notification of each person mentioned. It names no customer."""
    at, actor = timezone.now(), actor_in(request)
    with transaction.atomic():
        comment = write_comment(about=record, text=text, mentions=people, at=at, actor=actor)
        notify(
            persons=people,
            kind=MENTION.name,
            key=f"comment:{comment.pk}",
            subject=name_of(request_user(request)) or actor.name,
            address=f"{resolve_url(RECORD_KINDS[kind].page, record.pk)}{COMMENTS}",
            at=at,
        )


def withdraw(request: HttpRequest, pk: int) -> HttpResponse:
    """Withdraw a comment of the user; its text stays."""
    comment = get_object_or_404(Comment, pk=pk)
    key = getattr(comment, f"{comment.kind}_id")
    record_or_404(request, comment.kind, str(key))
    with show_errors(request, StepError, message=_error_message):
        reason = cleaned_data_of(WithdrawalForm(request.POST))["reason"]
        withdraw_comment(comment_id=pk, reason=reason, at=timezone.now(), actor=actor_in(request))
        messages.success(request, _("Comment withdrawn. Its text stays on record."))
    return _back_to(comment.kind, key)


def _saved(names: list[str]) -> str:
    if not names:
        return _("Comment saved.")
    return _("Comment saved. It mentions %(people)s.") % {"people": ", ".join(names)}


def _error_message(error: StepError) -> str:
    if isinstance(error, AlreadyWithdrawn):
        return _("This comment is already withdrawn.")
    return _("Only its author can withdraw a comment.")


def _back_to(kind: str, key: object) -> HttpResponse:
    answer = redirect(RECORD_KINDS[kind].page, key)
    answer.headers["Location"] += COMMENTS
    return answer
