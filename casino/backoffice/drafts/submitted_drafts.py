"""Keeps what a form submitted in vain as its draft, and deletes the draft of one that was saved."""

from collections.abc import Callable
from contextlib import suppress
from http import HTTPStatus
from typing import Any, Final

from django.contrib import messages
from django.contrib.auth.models import User
from django.core.signing import BadSignature, TimestampSigner
from django.http import HttpRequest, HttpResponseBase
from django.utils import timezone

from casino.backoffice.drafts.stored_drafts import delete_draft, save_draft
from casino.backoffice.signatures.signing import PREPARES
from casino.backoffice.site.body_limits import API

FORM, CONTENT, OWNER = "draft_form", "draft_content", "draft_owner"
"""The hidden fields, added by the script: the name of the form, its entries, whose they are."""
_SIGNER: Final = TimestampSigner(salt="casino.backoffice.drafts.owner")
_MOST_SECONDS: Final = 24 * 60 * 60


def owner_mark(person: User) -> str:
    """Names the person in forms, for a day: the session may be over when a form is submitted.

    It allows nothing but to leave the person a draft, and only the person's own pages have it.
    """
    return _SIGNER.sign(str(person.pk))


class SubmittedDraftsMiddleware:
    """Innermost, so that it sees the answer before it has left."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """The answer of the view; what was submitted is saved as a draft unless it was stored."""
        answer = self._get_response(request)
        if request.path_info.startswith(API) or PREPARES in request.headers:
            return answer
        form, owner = request.POST.get(FORM, ""), _owner_in(request)
        if owner is not None and _is_saved(request, answer):
            delete_draft(owner=owner, form=form)
        elif owner is not None:
            with suppress(ValueError, RecursionError):  # nothing that our script has sent
                content = request.POST.get(CONTENT, "")
                save_draft(owner=owner, form=form, content=content, at=timezone.now())
        return answer

    def process_view(self, request: HttpRequest, *_view: Any) -> None:
        """Notes that no other middleware has refused the request."""
        request.has_reached_view = True  # type: ignore[attr-defined]  # ours


def _owner_in(request: HttpRequest) -> User | None:
    try:
        key = _SIGNER.unsign(request.POST.get(OWNER, ""), max_age=_MOST_SECONDS)
    except BadSignature:
        return None
    return User.objects.filter(pk=key, is_active=True).first()


def _is_saved(request: HttpRequest, answer: HttpResponseBase) -> bool:
    """Whether the view led on, as after saving, and not back with nothing but warnings.

    A page shown once, such as that of a new link, answers 200 and says so by ``is_saved``.
    """
    if not (hasattr(request, "has_reached_view") and isinstance(request.user, User)):
        return False
    if getattr(answer, "is_saved", False):
        return True
    stored: Any = messages.get_messages(request)
    was_used = stored.used
    levels = [message.level for message in stored]
    stored.used = was_used  # else the next page does not show them
    if messages.SUCCESS in levels:
        return True
    is_redirect = answer.status_code in (HTTPStatus.FOUND, HTTPStatus.SEE_OTHER)
    return is_redirect and all(level < messages.WARNING for level in levels)
