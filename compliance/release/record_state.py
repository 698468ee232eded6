"""Audit records of comparisons: one a night and host, and one whenever something new is found."""

import logging
import socket
from datetime import datetime
from typing import Final

from django.db import Error, connection, transaction
from django.utils import timezone

from compliance.release.current_release import Outcome, ReleaseState, release_state
from compliance.storage.advisory_locks import lock_names
from compliance.trail.actor import Actor
from compliance.trail.models import AuditRecord
from compliance.trail.record import Entry, record_entries

VERIFIED: Final = "RELEASE_VERIFIED"
DIFFERS: Final = "RELEASE_DIFFERS"

_MOST: Final = 100
_log = logging.getLogger(__name__)


def record_state(state: ReleaseState, *, at: datetime, actor: Actor) -> None:
    """Records what a thorough comparison on this host found; nothing if there is no release."""
    if state.outcome is not Outcome.NOT_A_RELEASE:
        record_entries([_entry(state)], at=at, actor=actor)


def record_news(state: ReleaseState, *, at: datetime, actor: Actor) -> None:
    """Records what a process found at its start, unless that is on record for this host.

    It compares less than the nightly task: only another release ends what that one has found.
    """
    entry = _entry(state)
    with transaction.atomic():
        lock_names([entry.subject])  # the processes of a host start at the same time
        last = AuditRecord.objects.filter(subject=entry.subject).order_by("-id").first()
        is_known = last is not None and last.details["list"] == state.digest
        if is_known and last is not None:
            is_known = state.outcome is Outcome.SAME or last.details == entry.details
        if not is_known:
            record_entries([entry], at=at, actor=actor)


def verify_at_start(actor: Actor) -> ReleaseState:
    """Compares and records the files that this process starts from; goes on whatever is found."""
    state = release_state()
    if state.outcome is Outcome.NOT_A_RELEASE:
        return state
    if state.outcome is Outcome.DIFFERS:
        _log.critical("This host runs %s: %s", state.outcome, summary_of(state))
    try:
        record_news(state, at=timezone.now(), actor=actor)
    except Error as error:
        _log.warning("What was found about the release cannot be recorded: %s", error)
    finally:
        if not connection.in_atomic_block:
            connection.close()  # no process that is forked from this one may share it
    return state


def summary_of(state: ReleaseState) -> str:
    """The first difference, and the number of others."""
    others = len(state.differences) - 1
    more = f"; {others} more" if others else ""
    return f"{state.differences[0]}{more} (manage.py verify_release lists them)"


def _entry(state: ReleaseState) -> Entry:
    details = {
        "version": state.version,
        "list": state.digest,
        "count": len(state.differences),
        "differences": [str(difference) for difference in state.differences[:_MOST]],
    }
    action = DIFFERS if state.differences else VERIFIED
    return Entry(action, f"release:{socket.gethostname()[:100]}", details)
