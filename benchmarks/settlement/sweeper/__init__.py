"""Processes that settle all queued rounds, like those of a worker, and measure their cost."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from typing import Final

from benchmarks.processor_time import Spent
from casino.embedded.server_paths import CLONE

UNPROVED: Final = "unproved"
SAMPLED: Final = "sampled"
_COMMAND: Final = (sys.executable, "-m", "benchmarks.settlement.sweeper")


def sweep_with(*, processes: int, proving: bool = True) -> Spent:
    """Settles all rounds queued in the database of DATABASE_URL, timed once all are ready.

    Processor time is that of all processes, and of PostgreSQL's behind them. Without ``proving``
    audit records are written, and nothing that proves them.
    """
    sweepers = [_sweeper(() if proving else (UNPROVED,)) for _ in range(processes)]
    for sweeper in sweepers:
        _line_of(sweeper)
    started = time.perf_counter()
    for sweeper in sweepers:
        _tell(sweeper)
    spent = [Spent(*json.loads(_line_of(sweeper))) for sweeper in sweepers]
    wall = time.perf_counter() - started
    for sweeper in sweepers:
        sweeper.communicate()
    return Spent(wall, sum(cost.process for cost in spent), sum(cost.backend for cost in spent))


def sweep_in_stages() -> tuple[Spent, Mapping[str, float]]:
    """The same by one process, with the share of its own time that each stage takes."""
    sweeper = _sweeper([SAMPLED])
    _line_of(sweeper)
    _tell(sweeper)
    spent, samples = Spent(*json.loads(_line_of(sweeper))), json.loads(_line_of(sweeper))
    sweeper.communicate()
    return spent, {stage: count / sum(samples.values()) for stage, count in samples.items()}


def _sweeper(options: Sequence[str]) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        (*_COMMAND, *options),
        cwd=CLONE,
        env=os.environ,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )


def _line_of(sweeper: subprocess.Popen[bytes]) -> bytes:
    if sweeper.stdout is None or not (line := sweeper.stdout.readline()):
        raise RuntimeError("a sweeper ended before it had swept")
    return line


def _tell(sweeper: subprocess.Popen[bytes]) -> None:
    if sweeper.stdin is not None:
        sweeper.stdin.write(b"go\n")
        sweeper.stdin.flush()
