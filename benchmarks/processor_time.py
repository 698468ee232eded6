"""Wall time, and processor time of the process and of its database backend."""

import os
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median
from typing import Final, NamedTuple

from django.db import connection

_TICKS_PER_SECOND: Final = os.sysconf("SC_CLK_TCK")
_USER_TICKS: Final = 11
"""Where `utime` stands in /proc/PID/stat behind the command's name (proc(5)); `stime` follows."""


class Spent(NamedTuple):
    """Seconds that something took."""

    wall: float
    process: float
    """Of processor time, this process's."""
    backend: float
    """Of processor time, that of PostgreSQL's process behind our connection; to 10 ms.

    What PostgreSQL does for everybody (checkpoints, writing ahead the log of others) is not in it.
    """

    @property
    def cpu(self) -> float:
        """Processor time of both."""
        return self.process + self.backend


def spend(action: Callable[[], object]) -> Spent:
    """Runs the action once; it must leave Django's connection open."""
    connection.ensure_connection()
    pid = connection.connection.info.backend_pid
    backend, process, wall = processor_seconds(pid), time.process_time(), time.perf_counter()
    action()
    return Spent(
        time.perf_counter() - wall,
        time.process_time() - process,
        processor_seconds(pid) - backend,
    )


def median_of(runs: Sequence[Spent]) -> Spent:
    """The median of each column by itself."""
    return Spent(*map(median, zip(*runs, strict=True)))


def processor_seconds(pid: int) -> float:
    """User and system time of a process of this machine since its start."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    user, system = fields[_USER_TICKS : _USER_TICKS + 2]
    return (int(user) + int(system)) / _TICKS_PER_SECOND
