"""Steps of bundles: by the worker, and by a person."""

from pathlib import Path
from typing import Final

from django.test import Client

from compliance.exports.services.process_exports import process_exports
from tests.casino.backoffice.page_reader import plain
from tests.casino_in_play import NOW

CENTRE: Final = "/admin/exports/"
BUNDLE: Final = "/admin/exports/bundles/1/"
LETTER: Final = {"reference": "PEC 12/2026", "on_day": "2026-11-22", "note": ""}


def work(tmp_path: Path) -> None:
    """Builds waiting bundles, as the worker does."""
    process_exports(now=lambda: NOW, key=tmp_path / "export.key", folder=tmp_path / "out")


def sign(client: Client, *, seen: int, **more: str) -> str:
    """Signs a bundle; returns the text of the next page."""
    client.post(f"{BUNDLE}sign/", {"seen": seen, "read": "on", **more})
    return plain(client, BUNDLE)
