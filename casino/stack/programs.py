"""The programs that settle: the same under `make run` and in the tests that kill them."""

import sys
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Final

from casino.stack.watch import Program
from compliance.trail.keys import make_key

_CELERY: Final = (sys.executable, "-m", "celery", "-A", "casino")


def settling_programs(
    *, schedule: Path, log_key: Path, told: Mapping[str, str] = MappingProxyType({})
) -> tuple[Program, Program]:
    """A worker, and the beat that wakes its sweep; the beat keeps in ``schedule`` when it did.

    The worker alone is told where the key of the audit log lies, which is made if it is not there;
    both are ``told`` these variables.
    """
    if not log_key.exists():
        make_key(log_key)
    worker = (*_CELERY, "worker", "--concurrency", "2", "--loglevel", "INFO")
    beat = (*_CELERY, "beat", "--schedule", str(schedule), "--pidfile=")
    with_key = {**told, "LOG_KEY_FILE": str(log_key)}
    return Program("worker", worker, told=with_key), Program("beat", beat, told=told)
