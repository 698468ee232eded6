"""Stopping settlement when a check of integrity fails, and asking whether it is stopped.

Each worker asks before each batch. It verifies itself that two persons resumed: rows resume
nothing. What it verified once stays verified, as the rows are append-only, and is not read again.
"""

import logging
import socket
from collections.abc import Collection, Iterable
from datetime import datetime
from typing import Final
from uuid import UUID

from django.conf import settings
from django.db import connection, transaction

from compliance.release.current_release import Outcome, release_state
from compliance.storage.advisory_locks import lock_names
from compliance.trail.actor import WORKER
from compliance.trail.record import record_entries
from payouts.integrity.models import IntegrityStop
from payouts.verify_resumption import is_resumed

MOST_LISTED: Final = 100
LOCK: Final = "integrity-stops"

_LONGEST: Final = 500
_MAY_STOP: Final = (
    "SELECT coalesce(has_table_privilege("
    "to_regclass('public.payouts_integritystop'), 'INSERT'), false)"
)
# What is repaired can break again; a stored fact that was looked at is the same for ever.
_LASTING: Final = frozenset(
    {IntegrityStop.Kind.TRAIL, IntegrityStop.Kind.BOOKS, IntegrityStop.Kind.RECHECK}
)
_RESUMED: Final[set[UUID]] = set()  # as verified by this process

_log = logging.getLogger(__name__)


def stop_settlement(
    kind: IntegrityStop.Kind, findings: Iterable[str], *, at: datetime, more: int = 0
) -> IntegrityStop | None:
    """Stores what a check has found. ``more`` is the number of findings without a text.

    None where nothing is new: the findings are those of open stops, or stored facts that two
    persons have looked at before. None as well for a role of the database that writes no stops
    (web, feed, exporter), whose findings are told otherwise.
    """
    texts = sorted({text[:_LONGEST] for text in findings})
    if not _new(kind, texts):
        return None
    if not _may_stop():
        _log.critical("Settlement should stop (%s): %s", kind, texts[0])
        return None
    with transaction.atomic():
        lock_names([LOCK])
        new = _new(kind, texts)
        if not new:
            return None
        stop = IntegrityStop.objects.create(
            kind=kind, at=at, count=len(new) + more, findings=new[:MOST_LISTED]
        )
        record_entries([stop.entry], at=at, actor=WORKER)
    _log.critical("Settlement stops (%s): %s", kind, new[0])
    return stop


def may_settle(*, at: datetime) -> bool:
    """Whether no stop is open, and this process runs the files of the release.

    For each batch: one read of a small table, half a millisecond.
    """
    state = release_state()
    if state.outcome is Outcome.DIFFERS:
        stop_at_changed_release(state.differences, at=at)
    return not stops_in_force()


def stop_at_changed_release(differences: Iterable[object], *, at: datetime) -> None:
    """Stops settlement at files of this host that are not those of the release."""
    host = socket.gethostname()
    texts = [f"{host}: {difference}" for difference in differences]
    stop_settlement(IntegrityStop.Kind.RELEASE, texts, at=at)


def open_stops() -> list[IntegrityStop]:
    """The stops that two persons have not resumed, the oldest first."""
    unknown = IntegrityStop.objects.exclude(pk__in=_RESUMED).prefetch_related("steps")
    stops = list(unknown.order_by("at", "pk"))
    _RESUMED.update(stop.pk for stop in stops if is_resumed(stop.steps.all()))
    return [stop for stop in stops if stop.pk not in _RESUMED]


def stops_in_force() -> list[IntegrityStop]:
    """The open stops of those checks that stop settlement."""
    return [stop for stop in open_stops() if stop.kind in settings.INTEGRITY_STOPS]


def _new(kind: IntegrityStop.Kind, texts: Collection[str]) -> list[str]:
    """The findings that are in no open stop of the kind.

    Stored facts, which several checks find, are in no stop of any time.
    """
    if kind in _LASTING:
        stops = list(IntegrityStop.objects.filter(kind__in=_LASTING))
    else:
        stops = [stop for stop in open_stops() if stop.kind == kind]
    found = {text for stop in stops for text in stop.findings}
    return [text for text in texts if text not in found]


def _may_stop() -> bool:
    with connection.cursor() as cursor:
        cursor.execute(_MAY_STOP)
        return bool(cursor.fetchone()[0])
