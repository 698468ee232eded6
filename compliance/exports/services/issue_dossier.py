"""Issues dossiers of disputes, and signs issued ones."""

import hashlib
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Final

from django.db import transaction

from compliance.exports.bundle.contents import json_file
from compliance.exports.bundle.signing import SigningKey
from compliance.exports.dossier.contents import contents_of
from compliance.exports.dossier.models import Dossier, DossierSignature
from compliance.storage.advisory_locks import lock_names
from compliance.trail.actor import Actor
from compliance.trail.record import Entry, record_entries
from payouts.disputes.models import Dispute

_ACTOR: Final = Actor("dossier")
_MOST: Final = 100
"""Maximum number of dossiers signed in one run."""


def issue_dossier(
    dispute: Dispute, audience: Dossier.Audience, *, at: datetime, actor: Actor
) -> tuple[Dossier, bool]:
    """Issues a dossier to be signed later; returns it and whether it is new.

    If the content, apart from the time, equals that of the latest dossier for the audience, the
    latter is returned.
    """
    with transaction.atomic():
        lock_names([f"dossier:{dispute.pk}"])
        payload = contents_of(dispute, audience, at=at.astimezone(UTC))
        latest = Dossier.objects.filter(dispute=dispute, audience=audience).order_by("-pk").first()
        if latest is not None and latest.payload | {"made_at": None} == payload | {"made_at": None}:
            return latest, False
        content = json_file(payload)
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
        # The subject is not the dispute: the next dossier would include this record and differ.
        entry = Entry("DOSSIER_ISSUED", f"dossier:{issued.pk}", details)
        record_entries([entry], at=at, actor=actor)
    return issued, True


def sign_dossiers(*, key: SigningKey, now: Callable[[], datetime]) -> int:
    """Signs unsigned dossiers, one transaction each; returns their number."""
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
        record_entries([Entry("DOSSIER_SIGNED", f"dossier:{pk}", details)], at=at, actor=_ACTOR)
    return True
