"""Whether two persons with a role for it signed a bundle: signatures are believed, rows are not."""

from compliance.exports.bundle_status import SIGNATURES
from compliance.exports.models import BundleStep
from compliance.signatures.signature_verifier import SignatureVerifier, UnsignedDecision
from compliance.trail.actor import normal_name
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
    _require_two_persons(number, steps)


def _require_two_persons(number: int, steps: list[BundleStep]) -> None:
    persons = {step.actor_user_id for step in steps}
    names = {normal_name(step.actor) for step in steps}
    if min(len(persons), len(names)) < SIGNATURES:
        raise UnsignedBundle(f"bundle {number}: needed the signatures of two persons")
