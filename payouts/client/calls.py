"""Calls over HTTP: each sent until it is answered, with one Idempotency-Key; answers in shapes."""

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

T = TypeVar("T")
JSON: Final = "application/json"
NDJSON: Final = "application/x-ndjson"
_ROOT: Final = "/api/v1"
_ALTERED: Final = 300
_REFUSED: Final = 400
_CONNECTIONS: Final = 50
_BROKEN_OFF: Final = (
    requests.ConnectionError,
    requests.Timeout,
    requests.exceptions.ChunkedEncodingError,  # the answer had begun
)
Query = Mapping[str, str | int | dt.datetime | None]


@dataclass(frozen=True)
class Operation(Generic[T]):
    """A call, by the name that the API's description has for it, and the shape of its answer."""

    name: str
    method: str
    path: str
    answer: type[T]


class Patience(Retry):
    """How often a call is sent, and how long is waited before it is sent again.

    Twice at once, then after growing pauses with a random part. A 409 is sent again only where
    Sabot says when: the same call is still being carried out, or the signed log not that far.
    """

    RETRY_AFTER_STATUS_CODES = frozenset({409, 429, 503})


def patience_of(attempts: int) -> Patience:
    """The patience of a call that is sent so many times at most."""
    return Patience(
        total=attempts - 1,
        allowed_methods=None,  # a POST has its Idempotency-Key, and all else may be sent again
        status_forcelist={429, 502, 503, 504},
        backoff_factor=0.25,
        backoff_jitter=0.25,
        backoff_max=20,
        retry_after_max=60,
        raise_on_status=False,
    )


class _Bearer(AuthBase):
    """The token; no repr shows it, and no other host is told it."""

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
        self.patience = patience_of(attempts)
        self._seconds = seconds
        self._session = requests.Session()
        self._session.auth = _Bearer(token)
        self._session.headers.update({"Accept-Language": language, "User-Agent": "sabot-client/1"})
        self._session.cookies.set_policy(DefaultCookiePolicy(allowed_domains=[]))
        for scheme in ("https://", "http://"):
            self._session.mount(scheme, HTTPAdapter(pool_maxsize=_CONNECTIONS))

    def close(self) -> None:
        """Closes the connections that are kept open."""
        self._session.close()

    def tell(
        self,
        operation: Operation[T],
        at: Mapping[str, object] | None = None,
        *,
        query: Query | None = None,
        body: object = None,
        once: str | None = None,
    ) -> T:
        """Sends a call, ``body`` as JSON, and reads its answer."""
        content = None if body is None else as_json(body)
        return self.read(operation, self.send(operation, at, query=query, body=content, once=once))

    def fetch(self, operation: Operation[bytes], at: Mapping[str, object]) -> bytes:
        """The octets of a file."""
        return self.send(operation, at, headers={"Accept": "*/*"}).content

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
        """The answer to a call, 2xx or 304, sent until there is one that stays.

        What cannot be read twice (a pipe) is sent once. Raises NoAnswer where no attempt was
        answered to its end, or the SabotProblem that the last answer is.
        """
        said = {"Accept": JSON, "Content-Type": JSON, **(headers or {})}
        if operation.method == "POST":
            said["Idempotency-Key"] = once or str(uuid4())
        begin = _Beginning(body)
        patience = self.patience if begin.can_be_found else patience_of(1)
        while True:
            try:
                answer = self._session.request(
                    operation.method,
                    self._root + operation.path.format_map(_quoted(at or {})),
                    params={name: _asked(one) for name, one in (query or {}).items()},
                    data=body,
                    headers=said,
                    timeout=self._seconds,
                    allow_redirects=False,
                    stream=is_stream,
                )
                if answer.status_code < _REFUSED:
                    return answer
                refusal = _refusal(answer)
            except _BROKEN_OFF as error:
                patience = self.again(patience, operation, error)
            except requests.RequestException as error:
                raise NoAnswer(f"{operation.method} {operation.path}: {error}") from error
            else:
                patience = _after(patience, operation, answer, refusal)
            begin.go_to()

    def read(self, operation: Operation[T], answer: requests.Response) -> T:
        """The body of an answer in its shape. Raises Unreadable."""
        if answer.status_code >= _ALTERED:
            raise Unreadable("status", answer.status_code, "an answer of 2xx")
        return read_json(operation.answer, answer.content or b"null")

    def again(self, patience: Patience, operation: Operation[Any], error: Exception) -> Patience:
        """Waits before what broke off is sent again. Raises NoAnswer where patience is over."""
        try:
            less = patience.increment(operation.method, operation.path, error=error)
        except MaxRetryError:
            raise NoAnswer(f"{operation.method} {operation.path}: {error}") from error
        less.sleep()
        return less


def tagged(shape: T, answer: requests.Response) -> T:
    """A shape that has the ETag of its answer."""
    return cast("T", replace(cast("Any", shape), etag=answer.headers.get("ETag", "")))


def as_json(body: object) -> bytes:
    """What is sent as JSON."""
    return json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode()


def _asked(value: str | int | dt.datetime | None) -> str | int | None:
    return value.isoformat() if isinstance(value, dt.datetime) else value


def _quoted(at: Mapping[str, object]) -> dict[str, str]:
    for name, value in at.items():
        if str(value) in ("", ".", ".."):
            raise ValueError(f"{name} is {value!r}, which is no part of an address")
    return {name: quote(str(value), safe="") for name, value in at.items()}


class _Beginning:
    """Where what is sent begins, so that it can be sent again; a pipe has no way back."""

    def __init__(self, body: bytes | IO[bytes] | None) -> None:
        self._file = None if body is None or isinstance(body, bytes) else body
        self.can_be_found = self._file is None or self._file.seekable()
        self._at = self._file.tell() if self._file is not None and self.can_be_found else 0

    def go_to(self) -> None:
        """Goes back there."""
        if self._file is not None:
            self._file.seek(self._at)


def _after(
    patience: Patience, operation: Operation[Any], answer: requests.Response, refusal: Exception
) -> Patience:
    """Waits where a refused call may be sent again. Raises the refusal where it stays one."""
    answer.close()
    says_when = "Retry-After" in answer.headers
    if not patience.is_retry(operation.method, answer.status_code, says_when):
        raise refusal
    try:
        less = patience.increment(operation.method, operation.path, response=answer.raw)
    except MaxRetryError:
        raise refusal from None
    less.sleep(answer.raw)
    return less


def _refusal(answer: requests.Response) -> Exception:
    document = None
    if answer.headers.get("Content-Type", "").startswith("application/problem+json"):
        document = read_json(dict[str, Any], answer.content)
    request_id = answer.headers.get("Request-Id", "")
    return problem_of(answer.status_code, document, reason=answer.reason, request_id=request_id)
