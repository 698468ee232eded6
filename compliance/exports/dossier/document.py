"""PDF of a dossier, in Italian or in English; deterministic.

Generated from the signed JSON and the letterhead of the settings.
"""

import io
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final
from xml.sax.saxutils import escape

from django.utils.translation import gettext as _
from django.utils.translation import override
from reportlab.lib import colors
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.platypus import Flowable, KeepTogether, Paragraph, SimpleDocTemplate, Spacer, Table

from compliance.exports.dossier.models import Dossier
from compliance.exports.dossier.table_drawing import table_picture
from compliance.exports.dossier.texts import day, decision_sentences, moment, with_suits
from compliance.exports.encoders.letterhead import letterhead, mark_page
from payouts.disputes.models import Dispute, DisputeStep
from payouts.disputes.status import State
from rounds.formatting import NONE, bet_kind_label, euro
from rounds.row_mapping import cards_of

_BODY: Final = ParagraphStyle("body", fontName="Helvetica", fontSize=9, leading=13, spaceAfter=2)
_SMALL: Final = ParagraphStyle(
    "small", parent=_BODY, fontSize=7, leading=10, textColor=colors.HexColor("#616c7a")
)
_QUOTE: Final = ParagraphStyle(
    "quote", parent=_BODY, leftIndent=8, textColor=colors.HexColor("#232a33")
)
_TITLE: Final = ParagraphStyle("title", fontName="Helvetica-Bold", fontSize=17, leading=24)
_HEADING: Final = ParagraphStyle(
    "heading",
    fontName="Helvetica-Bold",
    fontSize=11,
    leading=14,
    spaceBefore=12,
    spaceAfter=4,
    keepWithNext=1,
)
_LINE: Final = colors.HexColor("#e3e7ec")
_WIDTH: Final = A4[0] - 36 * mm

Json = Mapping[str, Any]


def dossier_pdf(dossier: Json, *, language: str, digest: str) -> bytes:
    """The document; ``digest`` is that of the signed JSON."""
    content = io.BytesIO()
    with override(language):
        title = _("Dossier of dispute %(dispute)s") % {"dispute": dossier["dispute"]["reference"]}
        document = SimpleDocTemplate(
            content,
            pagesize=A4,
            leftMargin=18 * mm,
            rightMargin=18 * mm,
            topMargin=16 * mm,
            bottomMargin=16 * mm,
            title=title,
            author="Sabot",
            lang=language,
            invariant=1,
        )
        story: list[Flowable] = [
            *letterhead(),
            Paragraph(escape(title), _TITLE),
            *_facts(dossier, digest),
            *_claim(dossier),
            *_round(dossier),
            *_rules(dossier, language),
            *_why(dossier, language),
            *_readings(dossier, language),
            *_likely(dossier, language),
            *_steps(dossier),
            *_signatures(dossier),
            *_proofs(dossier),
        ]
        document.build(story, onFirstPage=_foot, onLaterPages=_foot)
    return content.getvalue()


def _foot(canvas: Any, document: Any) -> None:
    mark_page(canvas, document)
    canvas.setFont("Helvetica", 7)
    canvas.setFillColor(colors.HexColor("#616c7a"))
    canvas.drawRightString(A4[0] - 18 * mm, 9 * mm, str(document.page))


def _facts(dossier: Json, digest: str) -> Iterator[Flowable]:
    row, rules = dossier["finding"]["round"], dossier["rules"]
    facts = {
        _("Recipient"): str(Dossier.Audience(dossier["audience"]).label),
        _("State"): str(State(dossier["state"]).label),
        _("Customer"): dossier["dispute"]["customer"],
        _("Round"): f"{row['code']} · {row['reference']} · {moment(row['opened_at'])}",
        _("Table"): f"{row['table']} · {rules['game'] or rules['name']}",
        _("AAMS session"): row["aams_session"],
        _("AAMS participation"): ", ".join(
            dict.fromkeys(bet["aams_participation"] for bet in dossier["finding"]["bets"])
        ),
        _("Created"): moment(dossier["made_at"]),
        _("SHA-256 of the signed file"): digest,
    }
    rows = [
        [Paragraph(escape(name), _SMALL), Paragraph(with_suits(value or NONE), _BODY)]
        for name, value in facts.items()
    ]
    yield _table(rows, [38 * mm, _WIDTH - 38 * mm])


def _claim(dossier: Json) -> Iterator[Flowable]:
    dispute, finding = dossier["dispute"], dossier["finding"]
    reason = str(Dispute.Reason(dispute["reason"]).label)
    yield Paragraph(_("Disputed item"), _HEADING)
    yield Paragraph(f"<b>{escape(reason)}</b>", _BODY)
    yield Paragraph(with_suits(dispute["text"]), _QUOTE)
    settled = [bet["settled"]["payout_cents"] for bet in finding["bets"] if bet["settled"]]
    rules = [bet["rules_give"]["payout_cents"] for bet in finding["bets"] if bet["rules_give"]]
    figures = {
        _("Claimed"): euro(dispute["claimed_cents"]),
        _("Paid"): euro(sum(settled)) if settled else NONE,
        _("Under the rules"): euro(sum(rules)) if rules else NONE,
    }
    yield Spacer(1, 2 * mm)
    cells = [
        [Paragraph(escape(name), _SMALL) for name in figures],
        [Paragraph(f"<b>{escape(value)}</b>", _TITLE) for value in figures.values()],
    ]
    yield Table(cells, colWidths=[_WIDTH / len(figures)] * len(figures), hAlign="LEFT")


def _round(dossier: Json) -> Iterator[Flowable]:
    row, bets = dossier["finding"]["round"], dossier["finding"]["bets"]
    if dossier["rules"]["boxes"] is None:
        return
    marked = {bet["box"] for bet in bets if bet["box"] is not None}
    drawing = table_picture(
        cards_of(row["cards"]), boxes=dossier["rules"]["boxes"], marked=marked, width=_WIDTH
    )
    yield KeepTogether([Paragraph(_("The round"), _HEADING), drawing])


def _rules(dossier: Json, language: str) -> Iterator[Flowable]:
    rules: list[list[Flowable]] = [
        [
            Paragraph(f"<b>{with_suits(rule['title'][language])}</b>", _BODY),
            Paragraph(with_suits(rule["summary"][language]), _BODY),
            Paragraph(with_suits(_cited(rule)), _SMALL),
        ]
        for rule in dossier["rules"].get("applied", ())  # absent in older dossiers
    ]
    if rules:
        yield from _unbroken(_("Rule that decided the bet"), rules)


def _why(dossier: Json, language: str) -> Iterator[Flowable]:
    yield Paragraph(_("Reason for the payout"), _HEADING)
    for bet in dossier["finding"]["bets"]:
        paid = bet["settled"] or bet["rules_give"]
        heading = _("%(bet)s %(kind)s: staked %(staked)s, paid %(paid)s") % {
            "bet": bet["reference"],
            "kind": bet_kind_label(bet["kind"]),
            "staked": euro(bet["staked_cents"]),
            "paid": euro(paid["payout_cents"] if paid else None),
        }
        yield Paragraph(f"<b>{escape(heading)}</b>", _BODY)
        rows = [
            [
                Paragraph(with_suits(step["text"][language]), _BODY),
                Paragraph(with_suits(_heading(step)), _SMALL),
            ]
            for step in bet["steps"]
        ]
        if rows:
            yield _table(rows, [_WIDTH - 58 * mm, 58 * mm])
        if bet["siblings"]["count"]:
            yield Paragraph(_siblings(bet["siblings"]["count"]), _SMALL)


def _readings(dossier: Json, language: str) -> Iterator[Flowable]:
    readings: list[list[Flowable]] = [
        [
            Paragraph(f"<b>{with_suits(reading['title'][language])}</b>", _BODY),
            Paragraph(with_suits(reading["reading"][language]), _BODY),
            Paragraph(with_suits(reading["why"][language]), _SMALL),
        ]
        for reading in dossier["finding"]["readings"]
    ]
    if readings:
        yield from _unbroken(_("Rule interpretations"), readings)


def _unbroken(heading: str, parts: Sequence[list[Flowable]]) -> Iterator[Flowable]:
    """Parts without page breaks inside, nor after the heading."""
    first, *others = parts
    yield KeepTogether([Paragraph(escape(heading), _HEADING), *first])
    yield from map(KeepTogether, others)


def _likely(dossier: Json, language: str) -> Iterator[Flowable]:
    for likelihood in dossier["likelihood"]:
        yield Paragraph(_("Probability"), _HEADING)
        for sentence in likelihood["text"][language]:
            yield Paragraph(with_suits(sentence), _BODY)


def _steps(dossier: Json) -> Iterator[Flowable]:
    parts = []
    for step in dossier["steps"]:
        action = str(DisputeStep.Action(step["action"]).label)
        about = f"{moment(step['at'])} · {step['actor']}"
        if step["reference"]:
            about += f" · {step['reference']}, {day(step['on_day'])}"
        paragraphs: list[Flowable] = [Paragraph(f"<b>{escape(action)}</b> {escape(about)}", _BODY)]
        if step["note"]:
            paragraphs.append(Paragraph(with_suits(step["note"]), _QUOTE))
        cited = ", ".join(_cited(citation) for citation in step["citations"])
        if cited:
            paragraphs.append(Paragraph(with_suits(cited), _SMALL))
        parts.append(paragraphs)
    yield from _unbroken(_("Steps taken"), parts)
    for file in dossier["evidence"]:
        yield Paragraph(escape(f"{file['name']} · SHA-256 {file['sha256']}"), _SMALL)


def _signatures(dossier: Json) -> Iterator[Flowable]:
    sentences = list(decision_sentences(dossier))
    if sentences:
        yield Paragraph(_("Who decided"), _HEADING)
    for sentence in sentences:
        yield Paragraph(escape(sentence), _BODY)


def _proofs(dossier: Json) -> Iterator[Flowable]:
    yield Paragraph(_("Proofs"), _HEADING)
    yield Paragraph(
        _(
            "The signed file contains all of the above, with a proof that each audit record is in"
            " the signed log. Anyone who has the operator's certificate can verify both."
        ),
        _BODY,
    )
    logged = [proof for proof in dossier["proofs"] if "leaf_index" in proof]
    waiting = len(dossier["proofs"]) - len(logged)
    words = _("%(count)s records are in the log; %(waiting)s are not in the log yet.") % {
        "count": len(logged),
        "waiting": waiting,
    }
    yield Paragraph(escape(words), _BODY)
    rows = [
        [str(proof["leaf_index"]), Paragraph(escape(proof["head"]["root"]), _SMALL)]
        for proof in logged
    ]
    if rows:
        heading = [[_("Leaf"), _("Root of the log")]]
        yield _table(heading + rows, [24 * mm, _WIDTH - 24 * mm])


def _siblings(number: int) -> str:
    return escape(
        _("Other customers' bets in the same situation: %(number)s.") % {"number": number}
    )


def _heading(step: Json) -> str:
    return f"[{step['sheet']}] {step['heading']}" if step["sheet"] else ""


def _cited(citation: Any) -> str:
    if not isinstance(citation, dict):
        return str(citation)
    return f"[{citation['sheet']}] {citation['heading']}"


def _table(rows: list[list[Any]], widths: list[float]) -> Table:
    style: list[Any] = [
        ("LINEBELOW", (0, 0), (-1, -1), 0.4, _LINE),
        ("VALIGN", (0, 0), (-1, -1), "TOP"),
        ("FONTSIZE", (0, 0), (-1, -1), 8),
        ("LEFTPADDING", (0, 0), (0, -1), 0),
        ("TOPPADDING", (0, 0), (-1, -1), 2),
        ("BOTTOMPADDING", (0, 0), (-1, -1), 2),
    ]
    return Table(rows, colWidths=widths, style=style, hAlign="LEFT")
