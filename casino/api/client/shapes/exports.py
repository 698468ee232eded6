"""ExportDetails bundles and certificates, as the API returns them."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Annotated


@dataclass(frozen=True, kw_only=True)
class ExportLinks:
    """The addresses of a bundle."""

    self: str
    download: str


@dataclass(frozen=True, kw_only=True)
class ExportSummary:
    """The summary of a bundle of gaming days; a filter that is None matches all."""

    id: Annotated[int, "Its number in the chain, without gaps"]
    first_day: Annotated[date, "Gaming day, Europe/Rome"]
    last_day: date
    kind: Annotated[str, "The content of a closed day never changes"]
    contents: str
    game: Annotated[str | None, "null for all; the same for the next three"]
    table: str | None
    rules: str | None
    customer: str | None
    status: Annotated[str, "approved: signed by two people"]
    supersedes: int | None
    superseded_by: int | None
    manifest_sha256: str
    previous_sha256: Annotated[str | None, "Digest of the manifest of the previous bundle"]
    bytes: int
    built_at: datetime
    links: ExportLinks


@dataclass(frozen=True, kw_only=True)
class ExportStep:
    """A step that a person took."""

    action: str
    at: datetime
    actor: str
    reference: Annotated[str | None, "Reference of the delivery or the answer"]
    on_day: date | None
    note: str | None


@dataclass(frozen=True, kw_only=True)
class ExportFile:
    """A file of a bundle."""

    name: str
    bytes: int
    sha256: str
    rows: Annotated[int | None, "Only for a register"]
    link: str


@dataclass(frozen=True, kw_only=True)
class ExportDetails(ExportSummary):
    """The details of a bundle."""

    steps: tuple[ExportStep, ...]
    file: Annotated[str, "Whether the stored file is the original"]
    files: Annotated[tuple[ExportFile, ...], "Empty unless it is"]


@dataclass(frozen=True, kw_only=True)
class CertificateLinks:
    """The addresses of a certificate and of its files."""

    self: str
    files: Annotated[Mapping[str, str], "By name"]


@dataclass(frozen=True, kw_only=True)
class Certificate:
    """The signed returns of a rule set."""

    id: int
    rules: str
    rules_sha256: Annotated[str, "Digest of the certified rule set"]
    current: Annotated[bool, "Whether it is the current version of the rule set"]
    sha256: Annotated[str, "Digest of certificate.json, the signed document"]
    key_id: Annotated[str, "SHA-256 of the signing certificate"]
    issued_at: datetime
    links: CertificateLinks
