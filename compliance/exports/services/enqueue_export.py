"""Requests an export; a worker builds the bundle."""

from contextlib import suppress
from datetime import datetime, timedelta
from typing import Final

from django.db import transaction

from compliance.exports.models import Bundle, ExportRun
from compliance.exports.scope import DaysDetached, Scope, one_day, require_days
from compliance.storage.advisory_locks import lock_names
from compliance.trail.actor import Actor
from compliance.trail.record import Entry, record_entries
from payouts.gaming_days.models import DayClosing

MOST_DAYS: Final = 366
"""Maximum number of days of an export."""
_A_NIGHT: Final = 14
"""Maximum number of days requested per night."""


class InvalidExportRequest(Exception):
    """The scope is invalid; nothing was written."""


def enqueue_export(*, of: Scope, reason: str = "", at: datetime, actor: Actor) -> ExportRun:
    """Enqueues an export; returns the unfinished run of the same scope, if any.

    The caller notifies a worker afterwards. Raises InvalidExportRequest if the days are in the
    wrong order or too many, and DaysDetached if rounds of them are in the archive alone.
    """
    if of.last_day < of.first_day:
        raise InvalidExportRequest(f"last_day: found {of.last_day}; needed {of.first_day} or later")
    if of.last_day - of.first_day >= timedelta(days=MOST_DAYS):
        raise InvalidExportRequest(
            f"last_day: found {len(of.days)} days; needed {MOST_DAYS} at most"
        )
    require_days(of)
    with transaction.atomic():
        lock_names(["exports"])
        waiting = ExportRun.objects.filter(finished_at=None, **of._asdict()).first()
        if waiting is not None:
            return waiting
        run = ExportRun.objects.create(
            **of._asdict(),
            reason=reason,
            asked_at=at,
            actor=actor.name,
            actor_user_id=actor.user_id,
        )
        details = {"of": of.to_json(), "reason": reason}
        record_entries([Entry("EXPORT_ASKED", f"export:{run.pk}", details)], at=at, actor=actor)
        return run


def enqueue_nightly_exports(*, at: datetime, actor: Actor) -> list[ExportRun]:
    """Requests the registers of closed days without a closed-day bundle."""
    with_bundle = Bundle.objects.filter(
        first_day=None,
        kind=Bundle.Kind.CLOSED_DAY,
        contents=Bundle.Contents.REGISTERS,
        game="",
        table="",
        rules="",
        customer="",
    )
    days = DayClosing.objects.exclude(day__in=with_bundle.values("day")).order_by("day")
    missing = days.values_list("day", flat=True)[:_A_NIGHT]
    runs = []
    for day in missing:
        with suppress(DaysDetached):
            runs.append(enqueue_export(of=one_day(day), at=at, actor=actor))
    return runs
