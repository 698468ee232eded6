"""Metrics of the streaming replica, where DATABASE_REPLICA_URL names one."""

from collections.abc import Iterator
from typing import Final

from django.db import Error, connections, transaction
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.metrics_core import Metric

from casino.operations.metrics.facts import PREFIX
from compliance.storage.replica import REPLICA, committed_position

_BOUND: Final = "SET LOCAL statement_timeout = '5s'"
_BEHIND: Final = "SELECT greatest(%s::pg_lsn - pg_last_wal_replay_lsn(), 0)"


def replica_metrics() -> Iterator[Metric]:
    """Whether it answers, and how far it is behind the primary. Raises Error of the primary."""
    if REPLICA not in connections:
        return
    position = committed_position()
    try:
        behind = _bytes_behind(position)
    except Error:
        behind = None
    up = int(behind is not None)
    yield GaugeMetricFamily(f"{PREFIX}replica_up", "1 if the replica answers as a replica", up)
    if behind is not None:
        text = "Bytes of the write-ahead log that the replica has not replayed"
        yield GaugeMetricFamily(f"{PREFIX}replica_behind_bytes", text, behind)


def _bytes_behind(position: str) -> int | None:
    """None if it is no replica, for example since it was promoted."""
    with transaction.atomic(using=REPLICA), connections[REPLICA].cursor() as cursor:
        cursor.execute(_BOUND)
        cursor.execute("SELECT pg_is_in_recovery()")
        if not cursor.fetchone()[0]:
            return None
        cursor.execute(_BEHIND, [position])
        return int(cursor.fetchone()[0])
