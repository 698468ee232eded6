"""The collector of stored facts: one snapshot, kept for seconds."""

import logging
from collections.abc import Iterable
from threading import Lock
from time import monotonic
from typing import Final

from django.db import Error, connection, connections, transaction
from django.utils import timezone
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.metrics_core import Metric
from prometheus_client.registry import Collector

from casino.operations.metrics.facts import PREFIX, QUERIES
from casino.operations.metrics.replica_facts import replica_metrics

KEEP_SECONDS: Final = 5.0
_SNAPSHOT: Final = "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY"
_BOUND: Final = "SET LOCAL statement_timeout = '5s'"
_log = logging.getLogger(__name__)


class FactsCollector(Collector):
    """What is stored. Without the database only ``sabot_database_up``, which is then 0."""

    def __init__(self, *, keep_seconds: float = KEEP_SECONDS) -> None:
        self._keep_seconds = keep_seconds
        self._lock = Lock()
        self._metrics: list[Metric] = []
        self._read_at: float | None = None

    def describe(self) -> Iterable[Metric]:
        """Nothing: registration need not read the database."""
        return []

    def collect(self) -> Iterable[Metric]:
        """The metrics, as they were read last."""
        with self._lock:
            if self._read_at is None or monotonic() - self._read_at > self._keep_seconds:
                self._metrics = _read()
                self._read_at = monotonic()
            return self._metrics


def _read() -> list[Metric]:
    began, metrics = monotonic(), list[Metric]()
    try:
        with transaction.atomic():
            with connection.cursor() as cursor:
                cursor.execute(_SNAPSHOT)
                cursor.execute(_BOUND)
            at = timezone.now()
            for query in QUERIES:
                metrics += query(at)
        metrics += replica_metrics()
    except Error as error:
        _log.warning("The database cannot be read: %s", error)
        metrics = []
    finally:
        connections.close_all()  # each scrape has a thread of its own
    up, seconds = PREFIX + "database_up", PREFIX + "facts_seconds"
    return [
        *metrics,
        GaugeMetricFamily(up, "1 if the stored facts could be read", int(bool(metrics))),
        GaugeMetricFamily(seconds, "How long reading them took", monotonic() - began),
    ]
