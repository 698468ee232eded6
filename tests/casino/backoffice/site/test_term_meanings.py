"""Tooltips of table headings: terms of the glossary and of docs/exports.md."""

import re
from pathlib import Path

from django.conf import settings
from django.template import Context, Template
from django.utils.translation import override

from casino.backoffice.site.term_meanings import MEANINGS, meaning_of

_DOCS = Path(settings.BASE_DIR, "docs")


def shown(heading: str) -> str:
    """A heading as tables show it."""
    template = Template("{% load sabot %}{{ heading|explained }}")
    return template.render(Context({"heading": heading}))


def test_a_term_has_its_meaning_in_both_languages() -> None:
    """The term is found by its words on the page."""
    with override("en"):
        assert shown("Gross win") == '<abbr title="Settled stakes minus paid">Gross win</abbr>'
    with override("it"):
        assert shown("Margine lordo") == (
            '<abbr title="Poste liquidate meno pagato">Margine lordo</abbr>'
        )


def test_other_headings_are_plain_and_escaped() -> None:
    """As without the filter."""
    assert shown("Table <1>") == "Table &lt;1&gt;"
    assert meaning_of("") == ""


def test_every_term_is_defined_in_the_documentation() -> None:
    """In a table of the glossary or of the figures of a day."""
    pages = "".join((_DOCS / name).read_text() for name in ("glossary.md", "exports.md"))
    defined = {term.lower() for term in re.findall(r"^\| ([^|`]+) \|", pages, re.MULTILINE)}

    assert {term.lower() for term in MEANINGS} <= defined
