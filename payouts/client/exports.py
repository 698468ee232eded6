"""``sabot.exports`` and ``sabot.certificates``: what is kept for the regulator, to take away."""

import datetime as dt
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Final

from .calls import Calls, Operation
from .paging import Page, items


@dataclass(frozen=True, kw_only=True)
class ExportLinks:
    """Where a bundle is."""

    self: str
    download: str


@dataclass(frozen=True, kw_only=True)
class ExportInShort:
    """A bundle of gaming days, as the list tells it; a filter that is None is of all."""

    id: int
    first_day: date
    last_day: date
    kind: str
    contents: str
    game: str | None
    table: str | None
    rules: str | None
    customer: str | None
    status: str
    supersedes: int | None
    superseded_by: int | None
    manifest_sha256: str
    previous_sha256: str | None
    bytes: int
    built_at: datetime
    links: ExportLinks


@dataclass(frozen=True, kw_only=True)
class ExportStep:
    """What a person did about a bundle."""

    action: str
    at: datetime
    actor: str
    reference: str | None
    on_day: date | None
    note: str | None


@dataclass(frozen=True, kw_only=True)
class ExportFile:
    """A file in a bundle; ``rows`` of a register."""

    name: str
    bytes: int
    sha256: str
    rows: int | None
    link: str


@dataclass(frozen=True, kw_only=True)
class Export(ExportInShort):
    """A bundle with everything; ``file`` is fits, missing or changed."""

    steps: tuple[ExportStep, ...]
    file: str
    files: tuple[ExportFile, ...]


@dataclass(frozen=True, kw_only=True)
class CertificateLinks:
    """Where a certificate and its files are."""

    self: str
    files: Mapping[str, str]


@dataclass(frozen=True, kw_only=True)
class Certificate:
    """What a rule set returns, as it was computed and signed; ``sha256`` is of what is signed."""

    id: int
    rules: str
    rules_sha256: str
    current: bool
    sha256: str
    key_id: str
    issued_at: datetime
    links: CertificateLinks


_ONE: Final = "/exports/{export}"
LIST: Final = Operation("list_exports", "GET", "/exports", Page[ExportInShort])
READ: Final = Operation("read_export", "GET", _ONE, Export)
DOWNLOAD: Final = Operation("download_export", "GET", f"{_ONE}/download", bytes)
DOWNLOAD_FILE: Final = Operation("download_export_file", "GET", f"{_ONE}/files/{{file}}", bytes)
_CERTIFICATE: Final = "/certificates/{certificate}"
LIST_CERTIFICATES: Final = Operation("list_certificates", "GET", "/certificates", Page[Certificate])
READ_CERTIFICATE: Final = Operation("read_certificate", "GET", _CERTIFICATE, Certificate)
CERTIFICATE_FILE: Final = Operation(
    "download_certificate_file", "GET", f"{_CERTIFICATE}/{{file}}", bytes
)


class ExportCalls:
    """What can be done with bundles of gaming days, which are named by their numbers."""

    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    def list(
        self,
        *,
        from_: dt.date | None = None,
        to: dt.date | None = None,
        contents: str | None = None,
        status: str | None = None,
        limit: int = 200,
    ) -> Iterator[ExportInShort]:
        """Bundles with a gaming day from the first to the last, newest first; ``limit`` a call."""
        query = {"from": _day(from_), "to": _day(to), "contents": contents, "status": status}
        return items(self._calls, LIST, {}, {**query, "limit": limit})

    def get(self, export: int) -> Export:
        """A bundle with what was done about it, and its files."""
        return self._calls.tell(READ, {"export": export})

    def download(self, export: int) -> bytes:
        """The ZIP. Raises Conflict until two persons have signed it."""
        return self._calls.fetch(DOWNLOAD, {"export": export})

    def file(self, export: int, name: str) -> bytes:
        """One of ``files`` by its name, unpacked. Raises Conflict as above."""
        return self._calls.fetch(DOWNLOAD_FILE, {"export": export, "file": name})


class CertificateCalls:
    """What can be done with certificates of rule sets."""

    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    def list(self, *, rules: str | None = None, limit: int = 200) -> Iterator[Certificate]:
        """Certificates, of a rule set if one is named, newest first; ``limit`` a call."""
        return items(self._calls, LIST_CERTIFICATES, {}, {"rules": rules, "limit": limit})

    def get(self, certificate: int) -> Certificate:
        """A certificate."""
        return self._calls.tell(READ_CERTIFICATE, {"certificate": certificate})

    def file(self, certificate: int, name: str) -> bytes:
        """One of ``links.files`` by its name."""
        return self._calls.fetch(CERTIFICATE_FILE, {"certificate": certificate, "file": name})


def _day(day: dt.date | None) -> str | None:
    return None if day is None else day.isoformat()
