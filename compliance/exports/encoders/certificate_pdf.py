"""PDF of a certificate, in Italian; deterministic."""

import io
from typing import Final
from xml.sax.saxutils import escape

from django.utils.translation import gettext as _
from django.utils.translation import override
from reportlab.lib import colors
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.platypus import (
    Flowable,
    KeepTogether,
    LongTable,
    Paragraph,
    SimpleDocTemplate,
    Spacer,
)

from compliance.exports.encoders.certificate_text import (
    Json,
    PointWords,
    bet_words,
    chart_of,
    contradictions_of,
    facts_of,
    figure_text,
    points_of,
    points_words,
    verdict_words,
    weights_words,
    why_words,
)
from compliance.exports.encoders.letterhead import letterhead, mark_page
from compliance.exports.encoders.strategy_chart import chart_drawing

_BODY: Final = ParagraphStyle("body", fontName="Helvetica", fontSize=8, leading=11)
_SMALL: Final = ParagraphStyle("small", fontName="Helvetica", fontSize=6.5, leading=9)
_TITLE: Final = ParagraphStyle("title", fontName="Helvetica-Bold", fontSize=16, leading=22)
_HEADING: Final = ParagraphStyle(
    "heading", fontName="Helvetica-Bold", fontSize=10, leading=13, spaceBefore=10, spaceAfter=4
)
_OTHER: Final = ParagraphStyle("other", parent=_SMALL, leftIndent=4 * mm)
_HEAD: Final = ParagraphStyle("head", fontName="Helvetica-Bold", fontSize=7, leading=8.5)
_NOTHING: Final = "-"
_WIDTH: Final = 180 * mm
_WIDTHS: Final = (47, 20, 17, 19, 25, 19, 17, 16)
"""Column widths in millimetres; their sum is ``_WIDTH``."""


def certificate_pdf(certificate: Json, *, digest: str) -> bytes:
    """The PDF of a certificate; ``digest`` is that of the signed JSON."""
    content = io.BytesIO()
    with override("it"):
        title = _("Certificate of returns: %(rules)s") % {"rules": certificate["rules"]}
        document = SimpleDocTemplate(
            content,
            pagesize=A4,
            leftMargin=15 * mm,
            rightMargin=15 * mm,
            topMargin=15 * mm,
            bottomMargin=15 * mm,
            title=title,
            author="Sabot",
            invariant=1,
        )
        story = _story(certificate, title, digest)
        document.build(story, onFirstPage=mark_page, onLaterPages=mark_page)
    return content.getvalue()


def _story(certificate: Json, title: str, digest: str) -> list[Flowable]:
    story: list[Flowable] = [*letterhead(), Paragraph(escape(title), _TITLE)]
    story += [
        Paragraph(f"<b>{name}</b> {escape(value)}", _BODY)
        for name, value in facts_of(certificate, digest).items()
    ]
    story += [
        Paragraph(_("Returns, percent"), _HEADING),
        _returns(certificate),
        Spacer(1, 2 * mm),
    ]
    story.append(Paragraph(_("Variance and deviation are in units of the first stake."), _SMALL))
    story += _section(_("Contradictions in the sheet"), contradictions_of(certificate))
    whys = [
        f"<b>{escape(bet_words(row))}</b>: {escape(why_words(row))}"
        for row in certificate["returns"]
    ]
    story += [Paragraph(_("Reason"), _HEADING), *(Paragraph(why, _BODY) for why in whys)]
    story += _section(_("Frequencies required by the declared return"), weights_words(certificate))
    chart = chart_of(certificate)
    if chart is not None:
        heading = Paragraph(_("Best strategy by totals"), _HEADING)
        story.append(KeepTogether([heading, chart_drawing(chart, width=_WIDTH)]))
    points = points_of(certificate["returns"])
    if points:
        story.append(Paragraph(_("Rule interpretations and alternatives"), _HEADING))
        for point in points:
            story += _point(point)
    return story


def _section(heading: str, sentences: list[str]) -> list[Flowable]:
    if not sentences:
        return []
    paragraphs = [Paragraph(escape(sentence), _BODY) for sentence in sentences]
    return [Paragraph(heading, _HEADING), *paragraphs]


def _point(point: PointWords) -> list[Flowable]:
    """An ambiguous point: the adopted reading, and the return under each other one."""
    read_as = _("Interpretation")
    text = f"<b>{escape(point.title)}</b>. {escape(read_as)}: {escape(point.adopted)}"
    others = [
        f"{other.rtp} % ({other.change}) {escape(other.bet)}: {escape(other.reading)}"
        for other in point.others
    ]
    return [Paragraph(text, _BODY), *(Paragraph(other, _OTHER) for other in others)]


def _returns(certificate: Json) -> LongTable:
    heading = [
        _("Bet"),
        _("Return"),
        _("Declared"),
        _("Difference, percentage points"),
        _("Result"),
        _("Hit frequency"),
        _("Variance"),
        _("Standard deviation"),
    ]
    rows = [
        [
            Paragraph(escape(bet_words(row)), _SMALL),
            figure_text(row["rtp"]),
            figure_text(row["declared"]) or _NOTHING,
            points_words(row["rtp"], row["declared"]) or _NOTHING,
            Paragraph(escape(verdict_words(row["verdict"])), _SMALL),
            figure_text(row.get("hit_frequency")) or _NOTHING,
            figure_text(row.get("variance")) or _NOTHING,
            figure_text(row.get("standard_deviation")) or _NOTHING,
        ]
        for row in certificate["returns"]
    ]
    heads = [Paragraph(escape(title), _HEAD) for title in heading]
    widths = [width * mm for width in _WIDTHS]
    table = LongTable([heads, *rows], repeatRows=1, hAlign="LEFT", colWidths=widths)
    table.setStyle(
        [
            ("FONT", (0, 1), (-1, -1), "Helvetica", 7.5),
            ("BACKGROUND", (0, 0), (-1, 0), colors.HexColor("#f0f0f0")),
            ("LINEBELOW", (0, 0), (-1, -1), 0.4, colors.HexColor("#c8c8c8")),
            ("ALIGN", (1, 1), (3, -1), "RIGHT"),
            ("ALIGN", (5, 1), (-1, -1), "RIGHT"),
            ("VALIGN", (0, 0), (-1, -1), "MIDDLE"),
        ]
    )
    return table
