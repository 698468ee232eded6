"""PDF: the certificate of a rule set, for people, in Italian; the same bytes each time."""

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

from compliance.exports.encoders.certificate_words import (
    PointWords,
    Told,
    bet_words,
    chart_of,
    contradictions_of,
    facts_of,
    points_of,
    points_words,
    verdict_words,
    weights_words,
    why_words,
)
from compliance.exports.encoders.chart_picture import chart_drawing

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
"""Of the columns, in millimetres; together as wide as the page is."""


def certificate_pdf(told: Told, *, digest: str) -> bytes:
    """The document of a certificate; ``digest`` is that of the signed JSON."""
    content = io.BytesIO()
    with override("it"):
        title = _("Certificate of returns: %(rules)s") % {"rules": told["rules"]}
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
        document.build(_story(told, title, digest))
    return content.getvalue()


def _story(told: Told, title: str, digest: str) -> list[Flowable]:
    story: list[Flowable] = [Paragraph(escape(title), _TITLE)]
    story += [
        Paragraph(f"<b>{name}</b> {escape(value)}", _BODY)
        for name, value in facts_of(told, digest).items()
    ]
    story += [Paragraph(_("Returns, in per cent"), _HEADING), _returns(told), Spacer(1, 2 * mm)]
    story.append(Paragraph(_("Variance and deviation are in units of the first stake."), _SMALL))
    story += _section(_("Contradictions of the sheet"), contradictions_of(told))
    whys = [f"<b>{escape(bet_words(one))}</b>: {escape(why_words(one))}" for one in told["returns"]]
    story += [Paragraph(_("Why"), _HEADING), *(Paragraph(why, _BODY) for why in whys)]
    story += _section(_("What the declared return asks of the frequencies"), weights_words(told))
    chart = chart_of(told)
    if chart is not None:
        heading = Paragraph(_("Best chart by totals"), _HEADING)
        story.append(KeepTogether([heading, chart_drawing(chart, width=_WIDTH)]))
    points = points_of(told["returns"])
    if points:
        story.append(Paragraph(_("How the sheet is read, and what else it could mean"), _HEADING))
        for point in points:
            story += _point(point)
    return story


def _section(heading: str, sentences: list[str]) -> list[Flowable]:
    if not sentences:
        return []
    told = [Paragraph(escape(one), _BODY) for one in sentences]
    return [Paragraph(heading, _HEADING), *told]


def _point(point: PointWords) -> list[Flowable]:
    """An unclear point: how it is read, and what each other reading gives."""
    read_as = _("Read as")
    told = f"<b>{escape(point.title)}</b>. {escape(read_as)}: {escape(point.adopted)}"
    others = [
        f"{one.rtp} % ({one.change}) {escape(one.bet)}: {escape(one.reading)}"
        for one in point.others
    ]
    return [Paragraph(told, _BODY), *(Paragraph(one, _OTHER) for one in others)]


def _returns(told: Told) -> LongTable:
    heading = [
        _("Bet"),
        _("Return"),
        _("Declared"),
        _("Difference, in points"),
        _("Verdict"),
        _("Hit frequency"),
        _("Variance"),
        _("Standard deviation"),
    ]
    rows = [
        [
            Paragraph(escape(bet_words(one)), _SMALL),
            one["rtp"],
            one["declared"] or _NOTHING,
            points_words(one["rtp"], one["declared"]) or _NOTHING,
            Paragraph(escape(verdict_words(one["verdict"])), _SMALL),
            one.get("hit_frequency", _NOTHING),
            one.get("variance", _NOTHING),
            one.get("standard_deviation", _NOTHING),
        ]
        for one in told["returns"]
    ]
    heads = [Paragraph(escape(one), _HEAD) for one in heading]
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
