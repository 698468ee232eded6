"""Reminding people of disputes whose time is nearly over: once a step, on record."""

from datetime import datetime

from django.db import transaction
from django.db.models import Exists, OuterRef

from compliance.trail.actor import Actor
from compliance.trail.record import Entry, record_entries
from payouts.disputes.standing import STATES, latest_steps, standing_of, steps_of
from payouts.models import DisputeReminder, DisputeStep
from rounds.services.intake import lock_names


def remind_disputes(*, at: datetime, actor: Actor) -> int:
    """A reminder for each dispute whose last working day has begun; gives how many.

    May be run twice at once: a step has one reminder.
    """
    reminded = DisputeReminder.objects.filter(
        dispute_id=OuterRef("dispute_id"), sequence=OuterRef("sequence")
    )
    due = latest_steps().filter(~Exists(reminded), remind_at__lte=at)
    with transaction.atomic():
        lock_names(["dispute reminders"])
        steps = list(due.select_related("dispute").order_by("due_at", "dispute_id"))
        DisputeReminder.objects.bulk_create(
            DisputeReminder(dispute=step.dispute, sequence=step.sequence, due_at=step.due_at, at=at)
            for step in steps
            if step.due_at is not None  # as every step has that has a time to remind of it
        )
        record_entries([_entry(step) for step in steps], at=at, actor=actor)
    return len(steps)


def _entry(step: DisputeStep) -> Entry:
    details = {
        "state": STATES[step.action].value,
        "due": None if step.due_at is None else step.due_at.isoformat(),
        "owner": standing_of(steps_of(step.dispute)).owner,
    }
    return Entry("DISPUTE_REMINDED", f"dispute:{step.dispute}", details)
