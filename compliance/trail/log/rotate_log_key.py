"""Rotation of the key that signs tree heads, endorsed by the previous key."""

from datetime import datetime

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from django.db import transaction

from compliance.trail.actor import Actor
from compliance.trail.log.append_to_log import lock_log
from compliance.trail.log.log_losses import CannotAppend, behind, loss_of
from compliance.trail.log.signed_heads import (
    WitnessedHead,
    endorsement_bytes,
    key_id_of,
    raw_key,
    sign,
)
from compliance.trail.log.stored_heads import last_head
from compliance.trail.models import LogKey
from compliance.trail.record import Entry, record_entries


def rotate_key(
    old: Ed25519PrivateKey,
    new: Ed25519PrivateKey,
    *,
    at: datetime,
    actor: Actor,
    witnessed: WitnessedHead | None = None,
) -> LogKey:
    """Endorses the new key with the one in force, from the next head on, and records it.

    Raises CannotAppend if ``old`` is not in force, if the new one was used before, or if the
    database has lost a head that ``old`` signed: it is to be verified with that key.
    """
    public = raw_key(new.public_key())
    with transaction.atomic():
        lock_log()
        in_force = LogKey.objects.order_by("-first_head").first()
        if in_force is None or bytes(in_force.public_key) != raw_key(old.public_key()):
            needed = "a first head" if in_force is None else f"key {in_force.key_id}"
            raise CannotAppend(f"found key {key_id_of(raw_key(old.public_key()))}; needed {needed}")
        if LogKey.objects.filter(key_id=key_id_of(public)).exists():
            raise CannotAppend(f"found key {key_id_of(public)} used before; needed a new one")
        last = last_head()
        is_by_old = witnessed is not None and witnessed.head.key_id == in_force.key_id
        if is_by_old and (loss := loss_of(witnessed)) is not None:
            raise behind(loss)
        first_head = 1 if last is None else last.sequence + 1
        key = LogKey.objects.create(
            key_id=key_id_of(public),
            public_key=public,
            first_head=first_head,
            endorsement=sign(old, endorsement_bytes(public, first_head=first_head)),
        )
        details = {"from_head": first_head, "before": in_force.key_id, "public_key": public.hex()}
        record_entries([Entry("LOG_KEY_CHANGED", f"key:{key.key_id}", details)], at=at, actor=actor)
    return key
