"""Actions on a bundle: sign, set aside, send, record the regulator's answer.

Each appends a step and an audit record that the person signs: raises as ``record_decision``.
``seen`` is the sequence of the latest step that the person knows (0 for none), for optimistic
locking.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.db import transaction

from compliance.exports.bundle_status import (
    ANSWERABLE,
    SENDABLE,
    SET_ASIDE_FROM,
    SIGNABLE,
    Stage,
    signers,
    stage_of,
    steps_of,
)
from compliance.exports.models import Bundle, BundleStep
from compliance.exports.services.require_two_signatures import require_two_signatures
from compliance.signatures.sign_decision import create_signed_step
from compliance.storage.advisory_locks import lock_names
from compliance.trail.actor import Actor, is_same_person
from compliance.trail.steps import StepError, require_latest, require_person, require_status
from payouts.evidence import File, accepted_type
from payouts.regulator_letters import Letter


class BundleSuperseded(StepError):
    """The bundle has a successor, which has to be signed and sent instead."""

    def __init__(self, successor: int) -> None:
        super().__init__(f"found bundle {successor} in its place; needed the latest of its scope")
        self.successor = successor


class AlreadySigned(StepError):
    """The same person has signed before."""


class MissingText(StepError):
    """A reason or reference is missing."""


def sign_bundle(*, number: int, seen: int, note: str = "", at: datetime, actor: Actor) -> Stage:
    """Signs a bundle; the signature of a second person approves it. Raises StepError."""
    with transaction.atomic():
        steps = _lock_bundle(number, seen=seen, needed=SIGNABLE, is_latest=True)
        for signature in signers(steps):
            if is_same_person(signature.actor, signature.actor_user_id, actor):
                raise AlreadySigned(f"found {signature.actor} in both places; needed two persons")
        signed = _add_step(
            number, seen + 1, BundleStep.Action.SIGNED, {"note": note}, at=at, by=actor
        )
        return stage_of([*steps, signed])


def set_bundle_aside(*, number: int, seen: int, note: str, at: datetime, actor: Actor) -> None:
    """Marks a bundle as not to be sent; its number stays used. Raises StepError."""
    if not note.strip():
        raise MissingText("found no reason; needed why it is not sent")
    with transaction.atomic():
        _lock_bundle(number, seen=seen, needed=SET_ASIDE_FROM)
        fields = {"note": note.strip()}
        _add_step(number, seen + 1, BundleStep.Action.SET_ASIDE, fields, at=at, by=actor)


def send_bundle(*, number: int, seen: int, letter: Letter, at: datetime, actor: Actor) -> None:
    """Records that the bundle was sent to the regulator.

    Raises StepError; UnsignedBundle if its rows say that two persons signed who did not.
    """
    with transaction.atomic():
        _lock_bundle(number, seen=seen, needed=SENDABLE, is_latest=True)
        require_two_signatures(number)
        _add_step(number, seen + 1, BundleStep.Action.SENT, _letter_fields(letter), at=at, by=actor)


def answer_bundle(
    *,
    number: int,
    seen: int,
    is_received: bool,
    letter: Letter,
    file: File | None = None,
    at: datetime,
    actor: Actor,
) -> None:
    """Records the regulator's answer, with an optional file.

    Also allowed for a bundle superseded after it was sent. Raises StepError, and
    InvalidEvidence for an invalid file.
    """
    if not is_received and not letter.note.strip():
        raise MissingText("found no text; needed what the regulator said against it")
    action = BundleStep.Action.RECEIVED if is_received else BundleStep.Action.REFUSED
    fields = _letter_fields(letter)
    if file is not None:
        fields |= {
            "file_name": file.name[-200:],
            "content_type": accepted_type(file),
            "content": file.content,
        }
    with transaction.atomic():
        _lock_bundle(number, seen=seen, needed=ANSWERABLE)
        _add_step(number, seen + 1, action, fields, at=at, by=actor)


def _lock_bundle(
    number: int, *, seen: int, needed: tuple[Stage, ...], is_latest: bool = False
) -> list[BundleStep]:
    """Locks a bundle for this transaction, and checks its latest step and stage."""
    lock_names([f"bundle:{number}"])
    bundle = Bundle.objects.get(number=number)
    steps = steps_of([bundle])[number]
    if steps:
        require_latest(steps[-1], seen=seen)
    require_status(stage_of(steps), needed=needed)
    successor = bundle.superseded_by.first() if is_latest else None
    if successor is not None:
        raise BundleSuperseded(successor.number)
    return steps


def _letter_fields(letter: Letter) -> dict[str, Any]:
    if not letter.reference.strip():
        raise MissingText("found no reference; needed that of the delivery or the answer")
    fields = {"reference": letter.reference.strip(), "note": letter.note.strip()}
    return {**fields, "on_day": letter.on_day}


def _add_step(
    number: int,
    sequence: int,
    action: BundleStep.Action,
    fields: Mapping[str, Any],
    *,
    at: datetime,
    by: Actor,
) -> BundleStep:
    """Adds a step with its audit record, signed by the person, in the current transaction."""
    require_person(by)
    return create_signed_step(
        BundleStep,
        bundle=Bundle.objects.get(number=number),
        sequence=sequence,
        action=action,
        at=at,
        actor=by,
        **fields,
    )
