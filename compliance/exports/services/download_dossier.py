"""Downloads of dossier files; each download is recorded."""

from datetime import datetime

from django.db import transaction

from compliance.exports.dossier.files import UNSIGNED, dossier_file
from compliance.exports.dossier.models import Dossier, DossierSignature
from compliance.trail.actor import Actor
from compliance.trail.record import Entry, record_entries


class NotSigned(Exception):
    """The dossier is not signed yet."""


def download_dossier(dossier: Dossier, form: str, *, at: datetime, actor: Actor) -> bytes:
    """The file of this form (``dossier.files.CONTENT_TYPES``). Raises NotSigned."""
    signed = DossierSignature.objects.filter(dossier=dossier).first()
    if signed is None and form not in UNSIGNED:
        raise NotSigned(f"dossier {dossier.pk}: found no signature; needed the worker's")
    signature = b"" if signed is None else bytes(signed.signature)
    content = dossier_file(dossier, form, signature=signature)
    entry = Entry("DOSSIER_DOWNLOADED", f"dossier:{dossier.pk}", {"form": form})
    with transaction.atomic():
        record_entries([entry], at=at, actor=actor)
    return content
