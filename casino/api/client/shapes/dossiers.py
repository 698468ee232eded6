"""Dossiers of disputes, as the API returns them."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated


@dataclass(frozen=True, kw_only=True)
class DossierLinks:
    """The addresses of a dossier and of its files."""

    self: str
    download: Annotated[str, "The whole dossier, a ZIP"]
    files: Annotated[Mapping[str, str], "Single files by name"]


@dataclass(frozen=True, kw_only=True)
class Dossier:
    """A dossier."""

    id: int
    dispute: str
    audience: str
    status: Annotated[str, "waiting: not signed yet"]
    sha256: Annotated[str, "Digest of dossier.json, the signed document"]
    issued_at: datetime
    signed_at: datetime | None
    key_id: Annotated[str | None, "SHA-256 of the signing certificate"]
    links: DossierLinks
