"""Answers of addresses of the API that no view of it gave: refusals are problems there, too.

A host that is not ours, an address that no pattern has, a browser's session that may not write, a
database that is away before any view is asked: Django answers these with pages for people.
"""

from collections.abc import Callable
from typing import Final
from uuid import uuid4

from django.core.exceptions import DisallowedHost
from django.http import HttpRequest, HttpResponseBase, JsonResponse
from django.utils import translation
from django.utils.translation import gettext as _

from payouts.api import problems
from payouts.api.problems import MEDIA_TYPE, FieldError, Problem, ProblemKind
from payouts.api.speaking import speak

_PLACE: Final = "/api/"
_REFUSED: Final = 400
_OF_VIEWS: Final = "Request-Id"
"""The header that every answer of a view of the API has."""
_OF_THE_BODY: Final = ("Content-Type", "Content-Length", "Content-Language", "Content-Encoding")
_KINDS: Final[dict[int, ProblemKind]] = {
    403: problems.SESSION_REFUSED,
    404: problems.NOT_FOUND,
    405: problems.METHOD_NOT_ALLOWED,
    413: problems.TOO_LARGE,
}
_SERVERS_OWN: Final = 500


class ProblemsBeforeViews:
    """Tells what was refused before a view was asked; the outermost of all that see a request."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """The answer, or the problem that it is."""
        answer = self._get_response(request)
        is_ours = request.path_info.startswith(_PLACE) and _OF_VIEWS not in answer.headers
        if answer.status_code < _REFUSED or not is_ours:
            return answer
        answer.close()
        with translation.override(None):
            speak(request)
            return _told(request, answer)


def _told(request: HttpRequest, answer: HttpResponseBase) -> JsonResponse:
    problem, call_id = _problem_of(request, answer.status_code), uuid4()
    kept = {name: text for name, text in answer.headers.items() if name not in _OF_THE_BODY}
    return JsonResponse(
        problem.document(instance=call_id.urn),
        status=problem.status_code,
        content_type=MEDIA_TYPE,
        headers={**kept, "Cache-Control": "no-store", _OF_VIEWS: str(call_id)},
    )


def _problem_of(request: HttpRequest, status: int) -> Problem:
    if status >= _SERVERS_OWN:
        return Problem(problems.FAILED)
    if not _is_served(request):
        needed = _("a host name that Sabot is served under")
        return Problem(
            problems.MALFORMED, errors=[FieldError("header:Host", _host_of(request), needed)]
        )
    of = _KINDS.get(status, problems.MALFORMED)
    if of is not problems.NOT_FOUND:
        return Problem(of)
    needed = _("an address that /api/v1/reference names")
    return Problem(of, errors=[FieldError("path", request.path, needed)])


def _is_served(request: HttpRequest) -> bool:
    try:
        request.get_host()
    except DisallowedHost:
        return False
    return True


def _host_of(request: HttpRequest) -> str | None:
    return request.headers.get("Host")
