"""Events by HTTPS: a POST of a JSON array for each batch, which any status 2xx confirms."""

import ssl
from http import HTTPStatus
from http.client import HTTPException, HTTPSConnection
from typing import Final
from urllib.parse import SplitResult

from compliance.siem.event import encoded_event
from compliance.siem.tls import SECONDS, NotSent, reason_of
from compliance.trail.log.whole_log import WholeRecord

PORT: Final = 443
_MOST_READ: Final = 16 << 10


class HttpReceiver:
    """An HTTPS address of a SIEM. Redirects are not followed."""

    name: Final = "http"

    def __init__(self, url: SplitResult, context: ssl.SSLContext, *, authorization: str) -> None:
        self._url, self._context, self._authorization = url, context, authorization

    def __str__(self) -> str:
        return f"http {self._url.hostname}:{self._url.port or PORT}"

    def send(self, records: list[WholeRecord]) -> None:
        """See ``Receiver``. Raises NotSent."""
        body = b"[" + b",".join(map(encoded_event, records)) + b"]"
        headers = {"Content-Type": "application/json", "User-Agent": "Sabot-SIEM/1"}
        if self._authorization:
            headers["Authorization"] = self._authorization
        path = (self._url.path or "/") + (f"?{self._url.query}" if self._url.query else "")
        line = HTTPSConnection(
            self._url.hostname or "", self._url.port or PORT, timeout=SECONDS, context=self._context
        )
        try:
            line.request("POST", path, body, headers)
            answer = line.getresponse()
            answer.read(_MOST_READ)
        except (OSError, HTTPException, ValueError) as error:
            raise NotSent(reason_of(error)) from error
        finally:
            line.close()
        if not HTTPStatus.OK <= answer.status < HTTPStatus.MULTIPLE_CHOICES:
            raise NotSent(f"it answered {answer.status}; needed 2xx")
