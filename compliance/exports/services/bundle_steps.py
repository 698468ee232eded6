"""What persons do about a bundle: sign it, send it, say what the regulator answered.

Each adds a step on what the person saw, with its record in the trail; none changes the bundle.
"""

from collections.abc import Mapping
from datetime import datetime
from hashlib import sha256
from typing import Any

from django.db import transaction

from compliance.exports.models import Bundle, BundleStep
from compliance.exports.standing import (
    ANSWERABLE,
    LEAVABLE,
    SENDABLE,
    SIGNABLE,
    Stage,
    signers,
    stage_of,
    steps_of,
)
from compliance.trail.actor import Actor
from compliance.trail.record import Entry, record_entries
from payouts.services.decide_case import Letter
from payouts.services.open_case import File, type_of
from rounds.services.intake import lock_names


class BundleRefusal(Exception):
    """Something cannot be done about a bundle; nothing was written."""


class BundleMoved(BundleRefusal):
    """Somebody else acted on it after the person had looked."""

    def __init__(self, latest: BundleStep) -> None:
        super().__init__(f"{latest.action} by {latest.actor} at {latest.at.isoformat()}")
        self.latest = latest


class BundleElsewhere(BundleRefusal):
    """It stands elsewhere than where that can be done."""

    def __init__(self, stage: Stage, *, needed: tuple[Stage, ...]) -> None:
        super().__init__(f"found {stage.value}; needed {' or '.join(needed)}")
        self.stage = stage


class BundleSuperseded(BundleRefusal):
    """Another took its place: that one is to be signed and sent."""

    def __init__(self, successor: int) -> None:
        super().__init__(f"found bundle {successor} in its place; needed the latest of its scope")
        self.successor = successor


class SignedAlready(BundleRefusal):
    """One person is not two."""


class NotAPerson(BundleRefusal):
    """Whoever acts on a bundle has an account."""


class NothingSaid(BundleRefusal):
    """A reason, or the reference of a delivery or an answer, is missing."""


def sign_bundle(*, number: int, seen: int, note: str = "", at: datetime, actor: Actor) -> Stage:
    """Signs what the person has looked at; the second person's signature approves it.

    ``seen`` is the sequence of the latest step that the person knows, 0 where there is none. Raises
    BundleRefusal.
    """
    with transaction.atomic():
        steps = _hold(number, seen=seen, needed=SIGNABLE, is_latest=True)
        for one in signers(steps):
            if one.actor_user_id == actor.user_id or one.actor.lower() == actor.name.lower():
                raise SignedAlready(f"found {one.actor} in both places; needed two persons")
        signed = _add(number, seen + 1, BundleStep.Action.SIGNED, {"note": note}, at=at, by=actor)
        return stage_of([*steps, signed])


def set_bundle_aside(*, number: int, seen: int, note: str, at: datetime, actor: Actor) -> None:
    """It will not be sent, and says why. Its number stays taken. Raises BundleRefusal."""
    if not note.strip():
        raise NothingSaid("found no reason; needed why it is not sent")
    with transaction.atomic():
        _hold(number, seen=seen, needed=LEAVABLE)
        said = {"note": note.strip()}
        _add(number, seen + 1, BundleStep.Action.SET_ASIDE, said, at=at, by=actor)


def send_bundle(*, number: int, seen: int, letter: Letter, at: datetime, actor: Actor) -> None:
    """Says that it was sent to the regulator, and how. Raises BundleRefusal."""
    with transaction.atomic():
        _hold(number, seen=seen, needed=SENDABLE, is_latest=True)
        _add(number, seen + 1, BundleStep.Action.SENT, _said(letter), at=at, by=actor)


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
    """Says what the regulator answered, with the answer itself where there is a file.

    Also of a bundle that was superseded after it had been sent. Raises BundleRefusal, and
    NotEvidence for a file that is none.
    """
    if not is_received and not letter.note.strip():
        raise NothingSaid("found no text; needed what the regulator said against it")
    action = BundleStep.Action.RECEIVED if is_received else BundleStep.Action.REFUSED
    said = _said(letter)
    if file is not None:
        said |= {
            "file_name": file.name[-200:],
            "content_type": type_of(file),
            "content": file.content,
        }
    with transaction.atomic():
        _hold(number, seen=seen, needed=ANSWERABLE)
        _add(number, seen + 1, action, said, at=at, by=actor)


def _hold(
    number: int, *, seen: int, needed: tuple[Stage, ...], is_latest: bool = False
) -> list[BundleStep]:
    """Locks a bundle for this transaction, if it stands as the person saw it and where it must."""
    lock_names([f"bundle:{number}"])
    bundle = Bundle.objects.get(number=number)
    steps = steps_of([bundle])[number]
    if len(steps) != seen and steps:
        raise BundleMoved(steps[-1])
    stage = stage_of(steps)
    if stage not in needed:
        raise BundleElsewhere(stage, needed=needed)
    successor = bundle.superseded_by.first() if is_latest else None
    if successor is not None:
        raise BundleSuperseded(successor.number)
    return steps


def _said(letter: Letter) -> dict[str, Any]:
    if not letter.reference.strip():
        raise NothingSaid("found no reference; needed that of the delivery or the answer")
    said = {"reference": letter.reference.strip(), "note": letter.note.strip()}
    return {**said, "on_day": letter.on_day}


def _add(
    number: int,
    sequence: int,
    action: BundleStep.Action,
    said: Mapping[str, Any],
    *,
    at: datetime,
    by: Actor,
) -> BundleStep:
    """Adds a step and its record in the trail, in the current transaction."""
    if by.user_id is None:
        raise NotAPerson(f"found {by.name}; needed a person with an account")
    step = BundleStep.objects.create(
        bundle_id=number,
        sequence=sequence,
        action=action,
        at=at,
        actor=by.name,
        actor_user_id=by.user_id,
        **said,
    )
    details = {name: str(value) for name, value in said.items() if value and name != "content"}
    if "content" in said:
        details["sha256"] = sha256(said["content"]).hexdigest()
    record_entries(
        [Entry(f"BUNDLE_{action.value.upper()}", f"bundle:{number}", details)], at=at, actor=by
    )
    return step
