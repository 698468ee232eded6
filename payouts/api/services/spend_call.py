"""Rates: so many calls a minute for a caller, counted once for all web processes.

A caller who has not called for a minute may make all calls of a minute at once; after that they
come back one by one, evenly (a leaky bucket; GCRA). One statement counts a call, by PostgreSQL's
clock, so that processes and machines agree.
"""

from math import ceil
from typing import Final, NamedTuple

from django.db import connection

from compliance.trail.prepared import rows_of

WINDOW_SECONDS: Final = 60
_SPEND: Final = """
    INSERT INTO api_spentrate AS spent (caller, whole_at)
    VALUES (%(caller)s, clock_timestamp() + %(each)s::interval)
        ON CONFLICT (caller) DO UPDATE
       SET whole_at = greatest(spent.whole_at, clock_timestamp()) + %(each)s::interval
     WHERE greatest(spent.whole_at, clock_timestamp()) + %(each)s::interval
           <= clock_timestamp() + %(window)s::interval
    RETURNING extract(epoch FROM whole_at - clock_timestamp())
"""
_LEFT: Final = """
    SELECT extract(epoch FROM whole_at - clock_timestamp()) FROM api_spentrate WHERE caller = %s
"""
_SWEEP: Final = "DELETE FROM api_spentrate WHERE whole_at < clock_timestamp() - interval '1 hour'"


class Spent(NamedTuple):
    """How a caller stands after a call."""

    per_minute: int
    is_within: bool
    left: int
    """Calls that may be made at once."""
    retry_seconds: int
    """Until one more call may be made; at least 1 where none may."""
    whole_seconds: int
    """Until all calls of a minute may be made at once."""


def spend_call(caller: str, *, per_minute: int) -> Spent:
    """Counts a call, if there is one left."""
    each = WINDOW_SECONDS / per_minute
    told = {"caller": caller, "each": _interval(each), "window": _interval(WINDOW_SECONDS)}
    found = rows_of(_SPEND, told)
    if not found:
        [(seconds,)] = rows_of(_LEFT, [caller]) or [(0,)]
        wait = max(float(seconds) + each - WINDOW_SECONDS, 0)
        return Spent(per_minute, False, 0, max(ceil(wait), 1), max(ceil(seconds), 1))
    seconds = float(found[0][0])
    left = max(int((WINDOW_SECONDS - seconds) / each + 1e-6), 0)
    return Spent(per_minute, True, left, 0, max(ceil(seconds), 1))


def forget_rates() -> int:
    """Takes callers out who have had all their calls back for an hour; gives how many."""
    with connection.cursor() as cursor:
        cursor.execute(_SWEEP)
        return int(cursor.rowcount)


def _interval(seconds: float) -> str:
    return f"{seconds:.6f} seconds"
