"""Deletes the draft of a form once the form was submitted and its content saved."""

from collections.abc import Callable
from http import HTTPStatus
from typing import Any, Final

from django.contrib import messages
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponseBase

from casino.backoffice.drafts.stored_drafts import delete_draft
from casino.backoffice.signatures.signing import PREPARES

FORM_FIELD: Final = "form_draft"
"""The hidden field, added by the script, that names the draft of a form."""


class SubmittedDraftsMiddleware:
    """Innermost, so that it sees only answers of views that the request reached."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """The answer of the view; the draft of what it saved is deleted."""
        answer = self._get_response(request)
        names_draft = getattr(request, "names_draft", "")
        if names_draft and isinstance(request.user, User) and _is_saved(request, answer):
            delete_draft(owner=request.user, form=names_draft)
        return answer

    def process_view(self, request: HttpRequest, *_view: Any) -> None:
        """Notes the draft that the form names, where no other middleware refuses the request."""
        is_form = request.method == "POST" and PREPARES not in request.headers
        if is_form and isinstance(request.user, User):
            request.names_draft = request.POST.get(FORM_FIELD, "")  # type: ignore[attr-defined]  # ours


def _is_saved(request: HttpRequest, answer: HttpResponseBase) -> bool:
    """Whether the view led on, as after saving, and not back with nothing but warnings.

    A page shown once, such as that of a new link, answers 200 and says so by ``is_saved``.
    """
    if getattr(answer, "is_saved", False):
        return True
    if answer.status_code not in (HTTPStatus.FOUND, HTTPStatus.SEE_OTHER):
        return False
    stored: Any = messages.get_messages(request)
    levels = [message.level for message in stored]
    stored.used = False  # the next page shows them
    return messages.SUCCESS in levels or all(level < messages.WARNING for level in levels)
