"""``sabot.exports`` and ``sabot.certificates``: bundles and certificates for the regulator."""

import datetime as dt
from collections.abc import Iterator
from typing import Final, Unpack

from .calls import Calls, Operation
from .paging import Listed, items
from .shapes.exports import Certificate, ExportDetails, ExportSummary
from .shapes.page import Page

_ONE: Final = "/exports/{export}"
LIST: Final = Operation("list_exports", "GET", "/exports", Page[ExportSummary])
READ: Final = Operation("read_export", "GET", _ONE, ExportDetails)
DOWNLOAD: Final = Operation("download_export", "GET", f"{_ONE}/download", bytes)
DOWNLOAD_FILE: Final = Operation("download_export_file", "GET", f"{_ONE}/files/{{file}}", bytes)
_CERTIFICATE: Final = "/certificates/{certificate}"
LIST_CERTIFICATES: Final = Operation("list_certificates", "GET", "/certificates", Page[Certificate])
READ_CERTIFICATE: Final = Operation("read_certificate", "GET", _CERTIFICATE, Certificate)
CERTIFICATE_FILE: Final = Operation(
    "download_certificate_file", "GET", f"{_CERTIFICATE}/{{file}}", bytes
)


class ExportFilters(Listed, total=False):
    """The filters of the list of bundles; those by a time order it by that time."""

    from_: dt.date | None
    to: dt.date | None
    contents: str | None
    status: str | None
    built_since: dt.datetime | None
    built_before: dt.datetime | None
    changed_since: dt.datetime | None


class ExportCalls:
    """Operations on bundles of gaming days, identified by number."""

    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    def list(self, **filters: Unpack[ExportFilters]) -> Iterator[ExportSummary]:
        """Bundles; ``from_`` and ``to`` select those that overlap these days."""
        return items(self._calls, LIST, {}, filters)

    def get(self, export: int) -> ExportDetails:
        """A bundle with its steps and its files."""
        return self._calls.call(READ, {"export": export})

    def download(self, export: int) -> bytes:
        """The ZIP file. Raises Conflict until two people have signed it."""
        return self._calls.fetch(DOWNLOAD, {"export": export})

    def file(self, export: int, name: str) -> bytes:
        """One of ``files`` by its name, unpacked. Raises Conflict as above."""
        return self._calls.fetch(DOWNLOAD_FILE, {"export": export, "file": name})


class CertificateCalls:
    """Operations on certificates of rule sets."""

    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    def list(self, *, rules: str | None = None, limit: int = 200) -> Iterator[Certificate]:
        """Certificates, optionally of one rule set, newest first; ``limit`` per page."""
        return items(self._calls, LIST_CERTIFICATES, {}, {"rules": rules, "limit": limit})

    def get(self, certificate: int) -> Certificate:
        """A certificate."""
        return self._calls.call(READ_CERTIFICATE, {"certificate": certificate})

    def file(self, certificate: int, name: str) -> bytes:
        """One of ``links.files`` by its name."""
        return self._calls.fetch(CERTIFICATE_FILE, {"certificate": certificate, "file": name})
