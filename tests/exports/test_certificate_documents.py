"""The documents of a certificate for people: whole, in two languages, the chart as a picture."""

import re
from itertools import pairwise
from typing import Any

import pytest
from django.utils.translation import override

from compliance.exports.encoders.as_certificate import certificate_pdf
from compliance.exports.encoders.as_certificate_page import certificate_html
from compliance.exports.encoders.chart_picture import chart_picture, chart_svg

CHART = {
    "upcards": ["2", "A"],
    "rows": [
        {"hand": "hard 11", "decisions": ["DH", "H"]},
        {"hand": "soft 18", "decisions": ["DS", "S"]},
        {"hand": "8+8", "decisions": ["P", "ZS"]},
    ],
}
DIGEST = "cd" * 32


def told() -> dict[str, Any]:
    """A certificate of a game with two bets."""
    bet: dict[str, Any] = {
        "basis": "initial",
        "strategy": None,
        "leaves_out": None,
        "other_readings": [],
    }
    main = {
        "bet": "main",
        "rtp": "98.714149",
        "declared": "98.87",
        "verdict": "not reproduced",
        "strategy": "td",
        "variance": "1.125401",
        "standard_deviation": "1.060849",
        "strategy_chart": CHART,
        "other_readings": [
            {
                "ambiguity": "zap-of-split-hands",
                "title": "Zapping the hands of a split",
                "adopted": "They cannot",
                "reading": "They can, and do not double",
                "rtp": "98.877535",
            }
        ],
    }
    pair = {"bet": "perfect_pair", "rtp": "86.970609", "declared": "95.26"}
    return {
        "rules": "zappit-blackjack/1",
        "game": "Zappit <Blackjack>",
        "sheet": "ZAP",
        "decks": 6,
        "in_force_from": "2026-01-01",
        "rules_sha256": "ab" * 32,
        "software": {"version": "0.1.0", "build": "ef" * 32},
        "computed_at": "2026-11-22T03:00:00+00:00",
        "returns": [bet | main, bet | pair | {"verdict": "contradiction"}],
    }


class TestTheHtml:
    def test_tells_all_of_it_in_two_languages(self) -> None:
        """Declared, computed, difference, readings, contradictions, digests, version, date."""
        page = certificate_html(told(), digest=DIGEST).decode()

        italian, english = re.findall(r'<main lang="..">.*?</main>', page, re.DOTALL)
        for side in (italian, english):
            for figure in ("98.714149", "98.87", "-0.155851", "1.125401", "1.060849", "+0.163386"):
                assert figure in side
            for fact in (DIGEST, "ab" * 32, "0.1.0", "2026-11-22T03:00:00+00:00", "<svg"):
                assert fact in side
        assert "At the odds that it prints the bet returns 86.970609 %" in english
        assert "They can, and do not double" in english
        assert "They can" not in italian

    def test_needs_no_other_file_and_escapes_what_it_shows(self) -> None:
        """No script, no picture, no style from elsewhere; the same bytes each time."""
        page = certificate_html(told(), digest=DIGEST).decode()

        assert not re.search(r"<script|<img|<link|@import|url\(", page)
        assert "Zappit &lt;Blackjack&gt;" in page
        assert page.encode() == certificate_html(told(), digest=DIGEST)


class TestThePdf:
    def test_is_the_same_each_time(self) -> None:
        """With the chart as vectors: it has no picture of pixels."""
        pdf = certificate_pdf(told(), digest=DIGEST)

        assert pdf == certificate_pdf(told(), digest=DIGEST)
        assert b"/Subtype /Image" not in pdf


class TestTheChart:
    def test_has_a_cell_for_each_decision_and_a_legend_of_those_that_it_has(self) -> None:
        """Two letters where two cards may do what more cards may not."""
        boxes = chart_picture(CHART).boxes

        cells = [box.text for box in boxes if box.fill is not None]
        assert sorted(cells[:6]) == sorted(["Dh", "H", "Ds", "S", "P", "Zs"])
        assert sorted(cells[6:]) == sorted(["Dh", "H", "Ds", "S", "P", "Zs"])

    def test_can_be_read_without_colours(self) -> None:
        """Fills of other decisions differ in lightness, and letters stand out from them (4.5:1)."""
        fills = {box.text[0]: (box.fill, box.ink) for box in chart_picture(CHART).boxes if box.fill}
        light = sorted(luminance(str(fill)) for fill, _ink in fills.values())

        assert all(more + 0.05 > 1.2 * (less + 0.05) for less, more in pairwise(light))
        for fill, ink in fills.values():
            assert contrast(str(fill), str(ink)) >= 4.5

    @pytest.mark.parametrize(("language", "words"), [("en", "Best chart"), ("it", "Migliore")])
    def test_says_what_it_is(self, language: str, words: str) -> None:
        """To whoever hears it."""
        with override(language):
            assert f'aria-label="{words}' in chart_svg(CHART)


def luminance(colour: str) -> float:
    """Relative luminance, WCAG 2."""
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """How far two colours are apart, WCAG 2."""
    less, more = sorted((luminance(one), luminance(other)))
    return (more + 0.05) / (less + 0.05)
