"""Whether two persons resumed what a failed check has stopped: one rule for each kind of stop.

Rows resume nothing. Both steps are signed, by two persons, and signed decisions gave each of them
a role that may resume.
"""

from collections.abc import Iterable
from datetime import datetime
from typing import Protocol

from compliance.signatures.entitlement import is_entitled
from compliance.signatures.verify_signatures import (
    DecidedRow,
    SignatureVerifier,
    UnsignedDecision,
)
from compliance.trail.actor import Actor, is_same_person
from compliance.trail.steps import StepError, require_person
from payouts.resumption_step import ResumptionStep

Action = ResumptionStep.Action


class NotEntitled(StepError):
    """No signed decision gives the person a role that may resume."""


class SignedStep(DecidedRow, Protocol):
    """A ``ResumptionStep`` with its audit record, whose text its actor signs."""

    actor_user_id: int
    sequence: int
    action: str


def is_resumed(steps: Iterable[SignedStep], *, permission: str) -> bool:
    """Whether two persons with a role of the permission signed these steps of one stop."""
    steps = sorted(steps, key=lambda step: step.sequence)
    if [step.action for step in steps] != [Action.PROPOSED, Action.RESUMED]:
        return False
    proposed, resumed = steps
    second = Actor(resumed.actor, resumed.actor_user_id)
    if is_same_person(proposed.actor, proposed.actor_user_id, second):
        return False
    verifier = SignatureVerifier()
    return all(
        _is_signed(step, verifier) and is_entitled(step.actor_user_id, permission, at=step.at)
        for step in steps
    )


def require_entitled(actor: Actor, *, permission: str, at: datetime) -> None:
    """Raises PersonRequired, or NotEntitled unless signed decisions gave the person such a role."""
    if not is_entitled(require_person(actor), permission, at=at):
        raise NotEntitled(f"found no role by a signed decision; needed one that may {permission}")


def _is_signed(step: SignedStep, verifier: SignatureVerifier) -> bool:
    try:
        return verifier.verify_row(step)
    except UnsignedDecision:
        return False
