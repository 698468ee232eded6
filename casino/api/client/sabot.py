"""The client."""

from types import TracebackType
from typing import Self

from .about import AboutCalls
from .calls import Calls
from .customers import CustomerCalls
from .disputes import DisputeCalls
from .dossiers import DossierCalls
from .events import EventCalls
from .exports import CertificateCalls, ExportCalls
from .rounds import RoundCalls
from .webhooks import WebhookCalls


class Sabot:
    """Sabot's REST API, at an address, with a key's token. Several threads may share one.

    Each call is sent at most ``attempts`` times: it is retried with backoff without an answer, and
    after 429, 502, 503 and 504. All attempts of a POST have one Idempotency-Key, generated unless
    ``once`` names one, so that it is executed at most once. ``seconds`` limits the time to connect
    and the time between two reads.

    Methods raise SabotProblem for an error response, NoAnswer without an answer, and Unreadable for
    an answer that does not fit the OpenAPI document.
    """

    def __init__(
        self,
        base_url: str,
        token: str,
        *,
        language: str = "en",
        seconds: float = 60,
        attempts: int = 6,
    ) -> None:
        self._base_url = base_url
        self._calls = Calls(base_url, token, language=language, seconds=seconds, attempts=attempts)
        self.about = AboutCalls(self._calls)
        self.rounds = RoundCalls(self._calls)
        self.customers = CustomerCalls(self._calls)
        self.disputes = DisputeCalls(self._calls)
        self.dossiers = DossierCalls(self._calls)
        self.exports = ExportCalls(self._calls)
        self.certificates = CertificateCalls(self._calls)
        self.events = EventCalls(self._calls)
        self.webhooks = WebhookCalls(self._calls)

    def __repr__(self) -> str:
        """The address; never the token."""
        return f"Sabot({self._base_url!r})"

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Closes the connections that are kept open."""
        self._calls.close()
