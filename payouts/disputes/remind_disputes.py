"""Reminders of disputes whose due date is near, one per step."""

from datetime import datetime

from django.db import transaction
from django.db.models import Exists, OuterRef

from compliance.storage.advisory_locks import lock_names
from compliance.trail.actor import Actor
from compliance.trail.record import Entry, record_entries
from payouts.disputes.models import DisputeReminder, DisputeStep
from payouts.disputes.status import STATES, dispute_status, latest_steps, steps_of


def remind_disputes(*, at: datetime, actor: Actor) -> int:
    """Records a reminder for each dispute whose last working day has begun. Returns their number.

    Safe to run concurrently: a step has one reminder.
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
            if step.due_at is not None  # true wherever remind_at is set
        )
        record_entries([_entry(step) for step in steps], at=at, actor=actor)
    return len(steps)


def _entry(step: DisputeStep) -> Entry:
    details = {
        "state": STATES[step.action].value,
        "due": None if step.due_at is None else step.due_at.isoformat(),
        "owner": dispute_status(steps_of(step.dispute)).owner,
    }
    return Entry("DISPUTE_REMINDED", f"dispute:{step.dispute}", details)
