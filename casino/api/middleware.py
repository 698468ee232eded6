"""Problems for errors under ``/api/`` that occur outside the API views.

Django would answer a wrong host, an unknown address, a failed CSRF check or an unavailable
database with an HTML page.
"""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Final
from uuid import uuid4

from django.conf import settings
from django.core.exceptions import DisallowedHost
from django.http import HttpRequest, HttpResponseBase, JsonResponse
from django.utils import translation
from django.utils.translation import gettext as _

from casino.api import problems
from casino.api.exceptions import unavailable
from casino.api.language import activate_language
from casino.api.problems import MEDIA_TYPE, FieldError, Problem, ProblemType
from casino.api.scim.errors import MEDIA_TYPE as SCIM_MEDIA_TYPE
from casino.api.scim.errors import of_problem

_PREFIX: Final = "/api/"
_SCIM: Final = "/scim/"
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
        is_api = request.path_info.startswith((_PREFIX, _SCIM))
        if is_api and settings.HTTPS and not request.is_secure():
            return _problem_response(request, lambda: Problem(problems.HTTPS_REQUIRED), {})
        answer = self._get_response(request)
        is_api_error = is_api and _VIEW_HEADER not in answer.headers
        if answer.status_code < _FIRST_ERROR or not is_api_error:
            return answer
        answer.close()
        problem = partial(_problem_of, request, answer.status_code)
        return _problem_response(request, problem, answer.headers)


def _problem_response(
    request: HttpRequest, make_problem: Callable[[], Problem], of_answer: Mapping[str, str]
) -> JsonResponse:
    call_id = uuid4()
    headers = {name: text for name, text in of_answer.items() if name not in _BODY_HEADERS}
    with translation.override(None):
        activate_language(request)
        problem = make_problem()
        is_scim = request.path_info.startswith(_SCIM)
        document = (
            of_problem(problem).document() if is_scim else problem.document(instance=call_id.urn)
        )
    return JsonResponse(
        document,
        status=problem.status_code,
        content_type=SCIM_MEDIA_TYPE if is_scim else MEDIA_TYPE,
        headers={**headers, **problem.headers, _VIEW_HEADER: str(call_id)},
    )


def _problem_of(request: HttpRequest, status: int) -> Problem:
    if status == problems.UNAVAILABLE.status:
        return unavailable()
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
