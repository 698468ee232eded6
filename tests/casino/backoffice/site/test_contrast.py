"""Text has the contrast of WCAG 2.2, 1.4.3, level AA."""

import re
from pathlib import Path
from typing import Final

import pytest
from django.conf import settings

_LEAST: Final = 4.5
_PLAIN: Final = ("page", "surface", "sunk")
_PAIRS: Final = (
    *((text, ground) for text in ("text", "text-2", "text-3", "primary") for ground in _PLAIN),
    *((colour, f"{colour}-soft") for colour in ("amber", "slate", "green", "blue", "red")),
    *(("text", f"{colour}-soft") for colour in ("amber", "slate", "red", "primary", "green")),
    *(("primary", f"{colour}-soft") for colour in ("amber", "slate", "red", "primary")),
    *(("text-2", f"{colour}-soft") for colour in ("slate", "primary", "green")),
    *(("text-3", f"{colour}-soft") for colour in ("slate", "primary", "green")),
    ("on-primary", "primary"),
    ("table-text", "table"),
    ("table-text", "table-deep"),
    ("suit-red", "paper"),
    ("suit-black", "paper"),
    *(("text", f"{colour}-line") for colour in ("blue", "amber")),
    ("ember", "surface"),
    ("amber", "surface"),
    *(("red", ground) for ground in _PLAIN),
)


def colours(*selectors: str) -> dict[str, str]:
    """The colours of these selectors in the style sheet, the last definition wins."""
    sheet = (Path(settings.BASE_DIR) / "templates/static/sabot/css/tokens.css").read_text()
    blocks = [sheet.split(f"{selector} {{", 1)[1].split("\n}", 1)[0] for selector in selectors]
    return dict(re.findall(r"--([\w-]+): #([0-9a-f]{6}|[0-9a-f]{3})\b", "".join(blocks)))


def luminance(colour: str) -> float:
    """The relative luminance by WCAG."""
    digits = colour if len(colour) == 6 else "".join(digit * 2 for digit in colour)
    shares = [int(digits[at : at + 2], 16) / 255 for at in (0, 2, 4)]
    red, green, blue = (
        share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4 for share in shares
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(first: str, other: str) -> float:
    """The contrast ratio, 1 to 21."""
    dark, light = sorted((luminance(first), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("selectors", [(":root",), (":root", ".dark")], ids=["light", "dark"])
class TestTheColours:
    def test_of_text_have_the_contrast_of_level_aa(self, selectors: tuple[str, ...]) -> None:
        """At least 4.5:1 for text of every size."""
        named = colours(*selectors)

        ratios = {pair: contrast(named[pair[0]], named[pair[1]]) for pair in _PAIRS}

        assert {pair: ratio for pair, ratio in ratios.items() if ratio < _LEAST} == {}

    def test_of_the_focus_stand_out(self, selectors: tuple[str, ...]) -> None:
        """WCAG 2.2, 1.4.11: at least 3:1 against what is around it."""
        named = colours(*selectors)

        assert all(contrast(named["primary"], named[ground]) >= 3 for ground in _PLAIN)


class TestTheMeasure:
    @pytest.mark.parametrize(
        ("first", "other", "ratio"), [("000", "fff", 21), ("777", "fff", 4.48)]
    )
    def test_is_that_of_wcag(self, first: str, other: str, ratio: float) -> None:
        """Black on white is 21:1; #777 on white is the well-known grey that just fails."""
        assert round(contrast(first, other), 2) == ratio
