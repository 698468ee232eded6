"""Traces by OpenTelemetry: from a request through the tasks that it sends to their SQL.

Spans say where time goes, never whom it concerns: of an address the route only, of SQL the
statement without its parameters, of an error the name of its class.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final

from celery.signals import before_task_publish, task_postrun, task_prerun
from django.conf import settings
from django.core.exceptions import MiddlewareNotUsed
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.signals import connection_created
from django.http import HttpRequest, HttpResponseBase
from opentelemetry import propagate, trace
from opentelemetry.trace import Span, SpanKind, StatusCode

from casino.operations.logged_requests import ids_in

_SERVER_ERROR: Final = 500
_LONGEST_STATEMENT: Final = 2_000
_tracer: Final = trace.get_tracer("sabot")
_running: dict[str, Any] = {}
"""The spans of the tasks that this process runs, by the task's id."""


def listen() -> None:
    """Begins spans for tasks and SQL in this process."""
    connection_created.connect(_trace_statements)
    before_task_publish.connect(_publish)
    task_prerun.connect(_begin_task)
    task_postrun.connect(_end_task)


class TracedRequests:
    """A trace for each request. A trace that the client names is not continued: it could hide."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        if not settings.TRACES:
            raise MiddlewareNotUsed
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """The answer."""
        method = str(request.method)
        with _span(method, SpanKind.SERVER, {"http.request.method": method}) as span:
            answer = self._get_response(request)
            span.set_attribute("http.response.status_code", answer.status_code)
            if answer.status_code >= _SERVER_ERROR:
                span.set_status(StatusCode.ERROR)
        return answer

    def process_view(
        self, request: HttpRequest, _view: object, _arguments: object, named: dict[str, Any]
    ) -> None:
        """Names the span by the route, and adds the ids of round and case."""
        match = request.resolver_match
        if match is not None:
            span = trace.get_current_span()
            span.update_name(f"{request.method} {match.route}")
            span.set_attribute("http.route", match.route)
            span.set_attributes({f"sabot.{name}": value for name, value in ids_in(named).items()})


@contextmanager
def _span(name: str, kind: SpanKind, attributes: dict[str, str]) -> Iterator[Span]:
    """A span whose errors are named by their class: their texts may have names in them."""
    with _tracer.start_as_current_span(
        name,
        kind=kind,
        attributes=attributes,
        record_exception=False,
        set_status_on_exception=False,
    ) as span:
        try:
            yield span
        except BaseException as error:
            span.set_status(StatusCode.ERROR)
            span.set_attribute("error.type", type(error).__qualname__)
            raise


def _trace_statements(connection: BaseDatabaseWrapper, **_signal: Any) -> None:
    connection.execute_wrappers.append(_execute)


def _execute(execute: Any, sql: Any, params: Any, many: Any, context: dict[str, Any]) -> Any:
    if not trace.get_current_span().is_recording():
        return execute(sql, params, many, context)  # begins no trace of its own
    text = str(sql).strip()
    attributes = {"db.system.name": "postgresql", "db.query.text": text[:_LONGEST_STATEMENT]}
    with _span(text.split(maxsplit=1)[0] if text else "SQL", SpanKind.CLIENT, attributes):
        return execute(sql, params, many, context)


def _publish(headers: dict[str, Any], **_signal: Any) -> None:
    propagate.inject(headers)


def _begin_task(task_id: str, task: Any, **_signal: Any) -> None:
    sent_by = propagate.extract({"traceparent": getattr(task.request, "traceparent", None) or ""})
    attributes = {"celery.task_id": task_id, "messaging.system": "celery"}
    span = _tracer.start_span(
        task.name, context=sent_by, kind=SpanKind.CONSUMER, attributes=attributes
    )
    current = trace.use_span(span, end_on_exit=True)
    current.__enter__()
    _running[task_id] = span, current


def _end_task(task_id: str, state: str | None = None, **_signal: Any) -> None:
    span, current = _running.pop(task_id)
    if state == "FAILURE":
        span.set_status(StatusCode.ERROR)
    current.__exit__(None, None, None)
