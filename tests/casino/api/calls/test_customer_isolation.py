"""No customer reads another customer's data (issue 8).

Two customers bet alike in one round and both dispute it. Each one's data contains unique texts,
for which every answer to the other is searched.
"""

import io
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from pypdf import PdfReader
from pytest_django import Settings

from compliance.exports.dossier.models import Dossier
from tests.casino.api.addresses import PLACES, views
from tests.casino.api.calls.key_kinds import Held, answered, held
from tests.casino.api.two_customers import (
    ANNA,
    BRUNO,
    DEALER,
    MARKS,
    PROPOSED,
    make_everything,
    places_of,
)

pytestmark = pytest.mark.django_db

_DOSSIERS: Final = "disputes/<str:dispute>/dossiers/<int:dossier>/<str:file>"
_FILES: Final = ("dossier.json", "dossier.json.p7s", "dossier.it.pdf", "dossier.en.pdf")


@pytest.fixture(autouse=True)
def _everything(settings: Settings, tmp_path: Path) -> None:
    settings.EXPORTS_FOLDER = str(tmp_path)
    make_everything(tmp_path)


def addresses(by: Held) -> Iterator[str]:
    """Every address that can be read, for Anna's data and for Bruno's."""
    readable = [pattern for pattern, view in views().items() if "GET" in view.required_scopes]
    for customer in (ANNA, BRUNO):
        for reader in Dossier.Audience.values:
            places = places_of(by.key, customer, reader)
            for pattern in readable:
                yield PLACES[pattern].format(**places)
            folder = PLACES[_DOSSIERS].format(**places).rpartition("/")[0]
            yield from (f"{folder}/{name}" for name in _FILES)


def answer_text(content: bytes) -> str:
    """The text of an answer, with archives and PDFs unpacked."""
    if content.startswith(b"PK"):
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            return "\n".join(
                f"{name}\n{answer_text(archive.read(name))}" for name in archive.namelist()
            )
    if content.startswith(b"%PDF-"):
        pages = PdfReader(io.BytesIO(content)).pages
        return " ".join(" ".join(page.extract_text() for page in pages).split())
    return content.decode(errors="replace")


def read(by: Held) -> dict[str, str]:
    """The text of every address, as a program reads it."""
    paths = dict.fromkeys(addresses(by))
    return {path: answer_text(answered(by, "GET", path).content) for path in paths}


@pytest.mark.slow
def test_a_customer_reads_only_their_own_data() -> None:
    """No answer contains the other's pseudonym, bets, participations or dispute texts.

    Proposed decisions and who dealt are not shown to customers either.
    """
    texts = read(held("a customer's own"))

    leaks = [
        (path, mark)
        for path, text in texts.items()
        for mark in (*MARKS["bruno"].values(), PROPOSED, DEALER)
        if mark in text
    ]
    assert leaks == []
    assert unread(texts, "anna") == []


@pytest.mark.slow
def test_a_key_without_customer_reads_both() -> None:
    """Verifies that the unique texts would be found."""
    texts = read(held("every scope"))

    assert unread(texts, "anna") == unread(texts, "bruno") == []
    assert all(any(mark in text for text in texts.values()) for mark in (PROPOSED, DEALER))


def unread(texts: dict[str, str], name: str) -> list[str]:
    """The unique texts of a customer that no answer contains."""
    whole = "\n".join(texts.values())
    return [mark for mark in MARKS[name].values() if mark not in whole]
