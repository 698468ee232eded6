"""Whether settlement slows down as a database fills: from 100,000 bets to ten million."""

from collections.abc import Iterator
from statistics import median
from typing import Final

from benchmarks.data.feeds import START
from benchmarks.data.stored_months import Stored
from benchmarks.figures import Figure
from benchmarks.settlement.settlement_rate import ingest_file
from benchmarks.settlement.sweeper import sweep_with
from benchmarks.workspace import Workspace
from rounds.models import Bet

_LEVELS: Final = (100_000, 1_000_000, 10_000_000)
_RUNS: Final = 3
_STORED_ROUNDS: Final = 10_000
_ROUNDS: Final = 3_000
_DAY: Final = 86_400_000
"""Milliseconds; each feed is played on a day of its own."""


def measure_growth(place: Workspace) -> list[Figure]:
    """The same database, fuller and fuller; at each level three feeds of the mix are settled."""
    with place.fresh_database():
        ingest_file(place.feeds.mix(rounds=_STORED_ROUNDS))
        sweep_with(processes=1)
        stored = Stored()
        speeds = {}
        days = iter(range(1, 1 + _RUNS * len(_LEVELS)))
        for level in _LEVELS:
            stored.fill(bets=level)
            speeds[level] = median(_settle_days(place, days))
    figures = [
        Figure(
            f"growth.{level:.0e}.bets_per_s".replace("+0", ""), speed, "bets a second, one process"
        )
        for level, speed in speeds.items()
    ]
    ratio = speeds[_LEVELS[-1]] / speeds[_LEVELS[0]]
    return [*figures, Figure("growth.ratio_1e7_to_1e5", ratio, "of the speed, ten million stored")]


def _settle_days(place: Workspace, days: Iterator[int]) -> Iterator[float]:
    for _ in range(_RUNS):
        day = next(days)
        feed = place.feeds.mix(rounds=_ROUNDS, seed=f"day {day}", start=START + day * _DAY)
        before = Bet.objects.count()
        bets = ingest_file(feed) - before
        spent = sweep_with(processes=1)
        yield bets / spent.wall
