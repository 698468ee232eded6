"""How long rounds wait from their arrival to their settlement, from the hourly histograms.

A bucket is an eighth of a doubling, so a figure is at most 9 % above the exact one.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from datetime import date
from typing import Final, NamedTuple

from django.db import DEFAULT_DB_ALIAS, connections

from rounds.gaming_day import begin_of_day, end_of_day

_TO_A_DOUBLING: Final = 8
_MILLISECONDS: Final = 1000
_MEDIAN: Final = 0.5
_MOST: Final = 0.99

_LATENCIES: Final = """
    SELECT dealt_at.code, latency.rules, shift, bucket, sum(rounds)::bigint
      FROM monitoring_hourlylatency AS latency
      JOIN rounds_table AS dealt_at ON dealt_at.id = latency.table_id
     WHERE hour >= %s AND hour < %s
     GROUP BY dealt_at.code, latency.rules, shift, bucket
"""


class LatencyKey(NamedTuple):
    """Whose histogram it is."""

    table: str
    rules: str
    shift: str


class Latency:
    """The sum of histograms: rounds by bucket."""

    def __init__(self, histograms: Iterable[Mapping[int, int]]) -> None:
        self._rounds: Counter[int] = Counter()
        for histogram in histograms:
            self._rounds.update(histogram)

    @property
    def median_seconds(self) -> float | None:
        """Half of the rounds were settled within this time; None without rounds."""
        return self._within(_MEDIAN)

    @property
    def most_seconds(self) -> float | None:
        """Of a hundred rounds 99 were settled within this time; None without rounds."""
        return self._within(_MOST)

    def _within(self, share: float) -> float | None:
        """The upper end of the bucket with the round of this rank."""
        left = share * self._rounds.total()
        for bucket in sorted(self._rounds):
            left -= self._rounds[bucket]
            if left <= 0:
                return seconds_of(bucket + 1)
        return None


def seconds_of(bucket: int) -> float:
    """The lower end of a bucket."""
    seconds: float = 2 ** (bucket / _TO_A_DOUBLING) / _MILLISECONDS
    return seconds


def bucket_sql(interval: str) -> str:
    """SQL: the bucket of an interval. Below a millisecond, and with late clocks, the first one."""
    milliseconds = f"greatest(extract(epoch FROM {interval}) * {_MILLISECONDS}, 1)"
    return f"floor({_TO_A_DOUBLING} * ln({milliseconds}) / ln(2.0))::smallint"


def latency_histograms(
    first: date, last: date, *, database: str = DEFAULT_DB_ALIAS
) -> dict[LatencyKey, dict[int, int]]:
    """Rounds by bucket, of those played on these days, both included."""
    histograms: defaultdict[LatencyKey, dict[int, int]] = defaultdict(dict)
    with connections[database].cursor() as cursor:
        cursor.execute(_LATENCIES, [begin_of_day(first), end_of_day(last)])
        for table, rules, shift, bucket, rounds in cursor.fetchall():
            histograms[LatencyKey(table, rules, shift)][bucket] = rounds
    return dict(histograms)
