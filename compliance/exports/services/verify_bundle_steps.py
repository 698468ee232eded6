"""Verification of the steps of bundles: signatures are believed, rows are not."""

from compliance.exports.bundle_status import SIGNATURES
from compliance.exports.models import BundleStep
from compliance.signatures.verify_signatures import (
    SignatureVerifier,
    UnsignedDecision,
    report_unsigned,
)
from compliance.trail.actor import normal_name
from compliance.trail.extra_checks import Report
from compliance.trail.steps import StepError


class UnsignedBundle(StepError):
    """Rows say that two persons signed the bundle, but they did not."""


def require_two_signatures(number: int) -> None:
    """Raises UnsignedBundle unless two persons' keys signed this bundle with its digest."""
    verifier = SignatureVerifier()
    signed = BundleStep.objects.filter(bundle_id=number, action=BundleStep.Action.SIGNED)
    steps = list(signed.select_related("bundle").order_by("sequence"))
    try:
        for step in steps:
            verifier.verify_row(step)
    except UnsignedDecision as error:
        raise UnsignedBundle(f"bundle {number}, {step.action} by {step.actor}: {error}") from error
    persons = {step.actor_user_id for step in steps}
    names = {normal_name(step.actor) for step in steps}
    if min(len(persons), len(names)) < SIGNATURES:
        raise UnsignedBundle(f"bundle {number}: needed the signatures of two persons")


def verify_bundle_steps(report: Report) -> str:
    """Reports each step of a bundle that is not what its actor signed."""
    steps = BundleStep.objects.select_related("bundle").order_by("bundle_id", "sequence")
    number = report_unsigned(steps.iterator(), SignatureVerifier(), report)
    return f"{number} steps of bundles"
