"""The random share that workers verify again: rounds a second, and what settlement loses by it."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from statistics import median
from time import perf_counter
from typing import Final

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from django.db import connection
from django.utils import timezone

from benchmarks.data.feeds import START
from benchmarks.figures import Figure
from benchmarks.settlement.settlement_rate import ingest_file
from benchmarks.settlement.sweeper import sweep_with
from benchmarks.workspace import Workspace
from casino.embedded.server_paths import CLONE
from compliance.trail.log.append_to_log import append_to_log
from payouts.integrity.models import IntegrityStop
from payouts.recheck.recheck_share import Step, new_pass, verify_random_record, verify_random_rounds
from rounds.models import Round

_STORED_ROUNDS: Final = int(os.environ.get("SABOT_BENCH_RECHECKED_ROUNDS", "40000"))
_WAITING_ROUNDS: Final = _STORED_ROUNDS // 2
_DAY: Final = 86_400_000
"""Milliseconds; the waiting rounds were played a day after the others."""
_STEPS: Final = 60
_PAIRS: Final = 5
_COMMAND: Final = (sys.executable, "-m", "benchmarks.settlement.recheck_turns")


def measure_recheck(place: Workspace) -> list[Figure]:
    """Rounds verified a second; then pairs of settlements, with turns beside them and without."""
    with place.fresh_database():
        ingest_file(place.feeds.mix(rounds=_STORED_ROUNDS))
        sweep_with(processes=2)
        append_to_log(Ed25519PrivateKey.generate(), now=timezone.now())
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE")
        figures = [*_verified_per_second(), *_lost_by_settlement(place)]
        if IntegrityStop.objects.exists():
            raise RuntimeError(f"found {IntegrityStop.objects.earliest('at').findings[0]}")
    return figures


def _verified_per_second() -> Iterator[Figure]:
    at = timezone.now()
    since_first = at - Round.objects.earliest("id").opened_at
    steps: dict[str, tuple[Step, str, timedelta]] = {
        "recent": (new_pass(), "rounds", since_first),
        "random": (verify_random_rounds, "rounds", since_first),
        "records": (verify_random_record, "records", since_first),
    }
    for name, (step, counted, recent) in steps.items():
        taken, verified = [], 0
        for _ in range(_STEPS):
            seconds, number = _timed(step, counted, at, recent)
            taken.append(seconds)
            verified += number
        yield Figure(
            f"recheck.{name}.{counted}_per_s", verified / sum(taken), f"{counted} a second"
        )
        yield Figure(f"recheck.{name}.step_p50_ms", median(taken) * 1000, "ms")
        yield Figure(f"recheck.{name}.step_max_ms", max(taken) * 1000, "ms")


def _timed(step: Step, counted: str, at: datetime, recent: timedelta) -> tuple[float, int]:
    began = perf_counter()
    findings = step(at, recent)
    seconds = perf_counter() - began
    if findings is None or findings.texts:
        raise RuntimeError(f"found {findings}; needed right rows")
    return seconds, findings.verified[counted]


def _lost_by_settlement(place: Workspace) -> Iterator[Figure]:
    """Each pair settles the same waiting rounds in two copies of the database."""
    ingest_file(place.feeds.mix(rounds=_WAITING_ROUNDS, seed="waiting", start=START + _DAY))
    ratios = []
    for number in range(_PAIRS):
        order = (True, False) if number % 2 else (False, True)
        seconds = {beside: _settled_in(place, beside=beside) for beside in order}
        ratios.append(100 * (seconds[True] / seconds[False] - 1))
    unit = "percent more time to settle, a turn every second beside it"
    yield Figure("recheck.settlement_percent", median(ratios), unit)
    yield Figure("recheck.settlement_percent.least", min(ratios), unit)
    yield Figure("recheck.settlement_percent.most", max(ratios), unit)


def _settled_in(place: Workspace, *, beside: bool) -> float:
    with place.copied_database():
        if not beside:
            return sweep_with(processes=2).wall
        with _turns():
            return sweep_with(processes=2).wall


@contextmanager
def _turns() -> Iterator[None]:
    process = subprocess.Popen(
        _COMMAND, cwd=CLONE, env=os.environ, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    if process.stdout is None or not process.stdout.readline():
        raise RuntimeError("the process ended before its first turn")
    try:
        yield
    finally:
        process.communicate()
