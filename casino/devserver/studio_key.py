"""The key of the demo's studio: registered by two persons, required by all of its tables."""

from datetime import datetime, timedelta
from pathlib import Path
from typing import Final

from django.contrib.auth.models import User
from django.db import transaction

from casino.access.software_keys import software_key_of
from compliance.signatures.queries import signing_keys_of
from compliance.trail.actor import Actor
from compliance.trail.log.key_file import make_key, read_key
from compliance.trail.people import actor_of
from rounds.models import StudioKey, Table
from rounds.services.studio_keys import approve_studio_key, propose_studio_key
from rounds.signatures.public_keys import key_id_of, raw_public_key, to_base64url

_VALID_FOR: Final = timedelta(days=2 * 365)
_REASON: Final = "demo: the key in this clone's folder"


def register_studio_key(*, file: Path, at: datetime) -> StudioKey | None:
    """Makes the key and registers it; the tables require signatures from then on. Idempotent.

    The administrator proposes it and compliance approves, both with their keys in files. While
    these do not sign nothing is registered, and the demo's rounds are unsigned.
    """
    proposer, approver = (_signing_actor(role, at=at) for role in ("administrator", "compliance"))
    key = read_key(file) if file.exists() else make_key(file)
    if proposer.signer is None or approver.signer is None:
        return None
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
    return registered


def _signing_actor(role: str, *, at: datetime) -> Actor:
    person = User.objects.get(username=role)
    signs = bool(signing_keys_of(person.pk, at=at))
    return actor_of(person)._replace(signer=software_key_of(person) if signs else None)
