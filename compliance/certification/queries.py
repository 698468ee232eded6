"""Queries on multiplier weights."""

from datetime import date
from typing import Final

from compliance.certification.models import WeightSet
from compliance.certification.verify_weights import are_signed
from compliance.signatures.signature_verifier import SignatureVerifier

_AT_ONCE: Final = 10


def weights_in_force(rules: str, *, on: date) -> WeightSet | None:
    """The weights of a rule set in force on a day, or None.

    Of those that two persons signed, the latest start date wins, then the latest id.
    """
    verifier = SignatureVerifier()
    approved = (
        WeightSet.objects.filter(rules=rules, in_force_from__lte=on, approval__isnull=False)
        .select_related("approval")
        .order_by("-in_force_from", "-pk")
        .iterator(_AT_ONCE)
    )
    return next((weights for weights in approved if are_signed(weights, verifier)), None)
