"""The key of the demo's studio: registered by two persons, required by all of its tables."""

from datetime import datetime, timedelta
from pathlib import Path
from typing import Final

from django.contrib.auth.models import User
from django.db import transaction

from compliance.trail.actor import Actor
from compliance.trail.log.key_file import make_key, read_key
from compliance.trail.people import actor_of
from rounds.models import StudioKey, Table
from rounds.services.require_signatures import require_signatures
from rounds.services.studio_keys import approve_studio_key, propose_studio_key
from rounds.signatures.public_keys import key_id_of, raw_public_key, to_base64url
from rounds.signatures.requirements import latest_requirement

_VALID_FOR: Final = timedelta(days=2 * 365)
_REASON: Final = "demo: the key in this clone's folder"


def register_studio_key(*, file: Path, at: datetime) -> StudioKey:
    """Makes the key and registers it; the tables require signatures from then on. Idempotent.

    The administrator proposes it and compliance approves.
    """
    proposer, approver = (
        actor_of(User.objects.get(username=role)) for role in ("administrator", "compliance")
    )
    key = read_key(file) if file.exists() else make_key(file)
    public_key = raw_public_key(key.public_key())
    with transaction.atomic():
        registered = StudioKey.objects.filter(key_id=key_id_of(public_key)).first()
        if registered is None:
            registered = propose_studio_key(
                studio="Demo studio",
                public_key=to_base64url(public_key),
                tables=list(Table.objects.values_list("code", flat=True)),
                valid_from=at,
                valid_until=at + _VALID_FOR,
                reason=_REASON,
                at=at,
                actor=proposer,
            )
            approve_studio_key(key_id=registered.pk, at=at, actor=approver)
        _require_signatures(at=at, actor=approver)
    return registered


def _require_signatures(*, at: datetime, actor: Actor) -> None:
    for table in Table.objects.all():
        if latest_requirement(table.pk) is None:
            require_signatures(table_id=table.pk, note=_REASON, seen=0, at=at, actor=actor)
