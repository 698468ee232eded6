"""Dossiers, as the API returns them."""

from typing import Final

from casino.api.client.shapes import dossiers as shapes
from compliance.exports.dossier.models import Dossier

FORMATS: Final = {
    "dossier.json": "json",
    "dossier.json.p7s": "p7s",
    "dossier.it.pdf": "it.pdf",
    "dossier.en.pdf": "en.pdf",
}
"""The format of each file of a dossier, by its name."""


def is_signed(dossier: Dossier) -> bool:
    """Whether a worker has signed it."""
    return getattr(dossier, "signature", None) is not None


def dossier_details(dossier: Dossier, *, dispute: str) -> shapes.Dossier:
    """The status, the digests and the addresses of the files of a dossier."""
    signature = getattr(dossier, "signature", None)
    address = f"/api/v1/disputes/{dispute}/dossiers/{dossier.pk}"
    return shapes.Dossier(
        id=dossier.pk,
        dispute=dispute,
        audience=dossier.audience,
        status="waiting" if signature is None else "signed",
        sha256=bytes(dossier.digest).hex(),
        issued_at=dossier.issued_at,
        signed_at=None if signature is None else signature.signed_at,
        key_id=None if signature is None else signature.key_id,
        links=shapes.DossierLinks(
            self=address,
            download=f"{address}/download",
            files={name: f"{address}/{name}" for name in FORMATS},
        ),
    )
