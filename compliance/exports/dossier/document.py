"""PDF: a dossier for people, in Italian or in English; the same bytes each time.

It is made of the signed JSON alone, so that it can say nothing else.
"""

import io
import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime
from typing import Any, Final
from xml.sax.saxutils import escape

from django.utils import formats
from django.utils.translation import gettext as _
from django.utils.translation import override
from reportlab.lib import colors
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.platypus import Flowable, KeepTogether, Paragraph, SimpleDocTemplate, Spacer, Table

from compliance.exports.dossier.felt_drawing import felt_drawing
from compliance.exports.dossier.models import Dossier
from payouts.disputes.standing import State
from payouts.models import Dispute, DisputeStep
from rounds.storage import cards_of
from rounds.wording import NONE, euro, in_rome, kind_words

_BODY: Final = ParagraphStyle("body", fontName="Helvetica", fontSize=9, leading=13, spaceAfter=2)
_SMALL: Final = ParagraphStyle(
    "small", parent=_BODY, fontSize=7, leading=10, textColor=colors.HexColor("#616c7a")
)
_SAID: Final = ParagraphStyle(
    "said",
    parent=_BODY,
    leftIndent=8,
    textColor=colors.HexColor("#232a33"),
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
_SUITS: Final = re.compile("[\u2660\u2663\u2665\u2666]")
_THIN: Final = "\N{NO-BREAK SPACE}"
"""The font's own widths are too narrow for what stands behind a suit."""
_RED: Final = "\u2665\u2666"

Told = Mapping[str, Any]


def dossier_pdf(told: Told, *, language: str, digest: str) -> bytes:
    """The document; ``digest`` is that of the signed JSON."""
    content = io.BytesIO()
    with override(language):
        title = _("Dossier of dispute %(dispute)s") % {"dispute": told["dispute"]["reference"]}
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
        story: list[Flowable] = [Paragraph(escape(title), _TITLE), *_facts(told, digest)]
        story += [
            *_claim(told),
            *_round(told),
            *_rules(told, language),
            *_why(told, language),
            *_readings(told, language),
            *_likely(told, language),
            *_steps(told),
            *_proofs(told),
        ]
        document.build(story, onFirstPage=_foot, onLaterPages=_foot)
    return content.getvalue()


def _foot(canvas: Any, document: Any) -> None:  # noqa: ANN401  reportlab's
    canvas.setFont("Helvetica", 7)
    canvas.setFillColor(colors.HexColor("#616c7a"))
    canvas.drawRightString(A4[0] - 18 * mm, 9 * mm, str(document.page))


def _facts(told: Told, digest: str) -> Iterator[Flowable]:
    row, rules = told["finding"]["round"], told["rules"]
    facts = {
        _("For"): str(Dossier.Audience(told["audience"]).label),
        _("State"): str(State(told["state"]).label),
        _("Customer"): told["dispute"]["customer"],
        _("Round"): f"{row['code']} · {row['reference']} · {_moment(row['opened_at'])}",
        _("Table"): f"{row['table']} · {rules['game'] or rules['name']}",
        _("AAMS session"): row["aams_session"],
        _("AAMS participation"): ", ".join(
            dict.fromkeys(bet["aams_participation"] for bet in told["finding"]["bets"])
        ),
        _("Made"): _moment(told["made_at"]),
        _("SHA-256 of the signed file"): digest,
    }
    rows = [
        [Paragraph(escape(name), _SMALL), Paragraph(_with_suits(value or NONE), _BODY)]
        for name, value in facts.items()
    ]
    yield _table(rows, [38 * mm, _WIDTH - 38 * mm])


def _claim(told: Told) -> Iterator[Flowable]:
    dispute, finding = told["dispute"], told["finding"]
    reason = str(Dispute.Reason(dispute["reason"]).label)
    yield Paragraph(_("What is contested"), _HEADING)
    yield Paragraph(f"<b>{escape(reason)}</b>", _BODY)
    yield Paragraph(_with_suits(dispute["text"]), _SAID)
    settled = [bet["settled"]["payout_cents"] for bet in finding["bets"] if bet["settled"]]
    rules = [bet["rules_give"]["payout_cents"] for bet in finding["bets"] if bet["rules_give"]]
    figures = {
        _("Claimed"): euro(dispute["claimed_cents"]),
        _("Paid"): euro(sum(settled)) if settled else NONE,
        _("By the rules, from the cards"): euro(sum(rules)) if rules else NONE,
    }
    yield Spacer(1, 2 * mm)
    cells = [
        [Paragraph(escape(name), _SMALL) for name in figures],
        [Paragraph(f"<b>{escape(value)}</b>", _TITLE) for value in figures.values()],
    ]
    yield Table(cells, colWidths=[_WIDTH / len(figures)] * len(figures), hAlign="LEFT")


def _round(told: Told) -> Iterator[Flowable]:
    row, bets = told["finding"]["round"], told["finding"]["bets"]
    if told["rules"]["boxes"] is None:
        return
    marked = {bet["box"] for bet in bets if bet["box"] is not None}
    drawing = felt_drawing(
        cards_of(row["cards"]), boxes=told["rules"]["boxes"], marked=marked, width=_WIDTH
    )
    yield KeepTogether([Paragraph(_("The round"), _HEADING), drawing])


def _rules(told: Told, language: str) -> Iterator[Flowable]:
    rules: list[list[Flowable]] = [
        [
            Paragraph(f"<b>{_with_suits(rule['title'][language])}</b>", _BODY),
            Paragraph(_with_suits(rule["summary"][language]), _BODY),
            Paragraph(_with_suits(_cited(rule)), _SMALL),
        ]
        for rule in told["rules"].get("applied", ())  # older ones do not say it
    ]
    if rules:
        yield from _under(_("The rule that decided"), rules)


def _why(told: Told, language: str) -> Iterator[Flowable]:
    yield Paragraph(_("Why it was paid so"), _HEADING)
    for bet in told["finding"]["bets"]:
        paid = bet["settled"] or bet["rules_give"]
        heading = _("%(bet)s %(kind)s: staked %(staked)s, paid %(paid)s") % {
            "bet": bet["reference"],
            "kind": kind_words(bet["kind"]),
            "staked": euro(bet["staked_cents"]),
            "paid": euro(paid["payout_cents"] if paid else None),
        }
        yield Paragraph(f"<b>{escape(heading)}</b>", _BODY)
        rows = [
            [
                Paragraph(_with_suits(step["text"][language]), _BODY),
                Paragraph(_with_suits(_heading(step)), _SMALL),
            ]
            for step in bet["steps"]
        ]
        if rows:
            yield _table(rows, [_WIDTH - 58 * mm, 58 * mm])
        if bet["siblings"]["count"]:
            yield Paragraph(_siblings(bet["siblings"]["count"]), _SMALL)


def _readings(told: Told, language: str) -> Iterator[Flowable]:
    readings: list[list[Flowable]] = [
        [
            Paragraph(f"<b>{_with_suits(reading['title'][language])}</b>", _BODY),
            Paragraph(_with_suits(reading["reading"][language]), _BODY),
            Paragraph(_with_suits(reading["why"][language]), _SMALL),
        ]
        for reading in told["finding"]["readings"]
    ]
    if readings:
        yield from _under(_("How the sheet is read where it can be read in two ways"), readings)


def _under(heading: str, parts: Sequence[list[Flowable]]) -> Iterator[Flowable]:
    """Parts that no page ends within, nor between the heading and the first of them."""
    first, *others = parts
    yield KeepTogether([Paragraph(escape(heading), _HEADING), *first])
    yield from map(KeepTogether, others)


def _likely(told: Told, language: str) -> Iterator[Flowable]:
    for one in told["likelihood"]:
        yield Paragraph(_("How likely it was"), _HEADING)
        for sentence in one["text"][language]:
            yield Paragraph(_with_suits(sentence), _BODY)


def _steps(told: Told) -> Iterator[Flowable]:
    parts = []
    for step in told["steps"]:
        action = str(DisputeStep.Action(step["action"]).label)
        about = f"{_moment(step['at'])} · {step['actor']}"
        if step["reference"]:
            about += f" · {step['reference']}, {_day(step['on_day'])}"
        told_of: list[Flowable] = [Paragraph(f"<b>{escape(action)}</b> {escape(about)}", _BODY)]
        if step["note"]:
            told_of.append(Paragraph(_with_suits(step["note"]), _SAID))
        cited = ", ".join(_cited(one) for one in step["citations"])
        if cited:
            told_of.append(Paragraph(_with_suits(cited), _SMALL))
        parts.append(told_of)
    yield from _under(_("What was done"), parts)
    for one in told["evidence"]:
        yield Paragraph(escape(f"{one['name']} · SHA-256 {one['sha256']}"), _SMALL)


def _proofs(told: Told) -> Iterator[Flowable]:
    yield Paragraph(_("Proofs"), _HEADING)
    yield Paragraph(
        _(
            "Everything above is in the signed file, with the proof of each audit record that it"
            " is in the signed log. With the certificate of the operator anybody can verify both."
        ),
        _BODY,
    )
    in_log = [one for one in told["proofs"] if "leaf_index" in one]
    waiting = len(told["proofs"]) - len(in_log)
    words = _("%(count)s records are in the log; %(waiting)s still wait for it.") % {
        "count": len(in_log),
        "waiting": waiting,
    }
    yield Paragraph(escape(words), _BODY)
    rows = [
        [str(one["leaf_index"]), Paragraph(escape(one["head"]["root"]), _SMALL)] for one in in_log
    ]
    if rows:
        heading = [[_("Leaf"), _("Root of the log")]]
        yield _table(heading + rows, [24 * mm, _WIDTH - 24 * mm])


def _siblings(number: int) -> str:
    return escape(
        _("Other customers' bets in the same situation: %(number)s.") % {"number": number}
    )


def _heading(step: Told) -> str:
    return f"[{step['sheet']}] {step['heading']}" if step["sheet"] else ""


def _cited(one: Any) -> str:  # noqa: ANN401  JSON
    return f"[{one['sheet']}] {one['heading']}" if isinstance(one, dict) else str(one)


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


def _with_suits(text: str) -> str:
    """The text with its suits in the one standard font that has them, red ones in red."""
    return _SUITS.sub(_suit, escape(text)).replace("\n", "<br/>")


def _suit(match: re.Match[str]) -> str:
    colour = "#c21f2b" if match[0] in _RED else "#161a20"
    return f'<font name="ZapfDingbats" color="{colour}">{match[0]}</font>{_THIN}'


def _moment(text: str) -> str:
    local, zone = in_rome(datetime.fromisoformat(text))
    return formats.date_format(local, "j F Y, H:i:s") + zone


def _day(text: str | None) -> str:
    return formats.date_format(date.fromisoformat(text), "j F Y") if text else ""
