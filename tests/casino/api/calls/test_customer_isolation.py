"""One customer never sees another's data (issue 8, "It is done when").

Two customers have bet alike in one round and both contest it. What is one's alone is written in
texts that stand nowhere else, and whatever the other can read is looked through for them.
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
    """Every address that can be read, of what is Anna's and of what is Bruno's."""
    readable = [pattern for pattern, view in views().items() if "GET" in view.required_scopes]
    for customer in (ANNA, BRUNO):
        for reader in Dossier.Audience.values:
            places = places_of(by.key, customer, reader)
            for pattern in readable:
                yield PLACES[pattern].format(**places)
            folder = PLACES[_DOSSIERS].format(**places).rpartition("/")[0]
            yield from (f"{folder}/{name}" for name in _FILES)


def said(content: bytes) -> str:
    """All that can be read in an answer: what is packed, unpacked; what is printed, as text."""
    if content.startswith(b"PK"):
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            return "\n".join(f"{name}\n{said(archive.read(name))}" for name in archive.namelist())
    if content.startswith(b"%PDF-"):
        pages = PdfReader(io.BytesIO(content)).pages
        return " ".join(" ".join(page.extract_text() for page in pages).split())
    return content.decode(errors="replace")


def read(by: Held) -> dict[str, str]:
    """What each address says to a program."""
    paths = dict.fromkeys(addresses(by))
    return {path: said(answered(by, "GET", path).content) for path in paths}


def test_a_customer_reads_what_is_his_and_nothing_that_is_anothers() -> None:
    """Neither pseudonym nor bet nor participation nor a word of the dispute, in no answer.

    Nor what a program would decide about his own.
    """
    texts = read(held("a customer's own"))

    leaks = [
        (path, mark)
        for path, text in texts.items()
        for mark in (*MARKS["bruno"].values(), PROPOSED)
        if mark in text
    ]
    assert leaks == []
    assert unread(texts, "anna") == []


def test_a_key_without_customer_reads_both() -> None:
    """Else the test above would say nothing."""
    texts = read(held("every scope"))

    assert unread(texts, "anna") == unread(texts, "bruno") == []
    assert any(PROPOSED in text for text in texts.values())


def unread(texts: dict[str, str], name: str) -> list[str]:
    """What of a customer stands in no answer."""
    whole = "\n".join(texts.values())
    return [mark for mark in MARKS[name].values() if mark not in whole]
