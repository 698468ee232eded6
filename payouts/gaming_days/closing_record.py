"""The row and the audit record of a closed day."""

from datetime import date, datetime
from typing import Any

from compliance.trail.actor import Actor
from compliance.trail.record import Entry
from payouts.gaming_days.models import DayClosing
from payouts.reconciliation.control_totals import digest_of
from payouts.reconciliation.models import ReconcileRun


def closing_of(
    day: date, totals: dict[str, Any], run: ReconcileRun, *, at: datetime, actor: Actor
) -> DayClosing:
    """The closing with these control totals, not saved."""
    return DayClosing(
        day=day,
        closed_at=at,
        actor=actor.name,
        actor_user_id=actor.user_id,
        run=run,
        totals=totals,
        digest=digest_of(totals),
    )


def closing_record(closing: DayClosing) -> Entry:
    """The audit record of a closing by the nightly job, which acknowledges no held rounds."""
    return Entry("DAY_CLOSED", f"day:{closing.day}", closing.said(acknowledged=False))
