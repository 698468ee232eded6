"""What every call has in common: key, rate, scope, once only, on record, told in one way.

A view says by data what its methods need (``needs``) and may be asked (``asks``), and has a method
for each of them. It raises
whatever is wrong; ``payouts.api.refusals`` words it. A view that changes something may rely on
this: its call is one transaction, which is committed with its record and its answer, or not at all.
"""

import logging
from collections.abc import Callable, Collection, Mapping
from hashlib import sha256
from typing import Any, ClassVar, Final, cast
from uuid import UUID, uuid4

from django.db import DatabaseError, transaction
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.cache import patch_vary_headers
from django.utils.translation import gettext as _
from rest_framework.exceptions import MethodNotAllowed
from rest_framework.parsers import JSONParser
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from payouts.api import problems
from payouts.api.asked import Asked
from payouts.api.authentication import KeyAuthentication
from payouts.api.caller import Caller
from payouts.api.problems import MEDIA_TYPE, FieldError, Problem
from payouts.api.recording import Outcome, record_call, record_refusal
from payouts.api.refusals import problem_of
from payouts.api.rendering import JsonRenderer
from payouts.api.rounds.bodies import pieces_of
from payouts.api.scopes import Needs, Open
from payouts.api.services.give_once import Answer, answer_given, keep_answer
from payouts.api.services.spend_call import WINDOW_SECONDS, Spent, spend_call
from payouts.api.speaking import speak
from payouts.pages.lockout import address_of

_READING: Final = ("GET", "HEAD")
_KEY: Final = "Idempotency-Key"
_LONGEST_KEY: Final = 255
_KEPT_HEADERS: Final = ("Content-Type", "Location", "ETag", "Retry-After")
_UNAUTHENTICATED: Final = (401, 403)

_log = logging.getLogger(__name__)


class ApiView(APIView):
    """A resource of the API."""

    needs: ClassVar[Needs]
    asks: ClassVar[Mapping[str, Collection[str]]] = {}
    """By method what may stand behind the question mark; a key that sends more is refused."""
    asked: Asked
    """What did stand there. Only where ``needs`` asks for a key."""
    largest_body: ClassVar[int] = 1 << 20
    """Octets; a body that has more is refused before it is read."""

    authentication_classes = (KeyAuthentication,)
    permission_classes = (AllowAny,)  # ``_check_scopes`` does it, by ``needs``
    parser_classes = (JSONParser,)
    renderer_classes = (JsonRenderer,)
    metadata_class = None

    format_kwarg = None  # one form of answers, by no suffix
    call_id: UUID
    spent: Spent | None = None

    @property
    def caller(self) -> Caller:
        """Who calls. Only where ``needs`` asks for a key."""
        return cast("Caller", self.request.user)

    @property
    def allowed_methods(self) -> list[str]:
        """Those that ``needs`` names, and HEAD with GET."""
        return [*self.needs, *(["HEAD"] if "GET" in self.needs else [])]

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:  # noqa: ANN401  the framework's
        """Carries the call out and answers; whatever goes wrong is answered as a problem."""
        self.call_id, self.args, self.kwargs = uuid4(), args, kwargs
        speak(request)
        asking = self.request = self.initialize_request(request, *args, **kwargs)
        self.headers: dict[str, str] = {}
        try:
            self.initial(asking, *args, **kwargs)
            answer = self._carry_out(asking)
        except Exception as error:  # noqa: BLE001  all of them are told
            answer = self._tell(error, asking)
        return self._with_headers(self._finished(asking, answer))

    def initial(self, request: Request, *_args: Any, **_kwargs: Any) -> None:  # noqa: ANN401  the framework's
        """Who calls, how often, and whether the key may. Raises what is wrong."""
        chosen = self.perform_content_negotiation(request)
        request.accepted_renderer, request.accepted_media_type = chosen
        needed = self.needs.get(_declared(request.method))
        if needed is None:
            raise MethodNotAllowed(str(request.method))
        if needed is Open.TO_ALL:
            return
        if not isinstance(request.user, Caller):
            field = FieldError("header:Authorization", None, _("Bearer, and a token"))
            raise Problem(problems.NO_KEY, errors=[field])
        self._spend(request.user)
        if needed is not Open.TO_KEYS:
            self._check_scopes(request.user, needed)
        self.asked = Asked(request, self.asks.get(_declared(request.method), ()))

    def _spend(self, caller: Caller) -> None:
        rate = caller.key.calls_per_minute
        self.spent = spend_call(f"key:{caller.key.handle}", per_minute=rate)
        if not self.spent.is_within:
            wait = {"Retry-After": str(self.spent.retry_seconds)}
            raise Problem(problems.THROTTLED, headers=wait)

    @staticmethod
    def _check_scopes(caller: Caller, needed: tuple[Any, ...]) -> None:
        missing = [scope for scope in needed if not caller.has(scope)]
        if missing:
            found = " ".join(caller.key.scopes)
            errors = [FieldError("header:Authorization", found, scope.value) for scope in missing]
            raise Problem(problems.SCOPE_MISSING, errors=errors)

    def _carry_out(self, request: Request) -> HttpResponse:
        method: Callable[..., HttpResponse] = getattr(self, _declared(request.method).lower())
        if request.method in _READING:
            answer = method(request, *self.args, **self.kwargs)
            self._record(request, Outcome(answer.status_code))
            return answer
        asked = self._digest(request)
        with transaction.atomic():
            if request.method == "POST":
                return self._once(request, method, asked)
            answer = method(request, *self.args, **self.kwargs)
            self._record(request, Outcome(answer.status_code, asked=asked))
            return answer

    def _once(
        self, request: Request, method: Callable[..., HttpResponse], asked: bytes
    ) -> HttpResponse:
        """Carries a POST out, or gives the answer that was given to it before."""
        name = idempotency_key(request)
        given = answer_given(self.caller.key, name, asked=asked)
        if given is not None:
            self._record(request, Outcome(given.status, is_replayed=True, asked=asked))
            headers = {**given.headers, "Idempotent-Replayed": "true"}
            return HttpResponse(given.content, status=given.status, headers=headers)
        fresh = method(request, *self.args, **self.kwargs)
        answer = self._finished(request, fresh)
        if isinstance(answer, Response):
            answer.render()
        self._record(request, Outcome(answer.status_code, asked=asked))
        headers = {one: answer.headers[one] for one in _KEPT_HEADERS if one in answer.headers}
        kept = Answer(answer.status_code, headers, answer.content)
        keep_answer(self.caller.key, name, asked=asked, answer=kept, at=timezone.now())
        return answer

    def _finished(self, request: Request, answer: HttpResponse) -> HttpResponse:
        """As the framework has answers: it knows its renderer."""
        finished = self.finalize_response(request, cast("Response", answer))
        return cast("HttpResponse", finished)

    def _digest(self, request: Request) -> bytes:
        """Of method, path and body: what the same Idempotency-Key may be sent with again."""
        line = f"{request.method} {request.get_full_path()} {request.content_type}\n"
        return sha256(line.encode() + self._body(request)).digest()

    def _body(self, request: Request) -> bytes:
        """The whole body; parsers find it again. Raises Problem where it is too large."""
        asking = request._request  # noqa: SLF001  documented: the request of Django
        content = bytearray()
        for piece in pieces_of(asking):
            content += piece
            if len(content) > self.largest_body:
                needed = _("at most %(most)d octets") % {"most": self.largest_body}
                found = request.headers.get("Content-Length")
                error = FieldError("header:Content-Length", found, needed)
                raise Problem(problems.TOO_LARGE, errors=[error])
        whole = bytes(content)
        asking._body = whole  # noqa: SLF001  as Django does where `body` is asked for
        asking.META["CONTENT_LENGTH"] = str(len(whole))  # chunks do not say it beforehand
        return whole

    def _tell(self, error: Exception, request: Request) -> HttpResponse:
        problem = problem_of(error, request)
        if problem is None:
            _log.error("call %s failed", self.call_id, exc_info=error)
            problem = Problem(problems.FAILED)
        try:
            self._record(request, Outcome(problem.status_code, problem.kind.slug))
        except DatabaseError as failure:
            _log.error("call %s is not on record", self.call_id, exc_info=failure)
            problem = Problem(problems.FAILED)
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
            address = address_of(request._request)  # noqa: SLF001  as above
            record_refusal(request, address, call_id=self.call_id, outcome=outcome, at=at)

    def _with_headers(self, answer: HttpResponse) -> HttpResponse:
        answer.headers["Request-Id"] = str(self.call_id)
        answer.headers.setdefault("Cache-Control", "no-store")
        patch_vary_headers(answer, ["Authorization", "Accept-Language"])
        if answer.status_code == problems.METHOD_NOT_ALLOWED.status:
            answer.headers["Allow"] = ", ".join(self.allowed_methods)
        if self.spent is not None:
            rate, spent = self.spent.per_minute, self.spent
            answer.headers["RateLimit-Policy"] = f'"key";q={rate};w={WINDOW_SECONDS}'
            answer.headers["RateLimit"] = f'"key";r={spent.left};t={spent.whole_seconds}'
        return answer


def _declared(method: str | None) -> str:
    """What answers HEAD is what answers GET."""
    return "GET" if method == "HEAD" else (method or "")


def idempotency_key(request: Request) -> str:
    """The text that makes a call happen once. Raises Problem without one, and for none."""
    text = request.headers.get(_KEY, "")
    if not (0 < len(text) <= _LONGEST_KEY and text.isascii() and text.isprintable()):
        needed = _("1 to 255 printable ASCII characters, new for each new call")
        field = FieldError(f"header:{_KEY}", text or None, needed)
        raise Problem(problems.NO_IDEMPOTENCY_KEY, errors=[field])
    return text
