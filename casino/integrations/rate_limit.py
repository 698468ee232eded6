"""Rate limits: calls a minute for each caller, shared by all web processes.

The algorithm is a leaky bucket (GCRA): after a minute without calls, a caller may make all calls of
a minute at once; then they are restored evenly. One statement counts a call, by PostgreSQL's clock.
"""

from math import ceil
from typing import Final, NamedTuple

from django.db import connection

from compliance.storage.prepared_statements import fetch_rows

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


class RateStatus(NamedTuple):
    """The rate limit of a caller after a call."""

    per_minute: int
    is_within: bool
    left: int
    """The number of calls that may be made now."""
    retry_seconds: int
    """Seconds until one more call may be made; at least 1 if none may."""
    whole_seconds: int
    """Seconds until all calls of a minute may be made at once."""


def count_call(caller: str, *, per_minute: int) -> RateStatus:
    """Counts a call if the limit allows it, and returns the new status."""
    seconds_per_call = WINDOW_SECONDS / per_minute
    values = {
        "caller": caller,
        "each": _interval(seconds_per_call),
        "window": _interval(WINDOW_SECONDS),
    }
    rows = fetch_rows(_SPEND, values)
    if not rows:
        [(seconds,)] = fetch_rows(_LEFT, [caller]) or [(0,)]
        wait = max(float(seconds) + seconds_per_call - WINDOW_SECONDS, 0)
        return RateStatus(per_minute, False, 0, max(ceil(wait), 1), max(ceil(seconds), 1))
    seconds = float(rows[0][0])
    left = max(int((WINDOW_SECONDS - seconds) / seconds_per_call + 1e-6), 0)
    return RateStatus(per_minute, True, left, 0, max(ceil(seconds), 1))


def delete_old_rates() -> int:
    """Deletes callers whose limit has been restored for an hour; returns how many."""
    with connection.cursor() as cursor:
        cursor.execute(_SWEEP)
        return int(cursor.rowcount)


def _interval(seconds: float) -> str:
    return f"{seconds:.6f} seconds"
