"""Telling people of conditions, of those that last, and ending what is over."""

from collections import defaultdict
from datetime import datetime, timedelta
from typing import Final

from django.db import transaction

from casino.notifications.conditions import CONDITIONS, Condition, Snapshot
from compliance.notifications.inbox import inbox_of
from compliance.notifications.kinds import kind_named
from compliance.notifications.models import Notification
from compliance.notifications.notify import notify
from compliance.storage.advisory_locks import lock_names
from compliance.trail.announcements import announce

KEPT: Final = timedelta(days=90)
"""How long notifications that were read, or whose matter is over, are kept."""
_MOST_DELETED: Final = 1_000


def follow_conditions(*, at: datetime, escalate_after: timedelta) -> None:
    """Compares what is the case with what people were told. Idempotent; one at a time.

    A condition that nobody has ended after ``escalate_after`` is told to others as well.
    """
    with transaction.atomic():
        lock_names(["notifications"])
        look = Snapshot(at)
        for kind, query in CONDITIONS.items():
            _follow(kind, list(query(look)), at=at, before=at - escalate_after)
        _delete_old(at=at)


def _follow(kind: str, conditions: list[Condition], *, at: datetime, before: datetime) -> None:
    rows = defaultdict(list)
    for row in Notification.objects.filter(kind=kind, resolved_at=None):
        rows[row.key].append(row)
    for condition in conditions:
        earlier = rows.pop(condition.key, [])
        known = {row.recipient_id for row in earlier}
        _tell(kind, condition, known, at=at)
        lasts = bool(earlier) and min(row.created_at for row in earlier) <= before
        if kind_named(kind).escalates and lasts and not any(row.is_escalated for row in earlier):
            _escalate(kind, condition, earlier, at=at)
    _resolve([row for over in rows.values() for row in over], at=at)


def _tell(kind: str, condition: Condition, known: set[int], *, at: datetime) -> None:
    new = [person for person in condition.people if person.pk not in known]
    if new:
        notify(
            persons=new,
            kind=kind,
            key=condition.key,
            subject=condition.subject,
            address=condition.address,
            at=at,
        )


def _escalate(kind: str, condition: Condition, rows: list[Notification], *, at: datetime) -> None:
    """Tells the others, and marks the earlier notifications as unread again."""
    ids = [row.pk for row in rows]
    Notification.objects.filter(pk__in=ids).update(is_escalated=True, read_at=None)
    announce(inbox_of(row.recipient_id) for row in rows)
    notify(
        persons=condition.others,
        kind=kind,
        key=condition.key,
        subject=condition.subject,
        address=condition.address,
        at=at,
        is_escalated=True,
    )


def _resolve(over: list[Notification], *, at: datetime) -> None:
    Notification.objects.filter(pk__in=[row.pk for row in over]).update(resolved_at=at)
    announce(inbox_of(row.recipient_id) for row in over)


def _delete_old(*, at: datetime) -> None:
    old = Notification.objects.filter(created_at__lt=at - KEPT).exclude(
        read_at=None, resolved_at=None
    )
    Notification.objects.filter(pk__in=old.order_by("created_at")[:_MOST_DELETED]).delete()
