"""Whether two persons resumed what a failed check has stopped: one rule for each kind of stop.

Rows resume nothing: both steps are signed, by two persons who may resume.
"""

from collections.abc import Iterable
from typing import Protocol

from compliance.signatures.signature_verifier import DecidedRow, SignatureVerifier, UnsignedDecision
from compliance.trail.actor import Actor, is_same_person
from payouts.resumption_step import ResumptionStep

Action = ResumptionStep.Action


class SignedStep(DecidedRow, Protocol):
    """A ``ResumptionStep`` with its audit record, whose text its actor signs."""

    actor_user_id: int
    sequence: int
    action: str


def is_resumed(steps: Iterable[SignedStep]) -> bool:
    """Whether two persons signed these steps of one stop."""
    steps = sorted(steps, key=lambda step: step.sequence)
    if [step.action for step in steps] != [Action.PROPOSED, Action.RESUMED]:
        return False
    proposed, resumed = steps
    second = Actor(resumed.actor, resumed.actor_user_id)
    if is_same_person(proposed.actor, proposed.actor_user_id, second):
        return False
    verifier = SignatureVerifier()
    return all(_is_signed(step, verifier) for step in steps)


def _is_signed(step: SignedStep, verifier: SignatureVerifier) -> bool:
    try:
        return verifier.verify_row(step)
    except UnsignedDecision:
        return False
