"""docs/glossary.md and the Italian catalogue of the pages use the same words."""

import re
from typing import Final, NamedTuple

import polib

from casino.embedded.server_paths import CLONE

_CATALOGUE: Final = CLONE / "templates" / "locale" / "it" / "LC_MESSAGES" / "django.po"
_NOT_SHOWN: Final = "\N{EN DASH}"
_VERBS: Final = {"Register"}
"""Texts of buttons that are spelt like a term."""


class Term(NamedTuple):
    """A row of the glossary."""

    term: str
    meaning: str
    italian: str
    source: str


def terms() -> list[Term]:
    """Returns the rows of all tables of the glossary."""
    page = (CLONE / "docs" / "glossary.md").read_text()
    rows = re.findall(r"^\| (.+?) \| (.+?) \| (.+?) \| (.+?) \|$", page, re.MULTILINE)
    return [Term(*row) for row in rows if row[0] != "term"]


def translations() -> list[polib.POEntry]:
    """Returns the texts of the pages that need no context."""
    return [entry for entry in polib.pofile(str(_CATALOGUE)) if not entry.msgctxt]


class TestTheGlossary:
    def test_defines_each_term_once(self) -> None:
        """About a hundred terms."""
        names = [row.term.lower() for row in terms()]

        assert len(names) > 70
        assert len(names) == len(set(names))

    def test_has_the_italian_of_the_pages(self) -> None:
        """A page text that equals a term has the glossary's translation."""
        italian = {row.term.lower(): row.italian.lower() for row in terms()}

        different = {
            entry.msgid: (entry.msgstr, italian[entry.msgid.lower()])
            for entry in translations()
            if entry.msgid.lower() in italian
            and entry.msgid not in _VERBS
            and entry.msgstr.lower() != italian[entry.msgid.lower()]
        }

        assert different == {}

    def test_has_only_italian_words_of_the_pages(self) -> None:
        """A word of the Italian column occurs in a translation."""
        shown = "\n".join(entry.msgstr for entry in polib.pofile(str(_CATALOGUE))).lower()

        absent = [
            row.term
            for row in terms()
            if row.italian != _NOT_SHOWN and row.italian.lower() not in shown
        ]

        assert absent == []
