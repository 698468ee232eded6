"""Asking for an export: a worker makes the bundle."""

from datetime import datetime, timedelta
from typing import Final

from django.db import transaction

from compliance.exports.models import Bundle, ExportRun
from compliance.exports.scope import Scope, one_day
from compliance.trail.actor import Actor
from compliance.trail.record import Entry, record_entries
from payouts.models import DayClosing
from rounds.services.intake import lock_names

MOST_DAYS: Final = 366
"""An export is of so many days at most."""
_A_NIGHT: Final = 14
"""So many days are asked for at once; the others the next time."""


class ExportNotAsked(Exception):
    """Nothing can be exported by that; nothing was written."""


def ask_export(*, of: Scope, reason: str = "", at: datetime, actor: Actor) -> ExportRun:
    """Puts an export on the list of work; one that waits there already for the same scope is it.

    Raises ExportNotAsked where the days are in the wrong order or too many. Whoever calls it rings
    for a worker afterwards.
    """
    if of.last_day < of.first_day:
        raise ExportNotAsked(f"last_day: found {of.last_day}; needed {of.first_day} or later")
    if of.last_day - of.first_day >= timedelta(days=MOST_DAYS):
        raise ExportNotAsked(f"last_day: found {len(of.days)} days; needed {MOST_DAYS} at most")
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
        details = {"of": of.told(), "reason": reason}
        record_entries([Entry("EXPORT_ASKED", f"export:{run.pk}", details)], at=at, actor=actor)
        return run


def ask_nightly(*, at: datetime, actor: Actor) -> list[ExportRun]:
    """Asks for the registers of closed days that have none since they were closed."""
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
    found = days.values_list("day", flat=True)[:_A_NIGHT]
    return [ask_export(of=one_day(day), at=at, actor=actor) for day in found]
