"""The rows of this package that state signed decisions."""

from collections.abc import Iterator

from compliance.signatures.verify_rows import SignedRow, signed_row
from payouts.cases.models import CaseHaltStep, CaseStep, Reason
from payouts.disputes.models import DisputeStep, DisputeTerm
from payouts.disputes.models.dispute_step import DECISIONS
from payouts.gaming_days.models import DayClosing
from payouts.gaming_days.verify_closing import record_without_signature
from payouts.integrity.models import IntegrityStopStep


def signed_rows() -> Iterator[SignedRow]:
    """What persons decided about cases, their execution, disputes, days, reasons and terms."""
    steps = CaseStep.objects.exclude(action=CaseStep.Action.OPENED).order_by("pk")
    resumptions = CaseHaltStep.objects.select_related("halt__case").order_by("pk")
    decisions = DisputeStep.objects.filter(action__in=DECISIONS).order_by("pk")
    yield from map(signed_row, steps.select_related("case", "customer").iterator())
    yield from map(signed_row, resumptions)
    after_stops = IntegrityStopStep.objects.select_related("stop").order_by("pk")
    yield from map(signed_row, after_stops)
    yield from map(
        signed_row, decisions.select_related("dispute__round", "dispute__customer").iterator()
    )
    yield from _signed_closings()
    reasons = Reason.objects.exclude(actor_user_id=None).select_related("replaces")
    yield from map(signed_row, reasons.order_by("pk"))
    yield from map(signed_row, DisputeTerm.objects.order_by("pk"))


def _signed_closings() -> Iterator[SignedRow]:
    """Closings but those of the nightly job, and those from before signatures."""
    for closing in DayClosing.objects.order_by("day").iterator():
        if record_without_signature(closing) is None:
            yield signed_row(closing)
