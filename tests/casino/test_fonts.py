"""The small fonts of the pages have what the pages show."""

from pathlib import Path
from typing import Final

import pytest
from django.conf import settings
from fontTools.ttLib import TTFont

from docs.site.subset_fonts import icon_names

_FONTS: Final = Path(settings.BASE_DIR) / "templates/static/unfold/fonts"
_LETTERS: Final = "aàèéìòùÀÈÉ€…→←≥“”·čłőş\N{EN DASH}\N{MINUS SIGN}\N{MULTIPLICATION SIGN}"


def ligatures() -> set[str]:
    """The names that the icons' font shows as icons."""
    font = TTFont(_FONTS / "material-symbols/Material-Symbols-Outlined.woff2")
    letters = {glyph: chr(code) for code, glyph in font.getBestCmap().items()}
    return {
        "".join(letters[glyph] for glyph in (first, *ligature.Component))
        for lookup in font["GSUB"].table.LookupList.Lookup
        for table in lookup.SubTable
        for first, ligatures in getattr(table, "ExtSubTable", table).ligatures.items()
        for ligature in ligatures
    }


def test_every_icon_is_in_the_font() -> None:
    """Else its name is shown: ``python -m docs.site.subset_fonts`` adds it."""
    assert icon_names() - ligatures() == set()


@pytest.mark.parametrize("weight", ["Regular", "Medium", "SemiBold", "Bold"])
def test_the_letters_of_names_are_in_every_weight(weight: str) -> None:
    """Italian, its neighbours and the signs of the pages; others come from the system's font."""
    known = TTFont(_FONTS / f"inter/Inter-{weight}.woff2").getBestCmap()

    assert {letter for letter in _LETTERS if ord(letter) not in known} == set()
