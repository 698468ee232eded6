"""``sabot.dossiers``: signed dossiers of disputes."""

from collections.abc import Iterator
from typing import Final

from .calls import Calls, Operation
from .paging import items
from .shapes.dossiers import Dossier
from .shapes.page import Page
from .waiting import wait_until

_ALL: Final = "/disputes/{dispute}/dossiers"
_ONE: Final = f"{_ALL}/{{dossier}}"
LIST: Final = Operation("list_dossiers", "GET", _ALL, Page[Dossier])
ISSUE: Final = Operation("issue_dossier", "POST", _ALL, Dossier)
READ: Final = Operation("read_dossier", "GET", _ONE, Dossier)
DOWNLOAD: Final = Operation("download_dossier", "GET", f"{_ONE}/download", bytes)
DOWNLOAD_FILE: Final = Operation("download_dossier_file", "GET", f"{_ONE}/{{file}}", bytes)
_SIGNED: Final = "signed"


class DossierCalls:
    """Operations on the dossiers of a dispute, identified by its reference."""

    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    def issue(self, dispute: str, audience: str, *, once: str | None = None) -> Dossier:
        """Issues one for an audience: customer, outside_body or regulator.

        Returns the latest one if nothing has changed since.
        """
        return self._calls.call(ISSUE, {"dispute": dispute}, body={"audience": audience}, once=once)

    def list(self, dispute: str, *, limit: int = 200) -> Iterator[Dossier]:
        """Those that the key may read, newest first; ``limit`` per page."""
        return items(self._calls, LIST, {"dispute": dispute}, {"limit": limit})

    def get(self, dispute: str, dossier: int) -> Dossier:
        """A dossier with its status."""
        return self._calls.call(READ, {"dispute": dispute, "dossier": dossier})

    def wait(
        self, dispute: str, dossier: int, *, seconds: float = 120, pause: float = 1
    ) -> Dossier:
        """Waits until the dossier is signed. Raises NoAnswer after ``seconds``."""
        return wait_until(
            lambda: self.get(dispute, dossier),
            lambda answer: answer.status == _SIGNED,
            seconds=seconds,
            pause=pause,
        )

    def download(self, dispute: str, dossier: int) -> bytes:
        """The ZIP file; retried while it is not signed yet."""
        return self._calls.fetch(DOWNLOAD, {"dispute": dispute, "dossier": dossier})

    def file(self, dispute: str, dossier: int, name: str) -> bytes:
        """One of ``links.files`` by its name."""
        at = {"dispute": dispute, "dossier": dossier, "file": name}
        return self._calls.fetch(DOWNLOAD_FILE, at)
