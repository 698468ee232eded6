"""The rows of this package that state signed decisions."""

from collections.abc import Iterator

from compliance.exports.models import BundleStep, TaxRate
from compliance.signatures.verify_rows import SignedRow, signed_row


def signed_rows() -> Iterator[SignedRow]:
    """The steps of bundles, and tax rates."""
    steps = BundleStep.objects.select_related("bundle").order_by("bundle_id", "sequence")
    yield from map(signed_row, steps.iterator())
    yield from map(signed_row, TaxRate.objects.order_by("pk"))
