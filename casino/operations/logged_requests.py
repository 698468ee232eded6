"""The middleware that gives log lines the ids of their request, and writes a line for each."""

import logging
from collections.abc import Callable
from time import perf_counter
from typing import Any, Final
from uuid import uuid4

from django.conf import settings
from django.core.exceptions import MiddlewareNotUsed
from django.http import HttpRequest, HttpResponseBase
from django.template.response import TemplateResponse
from structlog.contextvars import bind_contextvars, bound_contextvars, clear_contextvars

from casino.operations.json_logs import HIDDEN_PATH
from casino.operations.refusals import note_errors_of_forms, refusal_of

_IDS: Final = {"round_id": "round", "round": "round", "case_id": "case"}
"""Arguments of routes that are logged. Others may be customers or tokens."""
_LONGEST_ID: Final = 64
_log = logging.getLogger("casino.requests")


class LoggedRequests:
    """Where LOG_FORMAT is ``json``; outside all but the probes."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        if settings.LOG_FORMAT != "json":
            raise MiddlewareNotUsed
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """The answer; views may bind a request id of their own."""
        clear_contextvars()
        has_session = settings.SESSION_COOKIE_NAME in request.COOKIES
        user = "session" if has_session else "visitor"
        bind_contextvars(request_id=str(uuid4()), method=request.method, user=user)
        bind_contextvars(**{HIDDEN_PATH: request.path_info})
        began = perf_counter()
        answer = self._get_response(request)
        seconds = round(perf_counter() - began, 4)
        refused = refusal_of(request, answer)
        with bound_contextvars(status=answer.status_code, seconds=seconds, **refused):
            _log.info("answered")
        return answer

    def process_view(
        self, request: HttpRequest, _view: object, _arguments: object, named: dict[str, Any]
    ) -> None:
        """Binds the route and the ids in it."""
        match = request.resolver_match
        bind_contextvars(route=match.route if match is not None else "none", **ids_in(named))

    def process_template_response(
        self, request: HttpRequest, response: TemplateResponse
    ) -> TemplateResponse:
        """Notes the errors of forms, which the page shows."""
        if request.method == "POST":
            note_errors_of_forms(request, response.context_data)
        return response


def ids_in(named: dict[str, Any]) -> dict[str, str]:
    """The ids of round and case among the arguments of a route."""
    return {_IDS[name]: str(named[name])[:_LONGEST_ID] for name in _IDS if name in named}
