"""Which tax rates count: those that their person signed."""

from typing import Final

from compliance.exports.models.tax import TaxRate
from compliance.signatures.verify_rows import KnownSignatures, signed_row

KNOWN: Final = KnownSignatures()


def signed_rates() -> list[TaxRate]:
    """The rates that count, in the order in which they replace each other.

    Numbers do not order them: nobody signs those.
    """
    rates = TaxRate.objects.order_by("in_force_from", "decided_at")
    return [rate for rate in rates if KNOWN.are_signed(signed_row(rate))]
