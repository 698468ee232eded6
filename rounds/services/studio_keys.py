"""Studio keys: proposed by one person, approved by another, revoked by anybody who may."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any, Final

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from compliance.signatures.sign_decision import create_signed_step, record_decision
from compliance.storage.advisory_locks import lock_names
from compliance.trail.actor import Actor, is_same_person
from compliance.trail.steps import StaleState, require_person
from rounds.field_errors import InvalidField, one_of
from rounds.models import SignedBatch, StudioKey, StudioKeyStep, Table
from rounds.signatures.public_keys import InvalidPublicKey, key_id_of, read_public_key

LONGEST_VALIDITY: Final = timedelta(days=3 * 366)
_LONGEST_STUDIO: Final = 100
APPROVED: Final = StudioKeyStep.Action.APPROVED
REVOKED: Final = StudioKeyStep.Action.REVOKED


class SecondPersonRequired(Exception):
    """The approver proposed it."""


def propose_studio_key(
    *,
    studio: str,
    public_key: str,
    tables: Sequence[str],
    valid_from: datetime,
    valid_until: datetime,
    reason: str,
    at: datetime,
    actor: Actor,
) -> StudioKey:
    """Stores a key, which counts once another person has approved it; each signs their step.

    ``public_key`` is PEM, a JSON Web Key or its ``x``. Raises InvalidField, PersonRequired, or as
    ``record_decision``.
    """
    person = require_person(actor)
    codes = sorted(set(tables))
    _check(studio=studio, tables=codes, reason=reason, at=at, start=valid_from, end=valid_until)
    try:
        raw = read_public_key(public_key)
    except InvalidPublicKey:
        needed = _("an Ed25519 public key, in PEM or as JSON Web Key")
        raise InvalidField("public_key", public_key[:60], needed) from None
    key_id = key_id_of(raw)
    with transaction.atomic():
        lock_names([f"studio-key:{key_id}"])
        if StudioKey.objects.filter(key_id=key_id).exists():
            raise InvalidField("public_key", key_id, _("a key that was never registered"))
        key = StudioKey.objects.create(
            key_id=key_id,
            studio=studio.strip(),
            public_key=raw,
            tables=codes,
            valid_from=valid_from,
            valid_until=valid_until,
            reason=reason.strip(),
            proposed_at=at,
            actor=actor.name,
            actor_user_id=person,
        )
        record_decision(key.entry, at=at, actor=actor)
    return key


def approve_studio_key(*, key_id: int, note: str = "", at: datetime, actor: Actor) -> StudioKeyStep:
    """Approves a key that another person proposed; it signs from now on.

    Raises SecondPersonRequired, StaleState, PersonRequired, StudioKey.DoesNotExist, or what a
    missing signature raises.
    """
    require_person(actor)
    with transaction.atomic():
        key, latest = _locked(key_id)
        if latest is not None:
            raise StaleState(latest, found=latest.action)
        if is_same_person(key.actor, key.actor_user_id, actor):
            raise SecondPersonRequired(
                f"actor: found {actor.name}; needed another person than {key.actor}"
            )
        columns = {"note": note.strip()}
        return _add_step(key, latest, APPROVED, columns, at=at, actor=actor)


def revoke_studio_key(*, key_id: int, note: str, at: datetime, actor: Actor) -> StudioKeyStep:
    """Revokes a key for ever, or rejects one that is only proposed; one person is enough.

    What it signed before stays signed: waits for batches in progress and stores the last. Raises
    InvalidField without a reason, StaleState, PersonRequired, StudioKey.DoesNotExist, or what a
    missing signature raises.
    """
    require_person(actor)
    if not note.strip():
        raise InvalidField("note", note, _("a reason"))
    with transaction.atomic():
        key, latest = _locked(key_id)
        if latest is not None and latest.action == REVOKED:
            raise StaleState(latest, found=latest.action)
        batches = SignedBatch.objects.filter(key=key).order_by("-pk")
        last = batches.values_list("pk", flat=True).first() or 0
        columns = {"note": note.strip(), "last_batch": last}
        return _add_step(key, latest, REVOKED, columns, at=at, actor=actor)


def _check(
    *,
    studio: str,
    tables: Sequence[str],
    reason: str,
    at: datetime,
    start: datetime,
    end: datetime,
) -> None:
    name = studio.strip()
    if not (0 < len(name) <= _LONGEST_STUDIO and name.isprintable()):
        raise InvalidField("studio", studio, _("1 to 100 characters on one line"))
    known = sorted(Table.objects.filter(code__in=tables).values_list("code", flat=True))
    if not tables or known != list(tables):
        unknown = ", ".join(sorted(set(tables) - set(known))) or _("no table")
        codes = list(Table.objects.values_list("code", flat=True))
        raise InvalidField("tables", unknown, one_of(codes))
    if not (start < end and at < end and end - start <= LONGEST_VALIDITY):
        needed = _("a time after the start and after now, and at most three years after the start")
        raise InvalidField("valid_until", end.isoformat(), needed)
    if not reason.strip():
        raise InvalidField("reason", reason, _("a reason"))


def _locked(key_id: int) -> tuple[StudioKey, StudioKeyStep | None]:
    """Locks a key against other steps, and against batches that it signs."""
    lock_names([f"studio-key:{key_id}"])
    key = StudioKey.objects.get(pk=key_id)
    return key, key.steps.order_by("-sequence").first()


def _add_step(
    key: StudioKey,
    latest: StudioKeyStep | None,
    action: StudioKeyStep.Action,
    columns: dict[str, Any],
    *,
    at: datetime,
    actor: Actor,
) -> StudioKeyStep:
    require_person(actor)
    return create_signed_step(
        StudioKeyStep,
        key=key,
        sequence=1 if latest is None else latest.sequence + 1,
        action=action,
        at=at,
        actor=actor,
        **columns,
    )
