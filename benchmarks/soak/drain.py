"""The end of the load: nothing arrives any more, and all work is brought to its end."""

import time
from collections.abc import Callable, Mapping
from typing import Final

import psycopg
from django.db import OperationalError, connection, connections

from benchmarks.soak.faults import World
from casino.backoffice.lists.models import ListFile
from casino.integrations.models import WebhookState
from compliance.exports.models import ExportRun
from compliance.trail.log.log_reader import log_size
from compliance.trail.log.log_status import oldest_pending
from payouts.cases.models import CaseRun
from payouts.reconciliation.models import ReconcileRun
from payouts.stuck_work.models import FailingTask
from rounds.models import FeedUpload, QueuedRound

_SECONDS: Final = 420
"""A webhook waits up to two minutes before its next attempt, a broken task up to five."""
_POLL_SECONDS: Final = 2.0

LEFT: Final[Mapping[str, Callable[[], bool]]] = {
    "rounds wait for settlement": QueuedRound.objects.exists,
    "uploaded files wait": lambda: FeedUpload.objects.filter(finished_at=None).exists(),
    "approved cases are not executed": lambda: CaseRun.objects.filter(finished_at=None).exists(),
    "exports are not built": lambda: ExportRun.objects.filter(finished_at=None).exists(),
    "reconciliations are not finished": lambda: ReconcileRun.objects.filter(
        finished_at=None
    ).exists(),
    "files of lists are not made": lambda: ListFile.objects.filter(finished_at=None).exists(),
    "audit records are not signed": lambda: oldest_pending() is not None,
    "events are not delivered": lambda: WebhookState.objects.filter(seen__lt=log_size()).exists(),
    "a background task fails": lambda: FailingTask.objects.filter(recovered_at=None).exists(),
}
"""What may not be left in the end."""


def drain(world: World) -> list[str]:
    """Waits until nothing is left; returns what is left after seven minutes, as sentences."""
    world.load.office.finish()
    deadline = time.monotonic() + _SECONDS
    while left := _left(world):
        if time.monotonic() > deadline:
            break
        time.sleep(_POLL_SECONDS)
    connections.close_all()
    return [f"after {_SECONDS} seconds {what}" for what in left]


def _replica_is_behind(world: World) -> bool:
    """Whether the replica has not replayed what the primary had written just before."""
    with psycopg.connect(world.place.primary.url()) as primary:
        [[position]] = primary.execute("SELECT pg_current_wal_lsn()::text").fetchall()
    time.sleep(1)
    with psycopg.connect(world.place.replica.url()) as replica:
        query = "SELECT pg_last_wal_replay_lsn() < %s::pg_lsn"
        [[is_behind]] = replica.execute(query, [position]).fetchall()
    return bool(is_behind)


def _left(world: World) -> list[str]:
    try:
        behind = ["the replica is behind"] if _replica_is_behind(world) else []
        return [*behind, *(what for what, is_left in LEFT.items() if is_left())]
    except (OperationalError, psycopg.Error) as error:
        connection.close()
        return [f"the database does not answer: {error}"]
