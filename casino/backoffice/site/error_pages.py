"""Error pages: what happened, what to do, and the request number.

They use neither the database nor the session, so they work when these fail. Under ``/api/`` only
the status is set; ``casino.api.middleware`` adds the problem document.
"""

import logging
import sys
from collections.abc import Callable
from http import HTTPStatus
from typing import Any, Final, NamedTuple
from urllib.parse import urlsplit
from uuid import UUID, uuid4

from django.core.exceptions import DisallowedHost
from django.db import InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.functional import Promise
from django.utils.html import format_html
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext_lazy as _
from psycopg.errors import QueryCanceled
from structlog.contextvars import bind_contextvars

from casino.operations.refusals import note_refusal

_API: Final = ("/api/", "/scim/")
_log = logging.getLogger(__name__)


class ErrorMessage(NamedTuple):
    """The texts of an error page."""

    title: str | Promise
    what_happened: str | Promise
    what_to_do: str | Promise


ERROR_MESSAGES: Final[dict[int, ErrorMessage]] = {
    HTTPStatus.BAD_REQUEST: ErrorMessage(
        _("Invalid request"),
        _("Sabot could not read the request sent by the browser. Nothing was changed."),
        _("Go back and try again. If you typed or copied the address, check it."),
    ),
    HTTPStatus.FORBIDDEN: ErrorMessage(
        _("Access denied"),
        _("Your role does not include this page or this action. Nothing was changed."),
        _("If you need access, ask an administrator for a role that includes it."),
    ),
    HTTPStatus.NOT_FOUND: ErrorMessage(
        _("Page not found"),
        _("No page exists at this address. It may be mistyped, or the page was removed."),
        _("Check the address, or search for the round, customer or amount on Today."),
    ),
    HTTPStatus.METHOD_NOT_ALLOWED: ErrorMessage(
        _("Method not allowed"),
        _("This address only accepts form submissions. Nothing was changed."),
        _("Open the page with the form and submit it there."),
    ),
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE: ErrorMessage(
        _("Request too large"),
        _("The request exceeds the maximum size. Nothing was stored."),
        _(
            "Send a smaller file. A feed file can be split, because each line is a separate"
            " document."
        ),
    ),
    HTTPStatus.INTERNAL_SERVER_ERROR: ErrorMessage(
        _("Server error"),
        _("Something went wrong on the server. The error was logged with the number below."),
        _(
            "Before you repeat an action, check whether it was completed. If the error"
            " persists, give the number below to the system operator."
        ),
    ),
    HTTPStatus.SERVICE_UNAVAILABLE: ErrorMessage(
        _("Database unavailable"),
        _("The database does not answer. What was not confirmed was not stored."),
        _("Wait a minute, then try again. If it persists, tell the system operator."),
    ),
}
_TOOK_TOO_LONG: Final = ErrorMessage(
    _("The page took too long"),
    _("Finding what this page shows took longer than it may. Nothing was changed."),
    _("Choose a shorter period or a narrower filter, or ask for an export, which may take longer."),
)
_PLAIN: Final = (
    '<!DOCTYPE html><html><head><meta charset="utf-8"><title>{title} | Sabot</title></head>'
    "<body><h1>{title}</h1><p>{what_happened}</p><p>{what_to_do}</p><p>{number}</p></body></html>"
)
"""For failures of the template, for example without collected static files."""
_FORM_NOT_CHECKED: Final = ErrorMessage(
    _("The form could not be verified"),
    _(
        "The security token of the form is missing or expired. You may have logged in again"
        " in another tab, or your browser blocks cookies. Nothing was changed."
    ),
    _(
        "Go back to the form. Your entries are restored, except passwords, codes and files."
        " Check them and submit the form again."
    ),
)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Django's handler400."""
    return error_page(request, HTTPStatus.BAD_REQUEST)


def forbidden(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Django's handler403."""
    return error_page(request, HTTPStatus.FORBIDDEN)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Django's handler404."""
    return error_page(request, HTTPStatus.NOT_FOUND)


def failed(request: HttpRequest) -> HttpResponse:
    """Django's handler500: called while the error is handled."""
    error = sys.exc_info()[1]
    if not isinstance(error, InterfaceError | OperationalError):
        return error_page(request, HTTPStatus.INTERNAL_SERVER_ERROR)
    message = _TOOK_TOO_LONG if isinstance(error.__cause__, QueryCanceled) else None
    return error_page(request, HTTPStatus.SERVICE_UNAVAILABLE, message)


def form_not_checked(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Django's CSRF_FAILURE_VIEW."""
    return error_page(request, HTTPStatus.FORBIDDEN, _FORM_NOT_CHECKED, reason=reason)


class NoBlankPages:
    """Add the error page to responses with an error status and no body."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """The response, with a page if it would be blank."""
        answer = self._get_response(request)
        if answer.status_code not in ERROR_MESSAGES or request.path_info.startswith(_API):
            return answer
        if not isinstance(answer, HttpResponse) or answer.content:
            return answer
        page = error_page(request, answer.status_code)
        headers = {"Allow"} & set(answer.headers)
        for name in headers:
            page.headers[name] = answer.headers[name]
        return page


def error_page(
    request: HttpRequest, status: int, message: ErrorMessage | None = None, *, reason: str = ""
) -> HttpResponse:
    """The page of a status, in the language of the browser."""
    if request.path_info.startswith(_API):
        return HttpResponse(status=status)
    shown = message or ERROR_MESSAGES[status]
    note_refusal(request, shown.title)
    number = uuid4()
    bind_contextvars(request_id=str(number))
    _log.warning("request %s: %s answered %d %s", number, request.path_info, status, reason)
    with translation.override(translation.get_language_from_request(request)):
        content = _rendered(request, shown, status, number)
    return HttpResponse(content, status=status, headers={"Request-Id": str(number)})


def _rendered(request: HttpRequest, message: ErrorMessage, status: int, number: UUID) -> str:
    context: dict[str, Any] = {
        "message": message,
        "status": int(status),
        "number": str(number),
        "at": timezone.now(),
        "home": reverse("admin:index"),
        "back_to": page_before(request),
    }
    try:
        return render_to_string("backoffice/site/error.html", context)
    except Exception:  # noqa: BLE001  the page about a failure must not fail itself
        _log.exception("The template of an error page failed")
        return format_html(_PLAIN, **message._asdict(), number=number)


def page_before(request: HttpRequest) -> str:
    """The previous page of this site; empty if unknown or external."""
    referer = request.headers.get("Referer", "")
    try:
        host = request.get_host()
    except DisallowedHost:
        return ""
    if not url_has_allowed_host_and_scheme(referer, {host}):
        return ""
    parts = urlsplit(referer)
    path = parts.path or "/"
    return f"{path}?{parts.query}" if parts.query else path
