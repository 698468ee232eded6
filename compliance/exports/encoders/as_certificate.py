"""PDF: the certificate of a rule set, for people, in Italian; the same bytes each time."""

import io
from collections.abc import Mapping
from decimal import Decimal
from typing import Any, Final
from xml.sax.saxutils import escape

from django.utils.formats import localize
from django.utils.translation import gettext as _
from django.utils.translation import override
from reportlab.lib import colors
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.platypus import Flowable, LongTable, Paragraph, SimpleDocTemplate, Spacer

from compliance.certification.verdict import (
    CONTRADICTION,
    MULTIPLIERS,
    NONE_DECLARED,
    NOT_REPRODUCED,
    REPRODUCED,
)
from rounds.wording import kind_words

_BODY: Final = ParagraphStyle("body", fontName="Helvetica", fontSize=8, leading=11)
_SMALL: Final = ParagraphStyle("small", fontName="Helvetica", fontSize=6.5, leading=9)
_TITLE: Final = ParagraphStyle("title", fontName="Helvetica-Bold", fontSize=16, leading=22)
_HEADING: Final = ParagraphStyle(
    "heading", fontName="Helvetica-Bold", fontSize=10, leading=13, spaceBefore=10, spaceAfter=4
)
_NOTHING: Final = "-"

Told = Mapping[str, Any]


def verdict_words(verdict: str) -> str:
    """What is said of a declared figure, in the active language."""
    return {
        REPRODUCED: _("reproduced"),
        NOT_REPRODUCED: _("not reproduced"),
        CONTRADICTION: _("contradiction"),
        NONE_DECLARED: _("none declared"),
    }[verdict]


def play_words(one: Told) -> str:
    """How the hands are played and what the return is a share of; empty for a bet without both."""
    if one["strategy"] is None:
        return ""
    play = {
        "cd": _("best play by the very cards"),
        "td": _("best chart by totals"),
    }[one["strategy"]]
    basis = _("of the first stake") if one["basis"] == "initial" else _("of all that is staked")
    return f"{play}, {basis}"


def why_words(one: Told) -> str:
    """Why the verdict is what it is, in the active language; ``why`` says it in English."""
    if one["verdict"] == NONE_DECLARED:
        return _("The sheet declares no return for this bet.")
    if one["verdict"] == REPRODUCED:
        return _("Rounded as it is printed, it is %(declared)s %%.") % {"declared": one["declared"]}
    if one["verdict"] == CONTRADICTION:
        return _("At the printed odds no number of decks gives the declared figure.")
    points = localize(abs(Decimal(one["rtp"]) - Decimal(one["declared"])))
    if one["leaves_out"] == MULTIPLIERS:
        text = _(
            "The game without multiplier cards, which would have to add %(points)s points; how"
            " often they come is not on the sheet."
        )
    else:
        text = _("It differs from the declared figure by %(points)s points.")
    return text % {"points": points}


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
    facts = {
        _("Game"): told["game"],
        _("Sheet"): told["sheet"],
        _("Decks"): str(told["decks"]),
        _("In force from"): told["in_force_from"],
        _("Digest of the rule set"): told["rules_sha256"],
        _("Software build"): told["software"]["build"],
        _("Computed"): told["computed_at"],
        _("SHA-256 of the signed file"): digest,
    }
    story: list[Flowable] = [Paragraph(escape(title), _TITLE)]
    story += [Paragraph(f"<b>{name}</b> {escape(value)}", _BODY) for name, value in facts.items()]
    story += [Paragraph(_("Returns, in per cent"), _HEADING), _returns(told), Spacer(1, 3 * mm)]
    story.append(Paragraph(_("Why"), _HEADING))
    story += [
        Paragraph(f"<b>{escape(_name(one))}</b>: {escape(why_words(one))}", _BODY)
        for one in told["returns"]
    ]
    others = [(one, other) for one in told["returns"] for other in one["other_readings"]]
    if others:
        story.append(Paragraph(_("Under other readings"), _HEADING))
        story += [Paragraph(_other_words(one, other), _BODY) for one, other in others]
    return story


def _other_words(one: Told, other: Told) -> str:
    reading: str = other["reading"]
    return f"<b>{escape(_name(one))}</b> {other['rtp']} %: {escape(_(reading))}"


def _name(one: Told) -> str:
    play = play_words(one)
    return f"{kind_words(one['bet'])} ({play})" if play else kind_words(one["bet"])


def _returns(told: Told) -> LongTable:
    heading = [
        _("Bet"),
        _("Return"),
        _("Declared"),
        _("Verdict"),
        _("Hit frequency"),
        _("Variance"),
    ]
    rows = [
        [
            Paragraph(escape(_name(one)), _SMALL),
            one["rtp"],
            one["declared"] or _NOTHING,
            verdict_words(one["verdict"]),
            one.get("hit_frequency", _NOTHING),
            one.get("variance", _NOTHING),
        ]
        for one in told["returns"]
    ]
    widths = [width * mm for width in (56, 22, 20, 28, 32, 22)]
    table = LongTable([heading, *rows], repeatRows=1, hAlign="LEFT", colWidths=widths)
    table.setStyle(
        [
            ("FONT", (0, 0), (-1, 0), "Helvetica-Bold", 7.5),
            ("FONT", (0, 1), (-1, -1), "Helvetica", 7.5),
            ("BACKGROUND", (0, 0), (-1, 0), colors.HexColor("#f0f0f0")),
            ("LINEBELOW", (0, 0), (-1, -1), 0.4, colors.HexColor("#c8c8c8")),
            ("ALIGN", (1, 0), (-1, -1), "RIGHT"),
            ("VALIGN", (0, 0), (-1, -1), "MIDDLE"),
        ]
    )
    return table
