"""Signing keys: registered by their holder, approved by two other persons, revoked."""

import hashlib
from collections.abc import Collection
from datetime import datetime

from django.conf import settings
from django.db import transaction

from compliance.signatures.assertions import PublicKey
from compliance.signatures.models import SigningKey, SigningKeyStep
from compliance.signatures.queries import KeyStatus, approvals_of, period_of, status_of_key
from compliance.signatures.sign_decision import create_signed_step
from compliance.storage.advisory_locks import lock_names
from compliance.trail.actor import Actor, is_same_person
from compliance.trail.record import Entry, record_entries

_ROOTS = 2
_LONGEST_LABEL = 60  # characters
Action = SigningKeyStep.Action


class SigningKeyError(Exception):
    """The key cannot be registered or decided about. Nothing was written."""


class KeyKnown(SigningKeyError):
    """The key is registered already."""


class HolderCannotApprove(SigningKeyError):
    """The holder of a key, or a program, cannot approve it."""


class ApprovedAlready(SigningKeyError):
    """The person has approved the key; the second approval is another person's."""


class KeyDecided(SigningKeyError):
    """The key has another status than the decision needs."""


class EnoughRoots(SigningKeyError):
    """Two keys are in force: their holders approve all others on the page."""


class BrowserKeysOff(SigningKeyError):
    """The installation accepts no keys in browsers."""


class NoteRequired(SigningKeyError):
    """The decision needs a reason in words."""


def register_key(
    *,
    public: PublicKey,
    credential_id: bytes,
    label: str,
    is_software: bool = False,
    at: datetime,
    actor: Actor,
) -> SigningKey:
    """Registers a key of the actor. Two others must approve it. Raises SigningKeyError."""
    if actor.user_id is None:
        raise HolderCannotApprove(f"found {actor.name}; needed a person with an account")
    key = SigningKey(
        id=hashlib.sha256(public.cose).hexdigest(),
        person_id=actor.user_id,
        person_name=actor.name,
        label=label.strip()[:_LONGEST_LABEL] or "key",
        site=public.site,
        credential_id=credential_id,
        public_key=public.cose,
        is_software=is_software,
        is_browser=public.is_browser,
        registered_at=at,
    )
    _require_accepted(key)
    with transaction.atomic():
        lock_names([f"signing-key:{key.id}"])
        if SigningKey.objects.filter(pk=key.id).exists():
            raise KeyKnown(f"found {key.short_id}; needed a new key")
        key.save(force_insert=True)
        details = {**key.details, "name": key.label}
        registered = Entry("SIGNING_KEY_REGISTERED", key.subject, details)
        record_entries([registered], at=at, actor=actor)
    return key


def approve_key(*, key_id: str, note: str, at: datetime, actor: Actor) -> None:
    """Approves another person's key, signed. It signs when the delay after two approvals is over.

    Raises SigningKeyError, or as ``record_decision``.
    """
    with transaction.atomic():
        key = _lock(key_id, needed=(KeyStatus.PENDING,), at=at)
        _require_accepted(key)
        _require_another(key, actor)
        _add_step(key, Action.APPROVED, note=_reason(note), at=at, actor=actor)


def reject_key(*, key_id: str, note: str, at: datetime, actor: Actor) -> None:
    """Rejects a key that waits for approval, signed. Raises as ``approve_key``."""
    with transaction.atomic():
        key = _lock(key_id, needed=(KeyStatus.PENDING,), at=at)
        _add_step(key, Action.REJECTED, note=_reason(note), at=at, actor=actor)


def revoke_key(*, key_id: str, note: str, at: datetime, actor: Actor) -> None:
    """Revokes an approved key, signed by somebody who may decide about keys. It signs no more.

    Raises as ``approve_key``.
    """
    with transaction.atomic():
        key = _lock(key_id, needed=(KeyStatus.DELAYED, KeyStatus.IN_FORCE), at=at)
        _add_step(key, Action.REVOKED, note=_reason(note), at=at, actor=actor)


def root_key(*, key_id: str, at: datetime, actor: Actor) -> None:
    """Approves one of the first two keys from the host. ``actor`` names account and host.

    Raises SigningKeyError.
    """
    with transaction.atomic():
        lock_names(["signing-keys"])
        key = _lock(key_id, needed=(KeyStatus.PENDING,), at=at)
        _require_accepted(key)
        others = SigningKey.objects.exclude(person_id=key.person_id).prefetch_related("steps")
        holders = {other.person_id for other in others if period_of(other).contains(at)}
        if len(holders) >= _ROOTS:
            raise EnoughRoots(
                f"found {len(holders)} persons with a key in force; needed fewer than 2"
            )
        step = SigningKeyStep.objects.create(
            key=key, sequence=1, action=Action.ROOTED, in_force_from=at, at=at, actor=actor.name
        )
        record_entries([step.entry], at=at, actor=actor)


def _lock(key_id: str, *, needed: Collection[KeyStatus], at: datetime) -> SigningKey:
    lock_names([f"signing-key:{key_id}"])
    key = SigningKey.objects.prefetch_related("steps").get(pk=key_id)
    status = status_of_key(key, at=at)
    if status not in needed:
        raise KeyDecided(f"found {key.short_id} {status}; needed {' or '.join(needed)}")
    return key


def _require_accepted(key: SigningKey) -> None:
    if key.is_browser and not settings.BROWSER_KEYS:
        raise BrowserKeysOff("found a key in a browser; needed an authenticator, or BROWSER_KEYS")


def _require_another(key: SigningKey, actor: Actor) -> None:
    if actor.user_id is None or is_same_person(key.person_name, key.person_id, actor):
        raise HolderCannotApprove(
            f"found {actor.name}; needed another person than {key.person_name}"
        )
    for step in approvals_of(key):
        if is_same_person(step.actor, step.actor_user_id, actor):
            raise ApprovedAlready(f"found {actor.name}; needed another person than {step.actor}")


def _reason(note: str) -> str:
    if not note.strip():
        raise NoteRequired("found no reason; needed one in words")
    return note.strip()


def _add_step(
    key: SigningKey, action: SigningKeyStep.Action, *, note: str, at: datetime, actor: Actor
) -> None:
    create_signed_step(
        SigningKeyStep,
        key=key,
        sequence=len(key.steps.all()) + 1,
        action=action,
        note=note,
        in_force_from=at + settings.DECISION_DELAY if action is Action.APPROVED else None,
        at=at,
        actor=actor,
    )
