"""Issuing the dossier of a dispute, and signing those that were issued."""

import hashlib
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Final

from django.db import transaction

from compliance.exports.bundle.contents import json_file
from compliance.exports.bundle.signing import SigningKey
from compliance.exports.dossier.contents import contents_of
from compliance.exports.dossier.models import Dossier, DossierSignature
from compliance.trail.actor import Actor
from compliance.trail.record import Entry, record_entries
from payouts.models import Dispute
from rounds.services.intake import lock_names

_CLERK: Final = Actor("dossier")
_MOST: Final = 100
"""So many are signed in one run; the next is minutes away."""


def issue_dossier(
    dispute: Dispute, audience: Dossier.Audience, *, at: datetime, actor: Actor
) -> tuple[Dossier, bool]:
    """What is known of the dispute now, kept to be signed, and whether it is a new dossier.

    One that would tell what the latest for the same reader tells, the time aside, is not issued
    again.
    """
    with transaction.atomic():
        lock_names([f"dossier:{dispute.pk}"])
        said = contents_of(dispute, audience, at=at.astimezone(UTC))
        latest = Dossier.objects.filter(dispute=dispute, audience=audience).order_by("-pk").first()
        if latest is not None and latest.told | {"made_at": None} == said | {"made_at": None}:
            return latest, False
        content = json_file(said)
        issued = Dossier.objects.create(
            dispute=dispute,
            audience=audience,
            content=content.decode(),
            digest=hashlib.sha256(content).digest(),
            issued_at=at,
            actor=actor.name,
            actor_user_id=actor.user_id,
        )
        details = {
            "dispute": str(dispute),
            "for": audience.value,
            "sha256": bytes(issued.digest).hex(),
        }
        # Not a record of the dispute itself: the next dossier would tell of this one for ever.
        entry = Entry("DOSSIER_ISSUED", f"dossier:{issued.pk}", details)
        record_entries([entry], at=at, actor=actor)
    return issued, True


def sign_dossiers(*, key: SigningKey, now: Callable[[], datetime]) -> int:
    """Signs those that wait for it, each in a transaction of its own; gives how many it signed."""
    waiting = Dossier.objects.filter(signature=None).order_by("pk")
    return sum(_sign(pk, key, at=now()) for pk in waiting.values_list("pk", flat=True)[:_MOST])


def _sign(pk: int, key: SigningKey, *, at: datetime) -> bool:
    with transaction.atomic():
        lock_names([f"dossier signature:{pk}"])
        if DossierSignature.objects.filter(dossier_id=pk).exists():
            return False
        dossier = Dossier.objects.get(pk=pk)
        signed = DossierSignature.objects.create(
            dossier=dossier,
            signature=key.sign(dossier.content.encode()),
            key_id=key.key_id,
            signed_at=at,
        )
        details = {"sha256": bytes(dossier.digest).hex(), "key": signed.key_id}
        record_entries([Entry("DOSSIER_SIGNED", f"dossier:{pk}", details)], at=at, actor=_CLERK)
    return True
