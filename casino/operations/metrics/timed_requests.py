"""The middleware that measures requests."""

from collections.abc import Callable
from time import perf_counter

from django.conf import settings
from django.core.exceptions import MiddlewareNotUsed
from django.http import HttpRequest, HttpResponseBase


class TimedRequests:
    """Measures each request, where METRICS_FOLDER is set; outside all but the probes."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        if not settings.METRICS_FOLDER:
            raise MiddlewareNotUsed
        from casino.operations.metrics.measures import observe_request  # noqa: PLC0415  opens files

        self._get_response, self._observe = get_response, observe_request

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """The answer."""
        began = perf_counter()
        answer = self._get_response(request)
        self._observe(request, answer.status_code, began=began)
        return answer
