"""Days that the nightly job closed, for tests."""

from datetime import date

from compliance.trail.actor import Actor
from compliance.trail.record import record_entry
from payouts.gaming_days.closing_record import closing_of, closing_record
from payouts.reconciliation.reconcile import EVERYTHING, begin_reconciliation
from rounds.models import ClosedDay
from tests.casino_in_play import NOW


def closed(day: date) -> None:
    """Closes a day and all before it."""
    part = begin_reconciliation(scope=EVERYTHING, at=NOW, actor=Actor("x")).parts.all()[0]
    ClosedDay.objects.create(day=day)
    closing = closing_of(day, {}, part.run, at=NOW, actor=Actor("night"))
    closing.save(force_insert=True)
    record_entry(closing_record(closing), at=NOW, actor=Actor("night"))
