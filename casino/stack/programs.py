"""The programs that settle: the same under `make run` and in the tests that kill them."""

import sys
from pathlib import Path
from typing import Final

from casino.stack.watch import Program
from compliance.trail.keys import make_key

_CELERY: Final = (sys.executable, "-m", "celery", "-A", "casino")


def settling_programs(*, schedule: Path, log_key: Path) -> tuple[Program, Program]:
    """A worker, and the beat that wakes its sweep; the beat keeps in ``schedule`` when it did.

    The worker alone is told where the key of the audit log lies, which is made if it is not there.
    """
    if not log_key.exists():
        make_key(log_key)
    worker = (*_CELERY, "worker", "--concurrency", "2", "--loglevel", "INFO")
    beat = (*_CELERY, "beat", "--schedule", str(schedule), "--pidfile=")
    told = {"LOG_KEY_FILE": str(log_key)}
    return Program("worker", worker, told=told), Program("beat", beat)
