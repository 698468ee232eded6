"""The documents of a certificate: complete, in two languages, with the chart."""

import io
import re
from itertools import pairwise
from typing import Any

import pytest
from django.utils.translation import override
from pypdf import PdfReader

from compliance.exports.encoders.certificate_html import certificate_html
from compliance.exports.encoders.certificate_pdf import certificate_pdf
from compliance.exports.encoders.certificate_text import weights_words
from compliance.exports.encoders.strategy_chart import chart_picture, chart_svg
from tests.compliance.exports.certificates.certificate_payloads import (
    CARDS,
    CHART,
    DIGEST,
    GRID,
    payload,
    with_implied,
)


class TestTheHtml:
    def test_is_complete_in_two_languages(self) -> None:
        """Declared and computed returns, readings, digests, version and date."""
        page = certificate_html(payload(), digest=DIGEST).decode()

        italian, english = re.findall(r'<main lang="..">.*?</main>', page, re.DOTALL)
        for side in (italian, english):
            for figure in ("98.714149", "98.87", "-0.155851", "1.125401", "1.060849", "+0.163386"):
                assert (figure.replace(".", ",") if side == italian else figure) in side
            for fact in (DIGEST, "ab" * 32, "0.1.0", "2026-11-22T03:00:00+00:00", "<svg"):
                assert fact in side
        assert "At the printed odds the bet returns 86.970609 %" in english
        assert "Allowed, without doubling" in english
        assert "They can" not in italian

    def test_is_self_contained_and_escaped(self) -> None:
        """The bytes are reproducible."""
        page = certificate_html(payload(), digest=DIGEST).decode()

        assert not re.search(r"<script|<img|<link|@import|url\(", page)
        assert "Zappit &lt;Blackjack&gt;" in page
        assert page.encode() == certificate_html(payload(), digest=DIGEST)


class TestThePdf:
    def test_is_reproducible(self) -> None:
        """The chart is drawn as vectors."""
        pdf = certificate_pdf(payload(), digest=DIGEST)

        assert pdf == certificate_pdf(payload(), digest=DIGEST)
        assert b"/Subtype /Image" not in pdf


class TestTheWeights:
    """What a certificate says about an operator's weights."""

    def test_are_listed_by_the_number_of_multiplier_cards(self) -> None:
        """Both documents state the implied averages, and that no weights are set."""
        without = with_implied(CARDS)

        english = certificate_html(without, digest=DIGEST).decode().partition('lang="en">')[2]
        italian = pdf_words(without)

        assert "between 90.500707 % and 182.895292 % for any weights" in english
        assert "the declared 99.57 % is possible" in english
        assert "With 3 multiplier cards in every round" in english
        assert "an average multiplier of 3.7943 per card." in english
        assert "no multiplier weights were in force" in english
        assert "Con 5 carte moltiplicatore in ogni turno" in italian
        assert "un moltiplicatore medio di 2,8651 per carta." in italian

    def test_are_listed_by_the_levels_of_a_bonus(self) -> None:
        """All averages together; the declared figure alone does not determine each."""
        with override("en"):
            [_reach, means, _weights] = weights_words(with_implied(GRID))

        assert "minor 3.9393, mega 106.3859." in means
        assert "the same fraction (8.814900 %) of the range" in means

    def test_have_the_names_of_setter_and_approver(self) -> None:
        """If weights are in force."""
        weights = {"number": "W-0007", "set_by": "Giulia", "approved_by": "Lorenzo"}

        assert "W-0007, inseriti da Giulia e approvati da Lorenzo." in pdf_words(
            with_implied(CARDS, weights=weights)
        )

    def test_cannot_give_every_declared_return(self) -> None:
        """The certificate says so."""
        with override("en"):
            [reach, *_others] = weights_words(with_implied(CARDS | {"attainable": False}))

        assert reach.endswith("for any weights: the declared 99.57 % is not possible.")

    def test_are_missing_without_need(self) -> None:
        """Other sheets declare everything."""
        assert weights_words(payload()) == []
        assert "Frequencies required by" not in certificate_html(payload(), digest=DIGEST).decode()


def pdf_words(document: dict[str, Any]) -> str:
    """The text of the PDF."""
    pages = PdfReader(io.BytesIO(certificate_pdf(document, digest=DIGEST))).pages
    return " ".join(" ".join(page.extract_text() for page in pages).split())


class TestTheChart:
    def test_has_a_cell_for_each_decision_and_a_legend_of_those_that_it_has(self) -> None:
        """Two letters where two cards allow more."""
        boxes = chart_picture(CHART).boxes

        cells = [box.text for box in boxes if box.fill is not None]
        assert sorted(cells[:6]) == sorted(["Dh", "H", "Ds", "S", "P", "Zs"])
        assert sorted(cells[6:]) == sorted(["Dh", "H", "Ds", "S", "P", "Zs"])

    def test_has_each_decision_beside_its_hand_and_below_its_upcard(self) -> None:
        """A pair is named by its two cards."""
        boxes = chart_picture(CHART).boxes
        names = [box for box in boxes if box.is_bold]

        read = []
        for cell in [box for box in boxes if box.fill is not None][:6]:
            beside = max(name for name in names if name.y == cell.y and name.x < cell.x)
            above = max((name.y, name) for name in names if name.x == cell.x and name.y < cell.y)
            read.append((beside.text, above[1].text, cell.text))

        assert read == [
            *[("11", "2", "Dh"), ("11", "A", "H")],
            *[("18", "2", "Ds"), ("18", "A", "S")],
            *[("8, 8", "2", "P"), ("8, 8", "A", "Zs")],
        ]

    def test_can_be_read_without_colours(self) -> None:
        """Fills differ in lightness and contrast with letters (4.5:1)."""
        fills = {box.text[0]: (box.fill, box.ink) for box in chart_picture(CHART).boxes if box.fill}
        light = sorted(luminance(str(fill)) for fill, _ink in fills.values())

        assert all(more + 0.05 > 1.2 * (less + 0.05) for less, more in pairwise(light))
        for fill, ink in fills.values():
            assert contrast(str(fill), str(ink)) >= 4.5

    @pytest.mark.parametrize(("language", "words"), [("en", "Best strategy"), ("it", "Migliore")])
    def test_has_a_label(self, language: str, words: str) -> None:
        """For screen readers."""
        with override(language):
            assert f'aria-label="{words}' in chart_svg(CHART)


def luminance(colour: str) -> float:
    """Relative luminance, WCAG 2."""
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(first: str, other: str) -> float:
    """The contrast ratio of WCAG 2."""
    less, more = sorted((luminance(first), luminance(other)))
    return (more + 0.05) / (less + 0.05)
