"""Settlement rate compared with COPY: popular rounds, ten-bet rounds, mix of all games.

Every run settles a copy of a database with the ingested feed, then copies the written rows into
another copy of it: both start from the same state.
"""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final, NamedTuple

from django.db import connection
from django.utils import timezone

from benchmarks.figures import Figure
from benchmarks.peers.hordak_transfers import measure_hordak
from benchmarks.peers.naive_settlement import measure_naive
from benchmarks.processor_time import Spent, median_of
from benchmarks.quick import sized
from benchmarks.settlement.copy_limit import copy_results, read_results
from benchmarks.settlement.sweeper import sweep_in_stages, sweep_with
from benchmarks.workspace import BENCHMARK, Workspace
from rounds.documents import read_documents
from rounds.models import Bet, QueuedRound
from rounds.services.ingest import ingest_documents

_RUNS: Final = sized(5, quick=2)
_WORKER: Final = 2
"""Processes of a worker as `make run` and the README start it."""
_BIG_ROUNDS: Final = sized(2, quick=1)
_SMALL_ROUNDS: Final = sized(24_000, quick=4_000)
_MIX_ROUNDS: Final = sized(8_000, quick=2_000)
_MICRO: Final = 1_000_000
POSTGRES: Final = "postgres"
COPY: Final = "copy"
_HORDAK: Final = re.compile(r"hordak\.[a-z_]+\.bets_per_s")


class Run(NamedTuple):
    """One feed settled and copied once each way."""

    worker: Spent
    process: Spent
    copy: Spent
    copies: Spent


def measure_settlement(place: Workspace) -> list[Figure]:
    """All three feeds; each figure is the median of its runs."""
    feeds = {
        "big": place.feeds.big(rounds=_BIG_ROUNDS),
        "small": place.feeds.small(rounds=_SMALL_ROUNDS),
        "mix": place.feeds.mix(rounds=_MIX_ROUNDS),
    }
    figures = [figure for name, feed in feeds.items() for figure in _measure(place, name, feed)]
    figures += [*measure_naive(place), *measure_hordak(place)]
    speed = {figure.name: figure.value for figure in figures}
    library = max(value for name, value in speed.items() if _HORDAK.fullmatch(name))
    return [
        *figures,
        *(
            Figure(
                f"settle.{feed}.ratio_naive",
                speed[f"settle.{feed}.bets_per_s"] / speed[f"naive.{feed}.bets_per_s"],
                "times the naive settlement, a transaction a bet",
            )
            for feed in ("big", "small")
        ),
        Figure(
            "settle.small.ratio_library",
            speed["settle.small.bets_per_s"] / library,
            "times the fastest way of a double-entry library",
        ),
    ]


def ingest_file(feed: Path) -> int:
    """Ingests a feed into the database of Django's connection; gives its number of bets."""
    with feed.open("rb") as lines:
        for batch in read_documents(lines):
            ingest_documents(batch, source=feed.name, at=timezone.now(), actor=BENCHMARK)
    return Bet.objects.count()


def _measure(place: Workspace, name: str, feed: Path) -> Iterator[Figure]:
    with place.fresh_database():
        bets = ingest_file(feed)
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE")
        runs = [_run(place) for _ in range(_RUNS)]
        with place.copied_database():
            sampled, shares = sweep_in_stages()
    median = Run(*(median_of(column) for column in zip(*runs, strict=True)))
    yield from _speeds(f"settle.{name}", bets, {"": median.worker, ".process": median.process})
    yield from _speeds(f"copy.{name}", bets, {"": median.copy, ".two": median.copies})
    for suffix, (limit, settled), unit in (
        ("ratio_copy", (median.copy, median.worker), "of one COPY, by a worker of two processes"),
        ("ratio_copy_two", (median.copies, median.worker), "of two COPY at once, by the same"),
        ("process.ratio_copy", (median.copy, median.process), "of one COPY, by one process"),
    ):
        yield Figure(f"settle.{name}.{suffix}", limit.wall / settled.wall, unit)
    yield Figure(
        f"settle.{name}.cpu_ratio_copy",
        median.copy.cpu / median.process.cpu,
        "of one COPY, in processor seconds",
    )
    stages = {stage: share * sampled.process for stage, share in shares.items()}
    for stage, seconds in {**stages, POSTGRES: sampled.backend, COPY: median.copy.cpu}.items():
        yield Figure(f"stages.{name}.{stage}_us", seconds / bets * _MICRO, "CPU µs of a bet")


def _run(place: Workspace) -> Run:
    with place.copied_database():
        worker = _settle(_WORKER)
        single, shared = read_results(shares=1), read_results(shares=2)
    with place.copied_database():
        process = _settle(1)
    with place.copied_database() as url:
        copy = copy_results(single, url=url)
    with place.copied_database() as url:
        copies = copy_results(shared, url=url)
    return Run(worker, process, copy, copies)


def _settle(processes: int) -> Spent:
    spent = sweep_with(processes=processes)
    waiting = QueuedRound.objects.count()
    if waiting:
        raise RuntimeError(f"{waiting} rounds still wait")
    return spent


def _speeds(name: str, bets: int, spent: Mapping[str, Spent]) -> Iterator[Figure]:
    for suffix, cost in spent.items():
        yield Figure(f"{name}{suffix}.bets_per_s", bets / cost.wall, "bets a second")
        yield Figure(f"{name}{suffix}.bets_per_cpu_s", bets / cost.cpu, "bets a CPU second")
