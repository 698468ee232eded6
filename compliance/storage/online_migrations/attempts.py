"""Statements that need strong locks, tried again and again until they get these at once."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic, sleep
from typing import Final, NamedTuple

from django.db import OperationalError, connection
from psycopg import errors

from compliance.storage.advisory_locks import session_lock
from compliance.storage.online_migrations.lock_guard import LockGuard
from compliance.storage.sessions import require_direct_default

_FIRST_PAUSE_SECONDS: Final = 0.25
_LONGEST_PAUSE_SECONDS: Final = 5.0
_LOCK: Final = "migrate"


class Limits(NamedTuple):
    """What the session may cost others, and how long it tries."""

    wait_ms: int
    """How long a statement waits for a lock, and others for the session."""
    retry_seconds: float


class Busy(Exception):
    """The locks were not to be had within the time; the text says who has them."""


def try_between_traffic(
    action: Callable[[], object], *, limits: Limits, say: Callable[[str], None]
) -> float:
    """Runs the action until it needs no lock for longer than the limits; it must be repeatable.

    Returns the longest time in seconds for which others waited because of it. Raises Busy after
    ``retry_seconds``, NoSession through a pool, and whatever else the action raises.
    """
    require_direct_default()
    deadline = monotonic() + limits.retry_seconds
    longest, pause = 0.0, _FIRST_PAUSE_SECONDS
    while True:
        guard = LockGuard(connection, limit_seconds=limits.wait_ms / 1000)
        reason = _attempt(action, limits, guard)
        longest = max(longest, guard.longest_wait_seconds)
        if reason is None:
            return longest
        if monotonic() + pause > deadline:
            raise Busy(f"{reason}\nGiven up after {limits.retry_seconds:g} s.")
        say(f"{reason}\nTrying again in {pause:.2g} s.")
        sleep(pause)
        pause = min(pause * 1.5, _LONGEST_PAUSE_SECONDS)


def _attempt(action: Callable[[], object], limits: Limits, guard: LockGuard) -> str | None:
    """Why the action was not completed; None if it was."""
    with session_lock(_LOCK) as is_ours:
        if not is_ours:
            return "Another session migrates this database."
        try:
            with lock_timeout(limits.wait_ms), guard:
                action()
        except OperationalError as error:
            if not _is_busy(error, guard):
                raise
            return _reason(limits, guard)
    if guard.failure is not None:
        raise OperationalError("the waits of others were not watched") from guard.failure
    return None


@contextmanager
def lock_timeout(milliseconds: int) -> Iterator[None]:
    """Sets how long each statement of the session waits for a lock; 0 is without a limit."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT current_setting('lock_timeout')")
        [before] = cursor.fetchone()
        cursor.execute("SELECT set_config('lock_timeout', %s, false)", [f"{milliseconds}ms"])
    try:
        yield
    finally:
        if connection.is_usable():
            with connection.cursor() as cursor:
                cursor.execute("SELECT set_config('lock_timeout', %s, false)", [before])


def _is_busy(error: OperationalError, guard: LockGuard) -> bool:
    cause = error.__cause__
    was_cancelled = isinstance(cause, errors.QueryCanceled) and guard.has_cancelled
    return was_cancelled or isinstance(cause, errors.LockNotAvailable | errors.DeadlockDetected)


def _reason(limits: Limits, guard: LockGuard) -> str:
    statement = " ".join(guard.statement.split())[:300] or "a statement"
    if guard.has_cancelled:
        what = f"Others had to wait for {limits.wait_ms} ms because of: {statement}"
    else:
        what = f"No lock within {limits.wait_ms} ms for: {statement}"
    return "\n".join([what, *(f"  waited for {session}" for session in guard.waits_for)])
