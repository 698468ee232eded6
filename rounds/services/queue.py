"""The queue of rounds that wait for the workers.

Those of a suspended table are due when it is resumed; nothing else makes them due.
"""

from collections.abc import Collection
from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

from django.db import connection

from rounds.models import QueuedRound
from rounds.suspended import UNTIL_RESUMED, WAITS_FOR_TABLE

_FIRST_PAUSE: Final = timedelta(seconds=5)
_LONGEST_PAUSE: Final = timedelta(minutes=10)
_MOST_DOUBLINGS: Final = 10
_SUSPEND: Final = """
    UPDATE rounds_queuedround AS waiting SET due_at = %s
      FROM rounds_round AS round
     WHERE round.id = waiting.round_id AND round.table_id = %s AND round.opened_at >= %s
"""
_RESUME: Final = """
    UPDATE rounds_queuedround AS waiting SET due_at = %s
      FROM rounds_round AS round
     WHERE round.id = waiting.round_id AND round.table_id = %s AND waiting.due_at = %s
"""


def claim_rounds(*, at: datetime, rounds: int, bets: int) -> list[UUID]:
    """Waiting rounds, oldest first, locked for this transaction alone; no others are.

    Up to so many, and no more once they have so many bets: a big round ends a batch, or is one.
    """
    with connection.cursor() as cursor:
        cursor.execute("SELECT rounds_claim(%s, %s, %s)", [at, rounds, bets])
        return [round_id for (round_id,) in cursor.fetchall()]


def claim_again(round_ids: Collection[UUID]) -> list[UUID]:
    """Those of these rounds that still wait and that nobody else has taken, locked."""
    waiting = QueuedRound.objects.select_for_update(skip_locked=True)
    found = waiting.filter(~WAITS_FOR_TABLE, round_id__in=round_ids).order_by("arrival")
    return list(found.values_list("round_id", flat=True))


class NotHastened(Exception):
    """A waiting round that nobody can hurry; nothing was written."""


class RoundInHand(NotHastened):
    """A worker tries the round this moment: nobody need hurry it."""


class RoundSuspended(NotHastened):
    """The round waits for its table to be resumed."""


def hasten_round(round_id: UUID, *, at: datetime) -> tuple[int, str]:
    """Makes a waiting round due at once; gives its tries so far and the last error.

    A round that is due already keeps its place. Raises RoundInHand or RoundSuspended.
    """
    waiting = QueuedRound.objects.select_for_update(skip_locked=True)
    row = waiting.filter(round_id=round_id).first()
    if row is None:
        raise RoundInHand
    if row.due_at == UNTIL_RESUMED:
        raise RoundSuspended
    row.due_at = min(row.due_at, at)
    row.save(update_fields=["due_at"])
    return row.attempts, row.last_error


def finish_rounds(round_ids: Collection[UUID]) -> None:
    """Takes rounds off the queue; part of the transaction that settles or holds them."""
    with connection.cursor() as cursor:  # of thousands the ORM would first make objects
        cursor.execute("DELETE FROM rounds_queuedround WHERE round_id = ANY(%s)", [list(round_ids)])


def postpone_round(round_id: UUID, *, error: str, at: datetime) -> bool:
    """Keeps a round that could not be settled, with the error, for a later try.

    Pauses double from five seconds to ten minutes; a round is never given up. Says whether the
    error is a new one: not that of the last try.
    """
    waiting = QueuedRound.objects.select_for_update().filter(round_id=round_id).first()
    if waiting is None:
        return False  # another worker settled it in the meantime
    doublings = min(waiting.attempts, _MOST_DOUBLINGS)
    waiting.attempts += 1
    is_new = waiting.last_error != error
    waiting.last_error = error
    if waiting.due_at != UNTIL_RESUMED:
        waiting.due_at = at + min(_FIRST_PAUSE * 2**doublings, _LONGEST_PAUSE)
    waiting.save(update_fields=["attempts", "last_error", "due_at"])
    return is_new


def suspend_rounds(table_id: int, *, opened_from: datetime) -> int:
    """Has the waiting rounds of a table that were opened since then wait for it; says how many.

    A round that a worker has in hand is waited for, and is settled then.
    """
    with connection.cursor() as cursor:
        cursor.execute(_SUSPEND, [UNTIL_RESUMED, table_id, opened_from])
        return int(cursor.rowcount)


def resume_rounds(table_id: int, *, at: datetime) -> int:
    """Makes the rounds that waited for a table due; says how many."""
    with connection.cursor() as cursor:
        cursor.execute(_RESUME, [at, table_id, UNTIL_RESUMED])
        return int(cursor.rowcount)
