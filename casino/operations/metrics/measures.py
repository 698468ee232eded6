"""What processes measure: the time of requests, the size and time of batches of settlement.

Loaded only where METRICS_FOLDER is set: each process writes into files there, which
``manage.py serve_metrics`` adds up.
"""

from time import perf_counter
from typing import Any, Final

from django.http import HttpRequest
from prometheus_client import Counter, Histogram

from payouts.settlement.sweep import batch_settled

_METHODS: Final = {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"}
_SECONDS: Final = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)
_ROUNDS: Final = (1, 10, 50, 100, 250, 500, 1_000, 2_000)

REQUESTS: Final = Histogram(
    "sabot_request_seconds",
    "Time of a request until its answer begins",
    ["route", "method", "status"],
    buckets=_SECONDS,
)
BATCH_SECONDS: Final = Histogram(
    "sabot_settlement_batch_seconds", "Time of a batch of settlement", buckets=_SECONDS
)
BATCH_ROUNDS: Final = Histogram(
    "sabot_settlement_batch_rounds", "Rounds of a batch of settlement", buckets=_ROUNDS
)
HELD: Final = Counter("sabot_settlement_held", "Rounds that validation held")


def observe_request(request: HttpRequest, status: int, *, began: float) -> None:
    """Counts a request. Its labels are bounded: the pattern of its route, never its address."""
    match = request.resolver_match
    route = match.route if match is not None else "none"
    method = request.method if request.method in _METHODS else "other"
    REQUESTS.labels(route, method, f"{status // 100}xx").observe(perf_counter() - began)


def listen() -> None:
    """Measures the batches that this process settles."""
    batch_settled.connect(_observe_batch)


def _observe_batch(*, settled: int, held: int, seconds: float, **_signal: Any) -> None:
    BATCH_SECONDS.observe(seconds)
    BATCH_ROUNDS.observe(settled + held)
    HELD.inc(held)
