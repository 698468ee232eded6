"""Limits on request bodies by page, enforced before parsing.

Django parses forms and stores uploads before a view checks permissions; without limits, anybody
could fill the disk through the login page. API views declare their own limits
(``ApiView.largest_body``) and read no body before authentication.
"""

from collections.abc import Callable
from http import HTTPStatus
from typing import Final

from django.conf import settings
from django.core.exceptions import RequestDataTooBig, TooManyFieldsSent, TooManyFilesSent
from django.http import HttpRequest, HttpResponse, UnreadablePostError
from django.http.response import HttpResponseBase
from django.template.defaultfilters import filesizeformat
from django.urls import Resolver404, resolve
from django.utils.translation import gettext as _

from casino.backoffice.site.error_pages import ERROR_MESSAGES, error_page
from casino.backoffice.site.form_fields import MOST_FILES
from casino.backoffice.spreadsheets.files import MOST_BYTES as MOST_OF_A_LIST
from payouts.evidence import MOST_BYTES as MOST_OF_A_FILE

OF_A_VISITOR: Final = 1 << 16
"""Bytes accepted before login: a name, a password, a code, a passkey."""
_WITHOUT_FILES: Final = 1 << 20
"""Bytes of a form without its files."""
_EVIDENCE: Final = MOST_FILES * MOST_OF_A_FILE
_FILE_BYTES: Final[dict[str, Callable[[], int]]] = {
    "upload_feed": lambda: int(settings.FEED_UPLOAD_BYTES),
    "send_list": lambda: MOST_OF_A_LIST,
    **dict.fromkeys(
        (
            "open_malfunction",
            "open_credit",
            "correct_round",
            "release_round",
            "refund_bets",
            "add_evidence",
            "open_dispute",
            "add_dispute_file",
            "answer_bundle",
        ),
        lambda: _EVIDENCE,
    ),
}
"""URL names of pages that accept files, with the bytes of these files."""
API: Final = ("/api/", "/scim/")


class LimitedBodies:
    """Reject bodies that are too large (413) or without a length (411), unread."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """The response, or an error page with the limit."""
        if request.path_info.startswith(API):
            return self._get_response(request)
        if "Transfer-Encoding" in request.headers:
            return _too_large(
                request,
                HTTPStatus.LENGTH_REQUIRED,
                _("The request has no Content-Length. Nothing was stored."),
            )
        if _length_of(request) > (most := _most_for(request)):
            message = _("The maximum request size for this page is %(most)s. Nothing was stored.")
            message %= {"most": filesizeformat(most)}
            return _too_large(request, HTTPStatus.REQUEST_ENTITY_TOO_LARGE, message)
        try:
            request.POST  # noqa: B018  parsed here, so that errors can be shown
        except UnreadablePostError:  # the connection broke; the view handles it
            pass
        except (RequestDataTooBig, TooManyFieldsSent, TooManyFilesSent):
            message = _(
                "A request may contain at most %(files)s files and %(fields)s fields."
                " Nothing was stored."
            )
            message %= {
                "files": settings.DATA_UPLOAD_MAX_NUMBER_FILES,
                "fields": settings.DATA_UPLOAD_MAX_NUMBER_FIELDS,
            }
            return _too_large(request, HTTPStatus.REQUEST_ENTITY_TOO_LARGE, message)
        return self._get_response(request)


def _length_of(request: HttpRequest) -> int:
    length = request.META.get("CONTENT_LENGTH") or "0"
    return int(length) if length.isascii() and length.isdecimal() else 0


def _most_for(request: HttpRequest) -> int:
    """Bytes accepted by this page from this user."""
    if _length_of(request) <= OF_A_VISITOR or not request.user.is_authenticated:
        return OF_A_VISITOR
    try:
        name = resolve(request.path_info).url_name
    except Resolver404:
        return OF_A_VISITOR
    file_bytes = _FILE_BYTES.get(name or "")
    return _WITHOUT_FILES if file_bytes is None else _WITHOUT_FILES + file_bytes()


def _too_large(request: HttpRequest, status: HTTPStatus, what_happened: str) -> HttpResponse:
    message = ERROR_MESSAGES[HTTPStatus.REQUEST_ENTITY_TOO_LARGE]._replace(
        what_happened=what_happened
    )
    return error_page(request, status, message)
