"""The rows of this package that state signed decisions."""

from collections.abc import Iterator

from compliance.exports.models import BundleStep
from compliance.signatures.verify_rows import SignedRow, signed_row


def signed_rows() -> Iterator[SignedRow]:
    """The steps of bundles."""
    steps = BundleStep.objects.select_related("bundle").order_by("bundle_id", "sequence")
    yield from map(signed_row, steps.iterator())
