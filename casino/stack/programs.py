"""The programs that settle: the same under `make run` and in the tests that kill them."""

import sys
from pathlib import Path
from typing import Final

from casino.stack.watch import Program

_CELERY: Final = (sys.executable, "-m", "celery", "-A", "casino")


def settling_programs(*, schedule: Path) -> tuple[Program, Program]:
    """A worker, and the beat that wakes its sweep; the beat keeps in ``schedule`` when it did."""
    worker = (*_CELERY, "worker", "--concurrency", "2", "--loglevel", "INFO")
    beat = (*_CELERY, "beat", "--schedule", str(schedule), "--pidfile=")
    return Program("worker", worker), Program("beat", beat)
