"""Workers and beat, as `make run` and the crash tests start them."""

import sys
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Final

from casino.devserver.watch import Program
from casino.workers.queues import EXPORTER, FEED, WEB, queue_of
from compliance.trail.log.key_file import make_key

_CELERY: Final = (sys.executable, "-m", "celery", "-A", "casino")


def settling_programs(
    *, schedule: Path, log_key: Path, environment: Mapping[str, str] = MappingProxyType({})
) -> tuple[Program, Program]:
    """A worker and a beat, which stores its state in ``schedule``.

    ``environment`` are variables for both; only the worker gets the path of the audit log's key,
    which is created if it is missing.
    """
    if not log_key.exists():
        make_key(log_key)
    worker = (*_CELERY, "worker", "--concurrency", "2", "--loglevel", "INFO")
    beat = (*_CELERY, "beat", "--schedule", str(schedule), "--pidfile=")
    with_key = {**environment, "LOG_KEY_FILE": str(log_key)}
    return Program("worker", worker, environment=with_key), Program(
        "beat", beat, environment=environment
    )


def other_workers(*, queue: str, environments: Mapping[str, Mapping[str, str]]) -> list[Program]:
    """The workers for uploads, exports and list files, with the variables of each role."""
    return [
        Program(
            name,
            (
                *(*_CELERY, "worker", "--queues", queue_of(role, default=queue)),
                *("--hostname", f"{name}@%h", "--concurrency", "1", "--loglevel", "INFO"),
            ),
            environment=environments.get(role, {}),
        )
        for name, role in ((FEED, FEED), (EXPORTER, EXPORTER), ("lists", WEB))
    ]
