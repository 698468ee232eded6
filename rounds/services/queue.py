"""The queue of rounds awaiting settlement.

Rounds of a suspended table become due when the table is resumed.
"""

from collections.abc import Collection
from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

from django.db import connection

from rounds.models import QueuedRound
from rounds.suspended_tables import UNTIL_RESUMED, WAITS_FOR_TABLE, suspensions

_FIRST_PAUSE: Final = timedelta(seconds=5)
_LONGEST_PAUSE: Final = timedelta(minutes=10)
_MOST_DOUBLINGS: Final = 10
_SUSPEND: Final = """
    UPDATE rounds_queuedround AS waiting SET due_at = %s
      FROM rounds_round AS round
     WHERE round.id = waiting.round_id AND round.table_id = %s AND round.opened_at >= %s
"""
_WAIT: Final = """
    UPDATE rounds_queuedround AS waiting SET due_at = %s
      FROM rounds_round AS round
     WHERE round.id = waiting.round_id AND round.id = ANY(%s)
       AND round.table_id = %s AND round.opened_at >= %s
    RETURNING round.id
"""
_RESUME: Final = """
    UPDATE rounds_queuedround AS waiting SET due_at = %s
      FROM rounds_round AS round
     WHERE round.id = waiting.round_id AND round.table_id = %s AND waiting.due_at = %s
"""
_RETRY_UNDER: Final = """
    UPDATE rounds_queuedround AS waiting SET due_at = %s
      FROM rounds_round AS round
     WHERE round.id = waiting.round_id AND round.rules_digest = %s
       AND waiting.due_at > %s AND waiting.due_at <> %s
"""


def claim_rounds(*, at: datetime, rounds: int, bets: int) -> list[UUID]:
    """Locks due rounds for this transaction, oldest first, skipping locked ones.

    A round that no worker has tried is due, whatever clock gave it its due time. At most
    ``rounds``; the round that reaches ``bets`` bets is the last one. A round of a suspended
    table that is due nevertheless waits again: a due time is a row, which nobody signs.
    """
    while True:
        with connection.cursor() as cursor:
            cursor.execute("SELECT rounds_claim(%s, %s, %s)", [at, rounds, bets])
            claimed = [round_id for (round_id,) in cursor.fetchall()]
        waiting = _suspend_again(claimed)
        if due := [round_id for round_id in claimed if round_id not in waiting]:
            return due
        if not claimed:
            return []


def _suspend_again(round_ids: Collection[UUID]) -> set[UUID]:
    """Those of these rounds whose table is suspended; they wait until it is resumed."""
    waiting: set[UUID] = set()
    for table_id, step in suspensions().items():
        with connection.cursor() as cursor:
            cursor.execute(_WAIT, [UNTIL_RESUMED, list(round_ids), table_id, step.at])
            waiting |= {round_id for (round_id,) in cursor.fetchall()}
    return waiting


def claim_again(round_ids: Collection[UUID]) -> list[UUID]:
    """Locks those of these rounds that are still queued, skipping locked ones."""
    unlocked = QueuedRound.objects.select_for_update(skip_locked=True)
    rows = unlocked.filter(~WAITS_FOR_TABLE, round_id__in=round_ids).order_by("arrival")
    return list(rows.values_list("round_id", flat=True))


class RoundNotRetryable(Exception):
    """The round cannot be retried now; nothing was written."""


class RoundBeingProcessed(RoundNotRetryable):
    """A worker is processing the round."""


class RoundSuspended(RoundNotRetryable):
    """The table of the round is suspended."""


def retry_round_now(round_id: UUID, *, at: datetime) -> tuple[int, str]:
    """Makes a queued round due now; returns its number of tries and the last error.

    A round that is due keeps its place. Raises RoundBeingProcessed or RoundSuspended.
    """
    unlocked = QueuedRound.objects.select_for_update(skip_locked=True)
    row = unlocked.filter(round_id=round_id).first()
    if row is None:
        raise RoundBeingProcessed
    if row.due_at == UNTIL_RESUMED:
        raise RoundSuspended
    row.due_at = min(row.due_at, at)
    row.save(update_fields=["due_at"])
    return row.attempts, row.last_error


def retry_rounds_under(rules_digest: bytes, *, at: datetime) -> None:
    """Makes the queued rounds that arrived under this rule set due, but for suspended tables."""
    with connection.cursor() as cursor:
        cursor.execute(_RETRY_UNDER, [at, rules_digest, at, UNTIL_RESUMED])


def finish_rounds(round_ids: Collection[UUID]) -> None:
    """Removes rounds from the queue, in the transaction that settles or holds them."""
    with connection.cursor() as cursor:  # the ORM would load thousands of objects first
        cursor.execute("DELETE FROM rounds_queuedround WHERE round_id = ANY(%s)", [list(round_ids)])


def retry_pause(attempts: int) -> timedelta:
    """The pause after so many earlier attempts: it doubles from five seconds to ten minutes."""
    return min(_FIRST_PAUSE * (1 << min(attempts, _MOST_DOUBLINGS)), _LONGEST_PAUSE)


def postpone_round(round_id: UUID, *, error: str, at: datetime) -> bool:
    """Schedules the retry of a round that failed; returns whether the error is a new one."""
    row = QueuedRound.objects.select_for_update().filter(round_id=round_id).first()
    if row is None:
        return False  # another worker settled it in the meantime
    pause = retry_pause(row.attempts)
    row.attempts += 1
    is_new = row.last_error != error
    row.last_error = error
    if row.due_at != UNTIL_RESUMED:
        row.due_at = at + pause
    row.save(update_fields=["attempts", "last_error", "due_at"])
    return is_new


def suspend_rounds(table_id: int, *, opened_from: datetime) -> int:
    """Suspends the queued rounds of a table opened since then; returns their number.

    Waits for rounds that a worker is processing, which are settled.
    """
    with connection.cursor() as cursor:
        cursor.execute(_SUSPEND, [UNTIL_RESUMED, table_id, opened_from])
        return int(cursor.rowcount)


def resume_rounds(table_id: int, *, at: datetime) -> int:
    """Makes the suspended rounds of a table due; returns their number."""
    with connection.cursor() as cursor:
        cursor.execute(_RESUME, [at, table_id, UNTIL_RESUMED])
        return int(cursor.rowcount)
