"""A dossier as programs are told of it."""

from typing import Any, Final

from compliance.exports.dossier.models import Dossier
from payouts.api.rounds.told import moment

FILES: Final = {
    "dossier.json": "json",
    "dossier.json.p7s": "p7s",
    "dossier.it.pdf": "it.pdf",
    "dossier.en.pdf": "en.pdf",
}
"""The parts by themselves, named as they are in the whole, with their forms."""


def is_signed(dossier: Dossier) -> bool:
    """Whether a worker has signed it."""
    return getattr(dossier, "signature", None) is not None


def dossier_told(dossier: Dossier, *, dispute: str) -> dict[str, Any]:
    """Where it stands, what was signed, where its files are."""
    signed = getattr(dossier, "signature", None)
    address = f"/api/v1/disputes/{dispute}/dossiers/{dossier.pk}"
    return {
        "id": dossier.pk,
        "dispute": dispute,
        "reader": dossier.audience,
        "status": "waiting" if signed is None else "signed",
        "sha256": bytes(dossier.digest).hex(),
        "issued_at": moment(dossier.issued_at),
        "signed_at": None if signed is None else moment(signed.signed_at),
        "key_id": None if signed is None else signed.key_id,
        "links": {
            "self": address,
            "download": f"{address}/download",
            "files": {name: f"{address}/{name}" for name in FILES},
        },
    }
