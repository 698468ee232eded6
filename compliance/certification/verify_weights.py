"""Verification of multiplier weights: signatures are believed, rows are not."""

import hashlib

from compliance.certification.models import WeightSet
from compliance.signatures.signature_verifier import SignatureVerifier, UnsignedDecision
from compliance.trail.actor import Actor, is_same_person
from compliance.trail.extra_checks import Report


def are_signed(weights: WeightSet, verifier: SignatureVerifier) -> bool:
    """Whether one person set these weights and another approved them, each with their key."""
    approval = weights.approval
    approver = Actor(approval.actor, approval.actor_user_id)
    if not _has_its_digest(weights) or is_same_person(
        weights.actor, weights.actor_user_id, approver
    ):
        return False
    try:
        verifier.verify_row(weights)
        verifier.verify_row(approval)
    except UnsignedDecision:
        return False
    return True


def verify_weights(report: Report) -> str:
    """Reports weights whose document is not the one that was signed by its digest."""
    for weights in WeightSet.objects.order_by("pk"):
        if not _has_its_digest(weights):
            report(f"{weights}: found a document with another digest than that of the row")
    return f"{WeightSet.objects.count()} multiplier weights"


def _has_its_digest(weights: WeightSet) -> bool:
    return hashlib.sha256(weights.content.encode()).digest() == bytes(weights.digest)
