"""Problems for errors under ``/api/`` that occur outside the API views.

Django would answer a wrong host, an unknown address, a failed CSRF check or an unavailable
database with an HTML page.
"""

from collections.abc import Callable
from typing import Final
from uuid import uuid4

from django.core.exceptions import DisallowedHost
from django.http import HttpRequest, HttpResponseBase, JsonResponse
from django.utils import translation
from django.utils.translation import gettext as _

from casino.api import problems
from casino.api.language import activate_language
from casino.api.problems import MEDIA_TYPE, FieldError, Problem, ProblemType

_PREFIX: Final = "/api/"
_FIRST_ERROR: Final = 400
_VIEW_HEADER: Final = "Request-Id"
"""Every answer of an API view has this header."""
_BODY_HEADERS: Final = ("Content-Type", "Content-Length", "Content-Language", "Content-Encoding")
_KINDS: Final[dict[int, ProblemType]] = {
    403: problems.SESSION_REFUSED,
    404: problems.NOT_FOUND,
    405: problems.METHOD_NOT_ALLOWED,
    413: problems.TOO_LARGE,
}
_SERVER_ERROR: Final = 500


class ProblemMiddleware:
    """Converts error answers of the API that no view made; the outermost middleware."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """The answer, or its problem."""
        answer = self._get_response(request)
        is_api_error = request.path_info.startswith(_PREFIX) and _VIEW_HEADER not in answer.headers
        if answer.status_code < _FIRST_ERROR or not is_api_error:
            return answer
        answer.close()
        with translation.override(None):
            activate_language(request)
            return _problem_response(request, answer)


def _problem_response(request: HttpRequest, answer: HttpResponseBase) -> JsonResponse:
    problem, call_id = _problem_of(request, answer.status_code), uuid4()
    headers = {name: text for name, text in answer.headers.items() if name not in _BODY_HEADERS}
    return JsonResponse(
        problem.document(instance=call_id.urn),
        status=problem.status_code,
        content_type=MEDIA_TYPE,
        headers={**headers, "Cache-Control": "no-store", _VIEW_HEADER: str(call_id)},
    )


def _problem_of(request: HttpRequest, status: int) -> Problem:
    if status >= _SERVER_ERROR:
        return Problem(problems.FAILED)
    if not _is_allowed_host(request):
        needed = _("a host name that this server accepts")
        error = FieldError("header:Host", request.headers.get("Host"), needed)
        return Problem(problems.MALFORMED, errors=[error])
    problem_type = _KINDS.get(status, problems.MALFORMED)
    if problem_type is not problems.NOT_FOUND:
        return Problem(problem_type)
    needed = _("a path listed in /api/v1/reference")
    return Problem(problem_type, errors=[FieldError("path", request.path, needed)])


def _is_allowed_host(request: HttpRequest) -> bool:
    try:
        request.get_host()
    except DisallowedHost:
        return False
    return True
