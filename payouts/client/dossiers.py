"""``sabot.dossiers``: all that is known of a dispute, in one file that can be verified."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from .calls import Calls, Operation
from .paging import Page, items
from .waiting import waited


@dataclass(frozen=True, kw_only=True)
class DossierLinks:
    """Where a dossier and its files are."""

    self: str
    download: str
    files: Mapping[str, str]


@dataclass(frozen=True, kw_only=True)
class Dossier:
    """A dossier, waiting for its signature or signed; ``sha256`` is that of what is signed."""

    id: int
    dispute: str
    reader: str
    status: str
    sha256: str
    issued_at: datetime
    signed_at: datetime | None
    key_id: str | None
    links: DossierLinks


_ALL: Final = "/disputes/{dispute}/dossiers"
_ONE: Final = f"{_ALL}/{{dossier}}"
LIST: Final = Operation("list_dossiers", "GET", _ALL, Page[Dossier])
MAKE: Final = Operation("ask_dossier", "POST", _ALL, Dossier)
READ: Final = Operation("read_dossier", "GET", _ONE, Dossier)
DOWNLOAD: Final = Operation("download_dossier", "GET", f"{_ONE}/download", bytes)
DOWNLOAD_FILE: Final = Operation("download_dossier_file", "GET", f"{_ONE}/{{file}}", bytes)
_SIGNED: Final = "signed"


class DossierCalls:
    """What can be done with the dossiers of a dispute, which is named by its reference."""

    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    def make(self, dispute: str, reader: str, *, once: str | None = None) -> Dossier:
        """Has one made for a reader: customer, outside_body or regulator.

        It is the latest one where that tells all there is.
        """
        return self._calls.tell(MAKE, {"dispute": dispute}, body={"reader": reader}, once=once)

    def list(self, dispute: str, *, limit: int = 200) -> Iterator[Dossier]:
        """Those of the readers for whom the key may ask, newest first; ``limit`` a call."""
        return items(self._calls, LIST, {"dispute": dispute}, {"limit": limit})

    def get(self, dispute: str, dossier: int) -> Dossier:
        """Where a dossier stands."""
        return self._calls.tell(READ, {"dispute": dispute, "dossier": dossier})

    def wait(
        self, dispute: str, dossier: int, *, seconds: float = 120, pause: float = 1
    ) -> Dossier:
        """The dossier, once it is signed. Raises NoAnswer where that takes more seconds."""
        return waited(
            lambda: self.get(dispute, dossier),
            lambda found: found.status == _SIGNED,
            seconds=seconds,
            pause=pause,
        )

    def download(self, dispute: str, dossier: int) -> bytes:
        """All of it, a ZIP; asked again for a while where it is not signed yet."""
        return self._calls.fetch(DOWNLOAD, {"dispute": dispute, "dossier": dossier})

    def file(self, dispute: str, dossier: int, name: str) -> bytes:
        """One of ``links.files`` by its name."""
        at = {"dispute": dispute, "dossier": dossier, "file": name}
        return self._calls.fetch(DOWNLOAD_FILE, at)
