"""The leaves of all records, computed into a file at their positions in the log.

Several processes take ranges of the keys in turns, all in the snapshot of the current transaction.
"""

from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from itertools import repeat
from multiprocessing import get_context
from pathlib import Path
from typing import Any, BinaryIO, Final

import django
from django.db import connection, transaction

from compliance.trail.key_ranges import ALL_KEYS, KeyRange, trail_ranges
from compliance.trail.log.log_faults import Report
from compliance.trail.log.merkle_tree import HASH_BYTES
from compliance.trail.verify_records import Fault, verify_range

_MOST_LEAVES: Final = 1 << 36
"""A position beyond is ignored: it can only come from tampering."""
_RECORDS: Final = 1_000_000
"""Those of a range; fewer take less time than another process needs to start."""


def compute_leaves(file: Path, *, report: Report, processes: int = 1) -> int:
    """Verifies all batches and records and writes their leaves; returns the number of records.

    Faults are reported in the order of the records. Several processes need a transaction that sees
    one snapshot (REPEATABLE READ).
    """
    ranges = trail_ranges(most=_RECORDS) if processes > 1 else [ALL_KEYS]
    if len(ranges) == 1:
        return _compute(file, ALL_KEYS, report)
    read = 0
    for count, faults in _by_processes(file, ranges, min(processes, len(ranges))):
        read += count
        for fault in faults:
            report(fault)
    return read


def _by_processes(
    file: Path, ranges: list[KeyRange], processes: int
) -> Iterator[tuple[int, list[Fault]]]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_export_snapshot()")
        [snapshot] = cursor.fetchone()
    with ProcessPoolExecutor(processes, get_context("spawn"), django.setup) as pool:
        yield from pool.map(_compute_in_snapshot, repeat(file), ranges, repeat(snapshot))


def _compute_in_snapshot(file: Path, keys: KeyRange, snapshot: str) -> tuple[int, list[Fault]]:
    faults: list[Any] = []
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
        cursor.execute("SET TRANSACTION SNAPSHOT %s", [snapshot])
        return _compute(file, keys, faults.append), faults


def _compute(file: Path, keys: KeyRange, report: Report) -> int:
    with file.open("r+b") as stream:
        return verify_range(keys, report=report, witness=_Leaves(stream).keep)


class _Leaves:
    """Writes leaves to their positions."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._next = 0

    def keep(self, place: int, leaves: bytes) -> None:
        if not 0 <= place < _MOST_LEAVES:
            return
        if place != self._next:
            self._file.seek(place * HASH_BYTES)
        self._file.write(leaves)
        self._next = place + len(leaves) // HASH_BYTES
