"""End to end: `manage.py ingest` of a file with a running worker.

Timed from the start of the command, including Python and Django, until another connection sees all
rounds settled.
"""

import os
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any, Final, NamedTuple

import psycopg

from benchmarks.figures import Figure
from benchmarks.quick import sized
from benchmarks.settlement.celery_workers import celery_workers
from benchmarks.workspace import Workspace
from casino.embedded.server_paths import CLONE

_MIX_ROUNDS: Final = sized(10_000, quick=3_000)
_BIG_ROUNDS: Final = sized(3, quick=1)
_PATIENCE_SECONDS: Final = 600
_POLL_SECONDS: Final = 0.01
_KILOBYTES: Final = 1024
_NOTHING_WAITS: Final = "SELECT NOT EXISTS (SELECT FROM rounds_queuedround)"
_SETTLED: Final = "SELECT count(*) = %s FROM payouts_settlement"


def measure_pipeline(place: Workspace) -> list[Figure]:
    """The mix of all games, then rounds of a hundred thousand bets, one by one."""
    return [_measure_mix(place), *_measure_crowds(place)]


def _measure_mix(place: Workspace) -> Figure:
    mix = place.feeds.mix(rounds=_MIX_ROUNDS)
    with _running(place) as watcher:
        seconds = _time(mix, until=lambda: _says(watcher, _NOTHING_WAITS)).seconds
        [[bets]] = watcher.execute("SELECT count(*) FROM rounds_bet").fetchall()
    return Figure("pipeline.bets_per_s", bets / seconds, "bets a second, from the file to settled")


def _measure_crowds(place: Workspace) -> list[Figure]:
    runs = []
    with _running(place) as watcher:
        for done, feed in enumerate(_one_by_one(place.feeds.big(rounds=_BIG_ROUNDS)), start=1):
            runs.append(_time(feed, until=partial(_says, watcher, _SETTLED, done)))
        worker = max(_peaks_of_workers())
    seconds, ingest = median(run.seconds for run in runs), max(run.peak_mb for run in runs)
    return [
        Figure("pipeline.big.seconds", seconds, "from a file with 100,000 bets to settled"),
        Figure("pipeline.big.peak_mb", max(worker, ingest), "MB, the greatest of our processes"),
        Figure("pipeline.big.ingest_peak_mb", ingest, "MB, the ingesting process"),
        Figure("pipeline.big.worker_peak_mb", worker, "MB, the greater process of the worker"),
    ]


@contextmanager
def _running(place: Workspace) -> Iterator[psycopg.Connection[Any]]:
    """A fresh database, a worker with two processes, and a connection that watches."""
    with (
        place.fresh_database() as url,
        celery_workers(folder=place.folder),
        closing(psycopg.connect(url, autocommit=True)) as watcher,
    ):
        yield watcher


def _one_by_one(feed: Path) -> list[Path]:
    """Each round of a feed in a file of its own, with what was handed over just before it."""
    files: list[Path] = []
    lines: list[bytes] = []
    for line in feed.read_bytes().splitlines(keepends=True):
        lines.append(line)
        if b'"feed":"round/1"' in line[:100].replace(b" ", b""):
            files.append(feed.with_name(f"{feed.stem}-{len(files)}.ndjson"))
            files[-1].write_bytes(b"".join(lines))
            lines.clear()
    return files


class _Run(NamedTuple):
    seconds: float
    peak_mb: float
    """Of the ingesting process."""


def _time(feed: Path, *, until: Callable[[], bool]) -> _Run:
    started = time.perf_counter()
    command = [sys.executable, "manage.py", "ingest", str(feed)]
    ingest, peak = subprocess.Popen(command, cwd=CLONE, stdout=subprocess.DEVNULL), 0.0
    while ingest.poll() is None:  # what the kernel says at the end includes our own, before exec
        peak = max(peak, _peak_of(Path(f"/proc/{ingest.pid}")))
        time.sleep(_POLL_SECONDS)
    if ingest.returncode:
        raise subprocess.CalledProcessError(ingest.returncode, command)
    while not until():
        if time.perf_counter() - started > _PATIENCE_SECONDS:
            raise TimeoutError(f"{feed.name} is not settled after {_PATIENCE_SECONDS} seconds")
        time.sleep(_POLL_SECONDS)
    return _Run(time.perf_counter() - started, peak)


def _says(watcher: psycopg.Connection[Any], question: str, *values: int) -> bool:
    [[answer]] = watcher.execute(question, values).fetchall()
    return bool(answer)


def _peaks_of_workers() -> Iterator[float]:
    """The most memory that each process of our workers ever had, in MB."""
    own_database = f"DATABASE_URL={os.environ['DATABASE_URL']}".encode()
    for process in Path("/proc").glob("[0-9]*"):
        try:
            is_worker = b"celery" in (process / "cmdline").read_bytes()
            if is_worker and own_database in (process / "environ").read_bytes().split(b"\0"):
                yield _peak_of(process)
        except (FileNotFoundError, ProcessLookupError, PermissionError):
            continue


def _peak_of(process: Path) -> float:
    """In MB; 0 once it has ended."""
    with suppress(FileNotFoundError, ProcessLookupError):
        found = re.search(r"VmHWM:\s+(\d+)", (process / "status").read_text())
        return int(found[1]) / _KILOBYTES if found else 0.0
    return 0.0
