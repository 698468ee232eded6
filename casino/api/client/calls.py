"""HTTP calls with retries and one Idempotency-Key each; answers as dataclasses."""

import datetime as dt
import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from http.cookiejar import DefaultCookiePolicy
from typing import IO, Any, Final, Generic, TypeVar, cast
from urllib.parse import quote
from uuid import uuid4

import requests
from requests.adapters import HTTPAdapter
from requests.auth import AuthBase
from urllib3.exceptions import MaxRetryError
from urllib3.util import Retry

from .problems import NoAnswer, Unreadable, problem_of
from .reading import read_json
from .version import __version__

T = TypeVar("T")
JSON: Final = "application/json"
NDJSON: Final = "application/x-ndjson"
_ROOT: Final = "/api/v1"
_REDIRECT: Final = 300
_ERROR: Final = 400
_CONNECTIONS: Final = 50
_CONNECTION_ERRORS: Final = (
    requests.ConnectionError,
    requests.Timeout,
    requests.exceptions.ChunkedEncodingError,  # the answer had begun
)
Query = Mapping[str, object]


@dataclass(frozen=True)
class Operation(Generic[T]):
    """An operation of the OpenAPI document and the type of its answer."""

    name: str
    method: str
    path: str
    answer: type[T]


class RetryPolicy(Retry):
    """The number of attempts and the backoff between them.

    The first retry is immediate; then exponential backoff with jitter. A 409 is retried only with
    Retry-After: the same call is in progress, or a record is not in the signed log yet.
    """

    RETRY_AFTER_STATUS_CODES = frozenset({409, 429, 503})


def retry_policy(attempts: int) -> RetryPolicy:
    """The policy for at most so many attempts."""
    return RetryPolicy(
        total=attempts - 1,
        allowed_methods=None,  # a POST has its Idempotency-Key, other methods are idempotent
        status_forcelist={429, 502, 503, 504},
        backoff_factor=0.25,
        backoff_jitter=0.25,
        backoff_max=20,
        retry_after_max=60,
        raise_on_status=False,
    )


class _Bearer(AuthBase):
    """Bearer authentication; no repr shows the token, and no other host receives it."""

    def __init__(self, token: str) -> None:
        self._token = token

    def __call__(self, request: requests.PreparedRequest) -> requests.PreparedRequest:
        request.headers["Authorization"] = f"Bearer {self._token}"
        return request


class Calls:
    """Sends calls; several threads may share one."""

    def __init__(
        self, base_url: str, token: str, *, language: str, seconds: float, attempts: int
    ) -> None:
        self._root = base_url.rstrip("/") + _ROOT
        self.retries = retry_policy(attempts)
        self._seconds = seconds
        self._session = requests.Session()
        self._session.auth = _Bearer(token)
        self._session.headers.update(
            {"Accept-Language": language, "User-Agent": f"sabot-client/{__version__}"}
        )
        self._session.cookies.set_policy(DefaultCookiePolicy(allowed_domains=[]))
        for scheme in ("https://", "http://"):
            self._session.mount(scheme, HTTPAdapter(pool_maxsize=_CONNECTIONS))

    def close(self) -> None:
        """Closes the connections that are kept open."""
        self._session.close()

    def call(
        self,
        operation: Operation[T],
        at: Mapping[str, object] | None = None,
        *,
        query: Query | None = None,
        body: object = None,
        once: str | None = None,
    ) -> T:
        """Sends a call with ``body`` as JSON; returns its answer."""
        content = None if body is None else as_json(body)
        return self.read(operation, self.send(operation, at, query=query, body=content, once=once))

    def fetch(
        self, operation: Operation[bytes], at: Mapping[str, object], *, query: Query | None = None
    ) -> bytes:
        """The octets of a file."""
        return self.send(operation, at, query=query, headers={"Accept": "*/*"}).content

    def send(
        self,
        operation: Operation[Any],
        at: Mapping[str, object] | None = None,
        *,
        query: Query | None = None,
        body: bytes | IO[bytes] | None = None,
        once: str | None = None,
        headers: Mapping[str, str] | None = None,
        is_stream: bool = False,
    ) -> requests.Response:
        """The response, 2xx or 304, after as many attempts as needed.

        A body that cannot be read twice (a pipe) is sent once. Raises NoAnswer if no attempt got a
        complete answer, or the SabotProblem of the last answer.
        """
        all_headers = {"Accept": JSON, "Content-Type": JSON, **(headers or {})}
        if operation.method == "POST":
            all_headers["Idempotency-Key"] = once or str(uuid4())
        start = _BodyStart(body)
        retries = self.retries if start.is_seekable else retry_policy(1)
        while True:
            try:
                answer = self._session.request(
                    operation.method,
                    self._root + operation.path.format_map(_quoted(at or {})),
                    params=_params(query or {}),
                    data=body,
                    headers=all_headers,
                    timeout=self._seconds,
                    allow_redirects=False,
                    stream=is_stream,
                )
                if answer.status_code < _ERROR:
                    return answer
                problem = _problem(answer)
            except _CONNECTION_ERRORS as error:
                retries = self.wait_before_retry(retries, operation, error)
            except requests.RequestException as error:
                raise NoAnswer(f"{operation.method} {operation.path}: {error}") from error
            else:
                retries = _wait_after_problem(retries, operation, answer, problem)
            start.rewind()

    def read(self, operation: Operation[T], answer: requests.Response) -> T:
        """The body of a response as the type of the operation's answer. Raises Unreadable."""
        if answer.status_code >= _REDIRECT:
            raise Unreadable("status", answer.status_code, "an answer of 2xx")
        return read_json(operation.answer, answer.content or b"null")

    def wait_before_retry(
        self, retries: RetryPolicy, operation: Operation[Any], error: Exception
    ) -> RetryPolicy:
        """Waits before a retry. Raises NoAnswer if no attempts are left."""
        try:
            remaining = retries.increment(operation.method, operation.path, error=error)
        except MaxRetryError:
            raise NoAnswer(f"{operation.method} {operation.path}: {error}") from error
        remaining.sleep()
        return remaining


def with_etag(shape: T, answer: requests.Response) -> T:
    """The answer with the ETag of its response."""
    return cast("T", replace(cast("Any", shape), _etag=answer.headers.get("ETag", "")))


def as_json(body: object) -> bytes:
    """A request body as JSON."""
    return json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode()


def _params(query: Query) -> dict[str, str]:
    """The parameters that are given; a name that Python reserves ends with an underscore."""
    given = {name.removesuffix("_"): value for name, value in query.items() if value is not None}
    return {name: _param(value) for name, value in given.items()}


def _param(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, dt.date):
        return value.isoformat()
    return ",".join(value) if isinstance(value, list | tuple) else str(value)


def _quoted(at: Mapping[str, object]) -> dict[str, str]:
    for name, value in at.items():
        if str(value) in ("", ".", ".."):
            raise ValueError(f"{name} is {value!r}, which is no part of an address")
    return {name: quote(str(value), safe="") for name, value in at.items()}


class _BodyStart:
    """The start of the body, for retries; a pipe cannot be rewound."""

    def __init__(self, body: bytes | IO[bytes] | None) -> None:
        self._file = None if body is None or isinstance(body, bytes) else body
        self.is_seekable = self._file is None or self._file.seekable()
        self._at = self._file.tell() if self._file is not None and self.is_seekable else 0

    def rewind(self) -> None:
        """Seeks to the start."""
        if self._file is not None:
            self._file.seek(self._at)


def _wait_after_problem(
    retries: RetryPolicy, operation: Operation[Any], answer: requests.Response, problem: Exception
) -> RetryPolicy:
    """Waits if the call can be retried. Raises the problem otherwise."""
    answer.close()
    has_retry_after = "Retry-After" in answer.headers
    if not retries.is_retry(operation.method, answer.status_code, has_retry_after):
        raise problem
    try:
        remaining = retries.increment(operation.method, operation.path, response=answer.raw)
    except MaxRetryError:
        raise problem from None
    remaining.sleep(answer.raw)
    return remaining


def _problem(answer: requests.Response) -> Exception:
    document = None
    if answer.headers.get("Content-Type", "").startswith("application/problem+json"):
        document = read_json(dict[str, Any], answer.content)
    request_id = answer.headers.get("Request-Id", "")
    return problem_of(answer.status_code, document, reason=answer.reason, request_id=request_id)
