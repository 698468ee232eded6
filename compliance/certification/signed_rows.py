"""The rows of this package that state signed decisions."""

from collections.abc import Iterator

from compliance.certification.models import WeightSet, WeightSetApproval
from compliance.signatures.verify_rows import SignedRow, signed_row


def signed_rows() -> Iterator[SignedRow]:
    """Multiplier weights, and their approvals."""
    approvals = WeightSetApproval.objects.select_related("weights").order_by("pk")
    yield from map(signed_row, WeightSet.objects.order_by("pk"))
    yield from map(signed_row, approvals)
