"""Forms submitted after the session expired: the login leads back to the form."""

from collections.abc import Callable
from http import HTTPStatus
from typing import Final
from urllib.parse import urlencode, urlsplit

from django.contrib.auth import REDIRECT_FIELD_NAME
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import resolve_url

from casino.backoffice.site.error_pages import page_before

_LOGIN: Final = "admin:login"


class BackToTheForm:
    """Redirect to the page of the form instead of the address it was submitted to.

    The entries are kept as a draft (``casino/backoffice/drafts``), and never submitted
    automatically.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """The response; the address after login may differ."""
        answer = self._get_response(request)
        if request.method != "POST" or answer.status_code != HTTPStatus.FOUND:
            return answer
        login, before = resolve_url(_LOGIN), page_before(request)
        to = urlsplit(answer.headers["Location"])
        is_ended = to.path == login and to.query.startswith(f"{REDIRECT_FIELD_NAME}=")
        if is_ended and before and not before.startswith(login):
            answer.headers["Location"] = f"{login}?{urlencode({REDIRECT_FIELD_NAME: before})}"
        return answer
