"""The base view: authentication, rate limit, scopes, idempotency, audit record, problems.

A view declares the scopes of its methods in ``required_scopes``, and each method with
``casino.api.openapi.operations.operation``, which also declares its query parameters. A view raises
exceptions; ``casino.api.exceptions`` converts them to problems. A call that changes something is
one transaction: change, audit record and stored answer are committed together or not at all.
"""

import logging
from collections.abc import Callable
from hashlib import sha256
from http import HTTPStatus
from typing import Any, ClassVar, Final, cast
from uuid import UUID, uuid4

from django.db import Error, transaction
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.cache import patch_vary_headers
from django.utils.translation import gettext as _
from rest_framework.exceptions import MethodNotAllowed
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView
from structlog.contextvars import bind_contextvars

from casino.access.lockout_by_address import address_of
from casino.api import problems
from casino.api.authentication import KeyAuthentication, check_is_directory, check_scopes
from casino.api.call_log import Outcome, record_call, record_invalid_token
from casino.api.exceptions import problem_of
from casino.api.language import activate_language
from casino.api.parsing import JsonParser
from casino.api.problems import MEDIA_TYPE, FieldError, Problem
from casino.api.query_params import QueryParams
from casino.api.rendering import JsonRenderer
from casino.api.rounds.bodies import read_pieces
from casino.integrations.caller import Caller
from casino.integrations.idempotency import Answer, store_answer, stored_answer
from casino.integrations.rate_limit import WINDOW_SECONDS, RateStatus, count_call
from casino.integrations.scopes import Needs, Open

_SAFE_METHODS: Final = ("GET", "HEAD")
_KEY: Final = "Idempotency-Key"
_LONGEST_KEY: Final = 255
_STORED_HEADERS: Final = ("Content-Type", "Location", "ETag", "Retry-After")
_UNAUTHENTICATED: Final = (401, 403)

_log = logging.getLogger(__name__)


class ApiView(APIView):
    """A resource of the API."""

    required_scopes: ClassVar[Needs]
    """The scopes of each method; ``Open`` for methods without scopes."""
    params: QueryParams
    """The query parameters. Only for methods that need a key."""
    largest_body: ClassVar[int] = 1 << 20
    """Octets. A larger body is a problem (413) before it is read."""
    is_for_directories: ClassVar[bool] = False
    """Whether directories call it, with keys of their own, and nobody else."""

    authentication_classes = (KeyAuthentication,)
    permission_classes = (AllowAny,)  # ``check_scopes`` does it, by ``required_scopes``
    parser_classes = (JsonParser,)
    renderer_classes = (JsonRenderer,)
    metadata_class = None

    format_kwarg = None  # no format suffix
    call_id: UUID
    spent: RateStatus | None = None

    @property
    def caller(self) -> Caller:
        """The key that calls and its address. Only for methods that need a key."""
        return cast("Caller", self.request.user)

    @property
    def allowed_methods(self) -> list[str]:
        """The methods of ``required_scopes``, and HEAD with GET."""
        return [*self.required_scopes, *(["HEAD"] if "GET" in self.required_scopes else [])]

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Handles the call; every exception becomes a problem."""
        self.call_id, self.args, self.kwargs = uuid4(), args, kwargs
        bind_contextvars(request_id=str(self.call_id))
        activate_language(request)
        drf_request = self.request = self.initialize_request(request, *args, **kwargs)
        self.headers: dict[str, str] = {}
        try:
            self.initial(drf_request, *args, **kwargs)
            answer = self._handle(drf_request)
        except Exception as error:  # noqa: BLE001  every exception becomes a problem
            answer = self._problem_response(error, drf_request)
        return self._with_headers(self._finalize(drf_request, answer))

    def initial(self, request: Request, *_args: Any, **_kwargs: Any) -> None:
        """Checks method, key, rate limit, scopes and query parameters. Raises Problem."""
        negotiated = self.perform_content_negotiation(request)
        request.accepted_renderer, request.accepted_media_type = negotiated
        needed = self.required_scopes.get(_handler_name(request.method))
        if needed is None:
            raise MethodNotAllowed(str(request.method))
        if needed is Open.TO_ALL:
            return
        if not isinstance(request.user, Caller):
            field = FieldError("header:Authorization", None, _("Bearer, followed by a token"))
            raise Problem(problems.NO_KEY, errors=[field])
        bind_contextvars(user="key", key=request.user.key.handle)
        self._spend(request.user)
        check_is_directory(request.user, needed=self.is_for_directories)
        if needed is not Open.TO_KEYS:
            check_scopes(request.user, needed)
        self._read_params(request)

    def _read_params(self, request: Request) -> None:
        handler = self._handler(request)
        self.params = QueryParams(request, getattr(handler, "query_params", ()))

    def _spend(self, caller: Caller) -> None:
        rate = caller.key.calls_per_minute
        self.spent = count_call(f"key:{caller.key.handle}", per_minute=rate)
        if not self.spent.is_within:
            wait = {"Retry-After": str(self.spent.retry_seconds)}
            raise Problem(problems.THROTTLED, headers=wait)

    def _handler(self, request: Request) -> Callable[..., HttpResponse]:
        handler: Callable[..., HttpResponse] = getattr(self, _handler_name(request.method).lower())
        return handler

    def _handle(self, request: Request) -> HttpResponse:
        method = self._handler(request)
        if request.method in _SAFE_METHODS:
            answer = self._rendered(request, method)
            self._record(request, Outcome(answer.status_code))
            return answer
        digest = self._digest(request)
        with transaction.atomic():
            if request.method == "POST":
                return self._post_once(request, method, digest)
            answer = self._rendered(request, method)
            self._record(request, Outcome(answer.status_code, digest=digest))
            return answer

    def _rendered(self, request: Request, method: Callable[..., HttpResponse]) -> HttpResponse:
        """The rendered answer of the method.

        It is rendered before the call is recorded, so that the audit record has the status that is
        sent.
        """
        answer = self._finalize(request, method(request, *self.args, **self.kwargs))
        if isinstance(answer, Response):
            answer.render()
        return answer

    def _post_once(
        self, request: Request, method: Callable[..., HttpResponse], digest: bytes
    ) -> HttpResponse:
        """Handles a POST, or returns the stored answer of the same Idempotency-Key."""
        name = idempotency_key(request)
        stored = stored_answer(self.caller.key, name, digest=digest)
        if stored is not None:
            self._record(request, Outcome(stored.status, is_replayed=True, digest=digest))
            headers = {**stored.headers, "Idempotent-Replayed": "true"}
            return HttpResponse(stored.content, status=stored.status, headers=headers)
        answer = self._rendered(request, method)
        self._record(request, Outcome(answer.status_code, digest=digest))
        headers = {
            header: answer.headers[header] for header in _STORED_HEADERS if header in answer.headers
        }
        stored = Answer(answer.status_code, headers, answer.content)
        store_answer(self.caller.key, name, digest=digest, answer=stored, at=timezone.now())
        return answer

    def _finalize(self, request: Request, answer: HttpResponse) -> HttpResponse:
        """The answer with its renderer."""
        finalized = self.finalize_response(request, cast("Response", answer))
        return cast("HttpResponse", finalized)

    def _digest(self, request: Request) -> bytes:
        """The digest of method, path and body, which an Idempotency-Key is bound to."""
        line = f"{request.method} {request.get_full_path()} {request.content_type}\n"
        return sha256(line.encode() + self._body(request)).digest()

    def _body(self, request: Request) -> bytes:
        """The whole body, which parsers can read again. Raises Problem if it is too large."""
        django_request = request._request
        content = bytearray()
        if int(request.headers.get("Content-Length") or 0) > self.largest_body:
            raise self._too_large(request)
        for piece in read_pieces(django_request):
            content += piece
            if len(content) > self.largest_body:
                raise self._too_large(request)
        whole = bytes(content)
        django_request._body = whole  # noqa: SLF001  as Django does in `body`
        django_request.META["CONTENT_LENGTH"] = str(len(whole))  # absent with chunked encoding
        return whole

    def _too_large(self, request: Request) -> Problem:
        needed = _("at most %(most)d bytes") % {"most": self.largest_body}
        found = request.headers.get("Content-Length")
        error = FieldError("header:Content-Length", found, needed)
        return Problem(problems.TOO_LARGE, errors=[error])

    def _problem_response(self, error: Exception, request: Request) -> HttpResponse:
        problem = problem_of(error, request) or Problem(problems.FAILED)
        if problem.status_code >= HTTPStatus.INTERNAL_SERVER_ERROR:
            _log.error("call %s failed", self.call_id, exc_info=error)
        try:
            self._record(request, Outcome(problem.status_code, problem.kind.slug))
        except Error as failure:
            _log.error("Call %s was not recorded", self.call_id, exc_info=failure)
            problem = problem_of(failure, request) or Problem(problems.FAILED)
        headers = dict(problem.headers)
        if problem.status_code == problems.NO_KEY.status:
            headers["WWW-Authenticate"] = self.get_authenticate_header(request) or ""
        document = problem.document(instance=self.call_id.urn)
        return Response(document, problem.status_code, headers=headers, content_type=MEDIA_TYPE)

    def _record(self, request: Request, outcome: Outcome) -> None:
        caller, at = request.__dict__.get("_user"), timezone.now()
        if isinstance(caller, Caller):
            record_call(request, caller, call_id=self.call_id, outcome=outcome, at=at)
        elif outcome.status in _UNAUTHENTICATED and "Authorization" in request.headers:
            address = address_of(request._request)
            record_invalid_token(request, address, call_id=self.call_id, outcome=outcome, at=at)

    def _with_headers(self, answer: HttpResponse) -> HttpResponse:
        answer.headers["Request-Id"] = str(self.call_id)
        patch_vary_headers(answer, ["Authorization", "Accept-Language"])
        if answer.status_code == problems.METHOD_NOT_ALLOWED.status:
            answer.headers["Allow"] = ", ".join(self.allowed_methods)
        if self.spent is not None:
            rate, spent = self.spent.per_minute, self.spent
            answer.headers["RateLimit-Policy"] = f'"key";q={rate};w={WINDOW_SECONDS}'
            answer.headers["RateLimit"] = f'"key";r={spent.left};t={spent.whole_seconds}'
        return answer


def _handler_name(method: str | None) -> str:
    """The method that handles a request: GET handles HEAD."""
    return "GET" if method == "HEAD" else (method or "")


def idempotency_key(request: Request) -> str:
    """The Idempotency-Key. Raises Problem if it is missing or invalid."""
    text = request.headers.get(_KEY, "")
    if not (0 < len(text) <= _LONGEST_KEY and text.isascii() and text.isprintable()):
        needed = _("1 to 255 printable ASCII characters, unique for each new request")
        field = FieldError(f"header:{_KEY}", text or None, needed)
        raise Problem(problems.NO_IDEMPOTENCY_KEY, errors=[field])
    return text
