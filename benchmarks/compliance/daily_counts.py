"""Speed of daily counts and of looks of the table monitor, over months of rounds."""

import time
from typing import Final

from django.utils import timezone

from benchmarks.data.stored_months import Stored
from benchmarks.figures import Figure
from benchmarks.settlement.settlement_rate import ingest_file
from benchmarks.settlement.sweeper import sweep_with
from benchmarks.workspace import BENCHMARK, Workspace
from compliance.monitoring.models import WatchLook
from compliance.monitoring.services.count_days import count_day, count_days
from compliance.monitoring.services.watch_tables import watch_tables
from rounds.models import Round

_STORED_ROUNDS: Final = 10_000
_BETS: Final = 3_000_000


def measure_counting(place: Workspace) -> list[Figure]:
    """All days once, one day again, a count that finds nothing new, and a look; one process."""
    with place.fresh_database():
        ingest_file(place.feeds.mix(rounds=_STORED_ROUNDS))
        sweep_with(processes=1)
        Stored().fill(bets=_BETS)
        rounds = Round.objects.count()
        started = time.perf_counter()
        days = count_days()
        counted = time.perf_counter()
        count_days()
        found_nothing = time.perf_counter()
        last = timezone.localdate(Round.objects.order_by("-id")[0].opened_at)
        watch_tables(last_day=last, at=timezone.now(), actor=BENCHMARK)
        looked = time.perf_counter()
        count_day(last, force=True)
        again = time.perf_counter()
        watches = WatchLook.objects.count()
    return [
        Figure(
            "monitor.counted_rounds_per_s",
            rounds / (counted - started),
            f"rounds a second, {rounds:,} of {days} days, one process",
        ),
        Figure("monitor.nothing_new_s", found_nothing - counted, f"s, {rounds:,} rounds stored"),
        Figure("monitor.look_s", looked - found_nothing, f"s, {watches} watches, {days} days"),
        Figure("monitor.one_day_anew_s", again - looked, "s, the last day"),
    ]
