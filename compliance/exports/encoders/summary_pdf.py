"""PDF summary of a bundle, in Italian. Times are in Rome, money in euro.

Deterministic: the document has no creation date and no random ids.
"""

import io
from collections.abc import Mapping, Sequence
from datetime import date, datetime
from typing import Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import override
from reportlab.lib import colors
from reportlab.lib.pagesizes import A4, landscape
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.platypus import Flowable, LongTable, Paragraph, SimpleDocTemplate, Spacer

from compliance.exports.bundle.control_totals import Control
from compliance.exports.encoders.copy_stream import ordered
from compliance.exports.encoders.letterhead import letterhead, mark_page
from compliance.exports.registers.daily_alignment import ALIGNMENT
from compliance.exports.registers.register import Register
from compliance.exports.registers.rule_sets import RULE_SETS_IN_FORCE
from compliance.exports.registers.tax_base import TAX_BASE
from compliance.exports.reports.game_performance import GAME_PERFORMANCE
from compliance.exports.scope import COMPLIANCE_REPORTS, Scope, Snapshot
from compliance.exports.scope_registers import registers_of
from rounds.formatting import bet_kind_label
from rounds.gaming_day import ROME

_BODY: Final = ParagraphStyle("body", fontName="Helvetica", fontSize=8, leading=10)
_TITLE: Final = ParagraphStyle("title", fontName="Helvetica-Bold", fontSize=16, leading=20)
_HEADING: Final = ParagraphStyle(
    "heading", fontName="Helvetica-Bold", fontSize=10, leading=12, spaceBefore=12, spaceAfter=4
)
_LINE: Final = colors.HexColor("#c8c8c8")
_SHADE: Final = colors.HexColor("#f0f0f0")
_PER_PERCENT: Final = 10_000
_NOTHING: Final = "-"
_COUNTS: Final = ("stages", "void_stages", "open_stages", "bets")
_SUMS: Final = (
    "staked_cents",
    "open_cents",
    "refunded_cents",
    "winnings_cents",
    "difference_cents",
    "difference_change_cents",
)

Line = Mapping[str, Any]


def summary_of(snapshot: Snapshot, controls: Mapping[str, Control]) -> bytes:
    """The PDF summary of the registers of a snapshot."""
    content = io.BytesIO()
    with override("it"):
        of = snapshot.of
        title = _title(of)
        document = SimpleDocTemplate(
            content,
            pagesize=landscape(A4),
            leftMargin=15 * mm,
            rightMargin=15 * mm,
            topMargin=15 * mm,
            bottomMargin=15 * mm,
            title=title,
            author="Sabot",
            invariant=1,
        )
        story: list[Flowable] = [
            *letterhead(),
            Paragraph(title, _TITLE),
            Paragraph(" · ".join(map(_cp1252, _filters(of))), _BODY),
            *_registers(registers_of(of), controls),
        ]
        if ALIGNMENT.key in controls:
            story += _alignment(_lines(snapshot, ALIGNMENT))
        if TAX_BASE.key in controls:
            story += _tax_base(_lines(snapshot, TAX_BASE))
        if GAME_PERFORMANCE.key in controls:
            story += _performance(_lines(snapshot, GAME_PERFORMANCE))
        story += _rule_sets(_lines(snapshot, RULE_SETS_IN_FORCE))
        document.build(story, onFirstPage=mark_page, onLaterPages=mark_page)
    return content.getvalue()


def _title(of: Scope) -> str:
    if of.contents == COMPLIANCE_REPORTS:
        days = {"first": _day(of.first_day), "last": _day(of.last_day)}
        return _("Standard reports of the gaming days %(first)s to %(last)s") % days
    if of.first_day == of.last_day:
        return _("Registers of the gaming day %(day)s") % {"day": _day(of.first_day)}
    days = {"first": _day(of.first_day), "last": _day(of.last_day)}
    return _("Registers of the gaming days %(first)s to %(last)s") % days


def _filters(of: Scope) -> list[str]:
    """The filters of the scope."""
    named = [
        (_("Table"), of.table),
        (_("Rule set"), of.rules),
        (_("Customer"), of.customer),
    ]
    return [of.game or _("All games"), *(f"{name} {value}" for name, value in named if value)]


def _day(day: date) -> str:
    return day.strftime("%d/%m/%Y")


def _lines(snapshot: Snapshot, register: Register) -> list[Line]:
    names = [column.name for column in register.columns]
    query = ordered(register, ", ".join(f'line."{name}"' for name in names))
    return [dict(zip(names, row, strict=True)) for row in snapshot.rows(query)]


def _registers(registers: Sequence[Register], controls: Mapping[str, Control]) -> list[Flowable]:
    heading = [_("Name of the register"), _("Rows"), _("First time"), _("Last time")]
    rows = [
        [
            _(register.title),
            _number(controls[register.key].rows),
            _moment(controls[register.key].first_at),
            _moment(controls[register.key].last_at),
        ]
        for register in registers
    ]
    return _section(_("Contents of the bundle"), heading, rows, left=1)


def _alignment(lines: Sequence[Line]) -> list[Flowable]:
    heading = [
        _("Table"),
        _("Rule set"),
        _("Stages"),
        _("Void stages"),
        _("Open stages"),
        _("Bets"),
        _("Staked"),
        _("Open stakes"),
        _("Refunded"),
        _("Winnings"),
        _("Difference"),
        _("Corrections"),
        _("Gross win"),
    ]
    rows = [[_cp1252(line["table"]), _cp1252(line["rules"]), *_aligned(line)] for line in lines]
    if rows:
        rows.append([_("All tables"), "", *_aligned(_total(lines))])
    return _section(_("Daily alignment in euros, without golden chips"), heading, rows, left=2)


def _aligned(line: Line) -> list[str]:
    """Counts and amounts, which add up to the gross win."""
    win = line["difference_cents"] + line["difference_change_cents"]
    return [
        *(_number(line[name]) for name in _COUNTS),
        *(_euro(line[name]) for name in _SUMS),
        _euro(win),
    ]


def _total(lines: Sequence[Line]) -> Line:
    return {name: sum([line[name] for line in lines]) for name in (*_COUNTS, *_SUMS)}


def _tax_base(lines: Sequence[Line]) -> list[Flowable]:
    heading = [
        _("Game"),
        _("Difference"),
        _("Corrections"),
        _("Tax base"),
        _("Rate"),
        _("Tax"),
        _("Golden chips staked"),
        _("Golden chips returned"),
    ]
    rows = [
        [
            line["game"],
            _euro(line["difference_cents"]),
            _euro(line["difference_change_cents"]),
            _euro(line["base_cents"]),
            _rate(line["rate_per_million"]),
            _NOTHING if line["tax_cents"] is None else _euro(line["tax_cents"]),
            _euro(line["staked_chips_cents"]),
            _euro(line["returned_chips_cents"]),
        ]
        for line in lines
    ]
    return _section(_("Tax base by game, in euros"), heading, rows, left=1)


def _performance(lines: Sequence[Line]) -> list[Flowable]:
    heading = [
        _("Table"),
        _("Rule set"),
        _("Bet"),
        _("Rounds"),
        _("Bets"),
        _("Void bets"),
        _("Staked"),
        _("Open stakes"),
        _("Refunded"),
        _("Winnings"),
        _("Difference"),
        _("Declared return"),
        _("Actual return"),
    ]
    rows = [
        [
            _cp1252(line["table"]),
            _cp1252(line["rules"]),
            _cp1252(bet_kind_label(line["kind"])),
            *(_number(line[name]) for name in ("rounds", "bets", "void_bets")),
            *(_euro(line[name]) for name in _SUMS[:5]),
            _rate(line["declared_return"]),
            _rate(line["actual_return"]),
        ]
        for line in lines
    ]
    return _section(_("Game performance, in euros"), heading, rows, left=3)


def _rule_sets(lines: Sequence[Line]) -> list[Flowable]:
    heading = [_("Rule set"), "SHA-256", _("In force from"), _("Stages"), _("Corrections")]
    rows = [
        [
            line["rules"],
            bytes(line["digest"]).hex(),
            _NOTHING
            if line["in_force_from"] is None
            else line["in_force_from"].strftime("%d/%m/%Y"),
            _number(line["stages"]),
            _number(line["corrections"]),
        ]
        for line in lines
    ]
    return _section(_("Rule sets in force"), heading, rows, left=2)


def _section(title: str, heading: list[str], rows: list[list[str]], *, left: int) -> list[Flowable]:
    """A table under its title; the first ``left`` columns are text, the others numbers."""
    if not rows:
        return [Paragraph(title, _HEADING), Paragraph(_("None."), _BODY)]
    table = LongTable([heading, *rows], repeatRows=1, hAlign="LEFT")
    table.setStyle(
        [
            ("FONT", (0, 0), (-1, 0), "Helvetica-Bold", 7.5),
            ("FONT", (0, 1), (-1, -1), "Helvetica", 7.5),
            ("BACKGROUND", (0, 0), (-1, 0), _SHADE),
            ("LINEBELOW", (0, 0), (-1, -1), 0.4, _LINE),
            ("ALIGN", (left, 0), (-1, -1), "RIGHT"),
            ("TOPPADDING", (0, 0), (-1, -1), 2),
            ("BOTTOMPADDING", (0, 0), (-1, -1), 2),
        ]
    )
    return [Paragraph(title, _HEADING), table, Spacer(1, 2 * mm)]


def _cp1252(text: str) -> str:
    """The text with characters outside cp1252, the font's charset, replaced."""
    return text.encode("cp1252", "replace").decode("cp1252")


def _number(number: int) -> str:
    return f"{number:,}".replace(",", ".")


def _euro(cents: int) -> str:
    euro, rest = divmod(abs(cents), 100)
    return f"{'-' if cents < 0 else ''}{_number(euro)},{rest:02}"


def _rate(per_million: int | None) -> str:
    if per_million is None:
        return _NOTHING
    percent, rest = divmod(per_million, _PER_PERCENT)
    decimals = f",{rest:04}".rstrip("0") if rest else ""
    return f"{percent}{decimals} %"


def _moment(at: datetime | None) -> str:
    return _NOTHING if at is None else at.astimezone(ROME).strftime("%d/%m/%Y %H:%M:%S")
