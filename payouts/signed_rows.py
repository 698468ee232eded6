"""The rows of this package that state signed decisions."""

from collections.abc import Iterator

from compliance.signatures.verify_rows import SignedRow, signed_row
from payouts.cases.models import CaseHaltStep, CaseStep
from payouts.disputes.models import DisputeStep
from payouts.disputes.models.dispute_step import DECISIONS
from payouts.gaming_days.models import DayClosing
from payouts.gaming_days.verify_closing import record_without_signature


def signed_rows() -> Iterator[SignedRow]:
    """Steps of cases, resumptions of their execution, decisions of disputes, closings of days."""
    steps = CaseStep.objects.exclude(action=CaseStep.Action.OPENED).order_by("pk")
    resumptions = CaseHaltStep.objects.select_related("halt__case").order_by("pk")
    decisions = DisputeStep.objects.filter(action__in=DECISIONS).order_by("pk")
    yield from map(signed_row, steps.select_related("case", "customer").iterator())
    yield from map(signed_row, resumptions)
    yield from map(
        signed_row, decisions.select_related("dispute__round", "dispute__customer").iterator()
    )
    yield from _signed_closings()


def _signed_closings() -> Iterator[SignedRow]:
    """Closings but those of the nightly job, and those from before signatures."""
    for closing in DayClosing.objects.order_by("day").iterator():
        if record_without_signature(closing) is None:
            yield signed_row(closing)
