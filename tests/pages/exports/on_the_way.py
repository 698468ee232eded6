"""A bundle on its way: what a worker does, and what a person does."""

from pathlib import Path
from typing import Final

from django.test import Client

from compliance.exports.services.run_exports import work_on_exports
from tests.casino_in_play import NOW
from tests.pages.reading import plain

CENTRE: Final = "/admin/exports/"
BUNDLE: Final = "/admin/exports/bundles/1/"
LETTER: Final = {"reference": "PEC 12/2026", "on_day": "2026-11-22", "note": ""}


def work(tmp_path: Path) -> None:
    """What a worker does."""
    work_on_exports(now=lambda: NOW, key=tmp_path / "export.key", folder=tmp_path / "out")


def sign(client: Client, *, seen: int, **more: str) -> str:
    """Signs, and gives what the page then says."""
    client.post(f"{BUNDLE}sign/", {"seen": seen, "read": "on", **more})
    return plain(client, BUNDLE)
