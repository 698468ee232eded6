"""The steps of an upgrade from the previous release, on a large database while rounds are settled.

Workers of the previous release settle, then these and workers of this one side by side. The size:
`SABOT_BENCH_UPGRADE_BETS` (targets: 1,000,000 and 5,000,000). The longest wait for a lock is looked
at every five milliseconds.
"""

import os
import subprocess
import sys
import time
from contextlib import closing
from typing import Any, Final

import psycopg
from django.core.management import call_command
from django.db.models import Exists, OuterRef

from benchmarks.data.feeds import START
from benchmarks.data.stored_months import Stored
from benchmarks.figures import Figure
from benchmarks.settlement.celery_workers import celery_workers
from benchmarks.settlement.load import load_of
from benchmarks.settlement.lock_waits import MIGRATION, watched_lock_waits
from benchmarks.settlement.settlement_rate import ingest_file
from benchmarks.settlement.sweeper import sweep_with
from benchmarks.workspace import Workspace
from casino.embedded.server_paths import CLONE
from payouts.settlement.models import Settlement
from rounds.models import QueuedRound, Round, Validation
from tests.processes import wait_until
from tests.upgrade.gate.migrations import last_released
from tests.upgrade.previous_release import RELEASE, unpack

_STORED_BETS: Final = int(os.environ.get("SABOT_BENCH_UPGRADE_BETS", "1000000"))
_STORED_ROUNDS: Final = 5_000
_LOAD_ROUNDS: Final = 70_000
_LOAD_BETS_PER_S: Final = 2_000
_WARM_UP_SECONDS: Final = 5
_SECONDS: Final = 30
_REAL: Final = {"SANDBOX": "false"}
"""A database with records is no sandbox, which those of the other benchmarks are."""
_A_WEEK_MS: Final = 7 * 86_400_000
_SETTLED: Final = "SELECT coalesce(sum(bets), 0)::bigint FROM payouts_dailybets"


def measure_upgrade(place: Workspace) -> list[Figure]:
    """Throughput before and while, and how long others waited."""
    load_feed = place.feeds.mix(rounds=_LOAD_ROUNDS)
    with place.fresh_database() as url:
        ingest_file(place.feeds.mix(rounds=_STORED_ROUNDS, seed="2", start=START - _A_WEEK_MS))
        sweep_with(processes=2)
        for app, name in last_released().items():
            call_command("migrate", app, name, verbosity=0)
        stored = Stored()
        stored.fill(bets=_STORED_BETS)
        previous = unpack(place.folder / "previous")
        with (
            celery_workers(folder=place.folder, code=previous, name="previous"),
            closing(psycopg.connect(url, autocommit=True)) as watcher,
        ):
            with load_of(load_feed, bets_per_s=_LOAD_BETS_PER_S) as load:
                time.sleep(_WARM_UP_SECONDS)
                before = _bets_per_s(watcher)
                meter = _Meter(watcher)
                with watched_lock_waits(url) as waits:
                    for command in RELEASE:
                        _manage(*command)
                seconds, during = meter.seconds(), meter.bets_per_s()
                with celery_workers(folder=place.folder, environment=_REAL):
                    after = _bets_per_s(watcher)
                load.require_running()
            _require_settled_once()
    return [
        Figure("upgrade.bets", stored.bets, "bets stored"),
        Figure(
            "upgrade.seconds",
            seconds,
            "s of the commands of an upgrade",
        ),
        Figure("upgrade.before_bets_per_s", before, "bets settled a second before"),
        Figure("upgrade.during_bets_per_s", during, "bets settled a second meanwhile"),
        Figure("upgrade.after_bets_per_s", after, "bets settled a second by both releases"),
        Figure(
            "upgrade.longest_wait_ms",
            waits.for_migration_seconds * 1000,
            "ms, the longest wait of another session for a lock of the migration",
        ),
        Figure(
            "upgrade.longest_any_wait_ms",
            waits.longest_seconds * 1000,
            "ms, the longest wait for a table or row meanwhile, of workers for each other as well",
        ),
    ]


def _manage(*command: str) -> None:
    subprocess.run(
        [sys.executable, "manage.py", *command],
        cwd=CLONE,
        env={**os.environ, **_REAL, "PGAPPNAME": MIGRATION},
        check=True,
    )


def _bets_per_s(watcher: psycopg.Connection[Any]) -> float:
    """Settled in half a minute. Raises AssertionError if none is."""
    meter = _Meter(watcher)
    time.sleep(_SECONDS)
    settled = meter.bets_per_s()
    if not settled:
        raise AssertionError("no bet was settled: read the logs of the workers")
    return settled


def _require_settled_once() -> None:
    """Waits for the workers. Raises AssertionError for a round that is lost or settled twice."""
    wait_until(lambda: not QueuedRound.objects.exists(), what="every round is settled")
    judged = Validation.objects.filter(round=OuterRef("pk"))
    lost = Round.objects.filter(~Exists(judged)).count()
    twice = Settlement.objects.filter(sequence__gt=1).count()
    if lost or twice:
        raise AssertionError(f"{lost} rounds lost, {twice} settled twice")


class _Meter:
    """Counts the bets that are settled from now on."""

    def __init__(self, watcher: psycopg.Connection[Any]) -> None:
        self._watcher = watcher
        self._started, self._settled = time.perf_counter(), self._count()

    def seconds(self) -> float:
        """Since the beginning."""
        return time.perf_counter() - self._started

    def bets_per_s(self) -> float:
        """Settled since the beginning."""
        return (self._count() - self._settled) / self.seconds()

    def _count(self) -> int:
        [[bets]] = self._watcher.execute(_SETTLED).fetchall()
        return int(bets)
