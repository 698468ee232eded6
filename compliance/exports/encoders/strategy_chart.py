"""Strategy charts as SVG and as PDF drawings, from the signed certificate.

Colours differ in lightness, and every cell has a letter: the chart is readable without colours.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from reportlab.graphics.shapes import Drawing, Rect, String
from reportlab.lib import colors

_CELL: Final = (26.0, 17.0)
_NAME: Final = 44.0
_HEADING: Final = 24.0
_GAP: Final = 28.0
_SIZE: Final = 10.0
_BASELINE: Final = 0.35
"""Offset of the baseline below the middle, by font size."""
_LINE: Final = "#5f6672"

_LOOKS: Final = {
    "H": ("#fffbea", "#1b1f24"),
    "S": ("#e8c46a", "#1b1f24"),
    "D": ("#7fb2e5", "#1b1f24"),
    "P": ("#1d6f5a", "#ffffff"),
    "Z": ("#4b1d5e", "#ffffff"),
}
"""Fill and text colour by decision; lighter for smaller stakes."""


class Box(NamedTuple):
    """A rectangle with text, centred or left-aligned; y grows downwards."""

    x: float
    y: float
    width: float
    height: float
    text: str
    fill: str | None = None
    ink: str | None = None
    """None for the colour of the surrounding text."""
    is_bold: bool = False
    is_centred: bool = True


class Picture(NamedTuple):
    """A chart as boxes."""

    width: float
    height: float
    boxes: tuple[Box, ...]


def chart_picture(chart: Mapping[str, Any]) -> Picture:
    """The layout: hard totals left, soft totals and pairs right, legend below."""
    upcards, rows = chart["upcards"], chart["rows"]
    hard, soft, pairs = (
        [row for row in rows if _block_of(row["hand"]) == block] for block in ("hard", "soft", "")
    )
    block_width = _NAME + len(upcards) * _CELL[0]
    right = block_width + _GAP
    below_soft = _height_of(soft)
    height = max(_height_of(hard), below_soft + _height_of(pairs))
    boxes = [
        *_block(_("Hard totals"), upcards, hard, x=0, y=0),
        *_block(_("Soft totals"), upcards, soft, x=right, y=0),
        *_block(_("Pairs"), upcards, pairs, x=right, y=below_soft),
    ]
    used = {letters for row in rows for letters in row["decisions"]}
    legend = list(_legend(used, width=right + block_width, y=height + _GAP / 2))
    end = max(box.y + box.height for box in legend)
    return Picture(right + block_width, end + 1, (*boxes, *legend))


def chart_svg(chart: Mapping[str, Any]) -> SafeString:
    """The chart as inline SVG."""
    picture = chart_picture(chart)
    boxes = format_html_join("", "{}", ((_as_svg(box),) for box in picture.boxes))
    return format_html(
        '<svg xmlns="http://www.w3.org/2000/svg" class="strategy-chart" role="img" aria-label="{}"'
        ' viewBox="-1 -1 {} {}" font-family="Helvetica, Arial, sans-serif" font-size="{}">{}</svg>',
        _("Best strategy by totals"),
        picture.width + 2,
        picture.height + 2,
        _SIZE,
        boxes,
    )


def chart_drawing(chart: Mapping[str, Any], *, width: float) -> Drawing:
    """The chart for a PDF, ``width`` points wide."""
    picture = chart_picture(chart)
    scale = width / picture.width
    drawing = Drawing(width, picture.height * scale)
    drawing.scale(scale, scale)
    for box in picture.boxes:
        for shape in _as_shapes(box, picture.height):
            drawing.add(shape)
    return drawing


def _block_of(hand: str) -> str:
    """``hard`` or ``soft`` for totals, empty for a pair."""
    return hand.partition(" ")[0] if " " in hand else ""


def _height_of(rows: Sequence[Mapping[str, Any]]) -> float:
    return _HEADING + (1 + len(rows)) * _CELL[1]


def _block(
    title: str, upcards: Sequence[str], rows: Sequence[Mapping[str, Any]], *, x: float, y: float
) -> Iterator[Box]:
    width, height = _CELL
    yield Box(x, y, _NAME + 10 * width, _HEADING, title, is_bold=True, is_centred=False)
    top = y + _HEADING
    for column, upcard in enumerate(upcards):
        yield Box(x + _NAME + column * width, top, width, height, upcard, is_bold=True)
    for place, row in enumerate(rows, 1):
        line = top + place * height
        name = row["hand"].rpartition(" ")[2].replace("+", ", ")
        yield Box(x, line, _NAME, height, name, is_bold=True)
        for column, letters in enumerate(row["decisions"]):
            yield _decision(letters, x + _NAME + column * width, line)


def _decision(letters: str, x: float, y: float) -> Box:
    fill, ink = _LOOKS[letters[0]]
    return Box(x, y, *_CELL, letters.capitalize(), fill, ink)


def _legend(used: set[str], *, width: float, y: float) -> Iterator[Box]:
    """The legend of the letters in use, four per line."""
    words = {
        "H": _("hit"),
        "S": _("stand"),
        "DH": _("double, else hit"),
        "DS": _("double, else stand"),
        "P": _("split"),
        "ZH": _("zap, else hit"),
        "ZS": _("zap, else stand"),
    }
    entry_width, entries_per_line = width / 4, 4
    for place, letters in enumerate(key for key in words if key in used):
        line, column = divmod(place, entries_per_line)
        x, top = column * entry_width, y + line * 1.4 * _CELL[1]
        yield _decision(letters, x, top)
        text_x = x + _CELL[0] + 6
        yield Box(text_x, top, entry_width - _CELL[0], _CELL[1], words[letters], is_centred=False)


def _as_svg(box: Box) -> SafeString:
    x = box.x + box.width / 2 if box.is_centred else box.x
    text = format_html(
        '<text x="{}" y="{}" text-anchor="{}" fill="{}"{}>{}</text>',
        x,
        f"{box.y + box.height / 2 + _BASELINE * _SIZE:.2f}",
        "middle" if box.is_centred else "start",
        box.ink or "currentColor",
        format_html(' font-weight="{}"', 700) if box.is_bold else "",
        box.text,
    )
    if box.fill is None:
        return text
    return format_html(
        '<rect x="{}" y="{}" width="{}" height="{}" fill="{}" stroke="{}" stroke-width=".5"/>{}',
        box.x,
        box.y,
        box.width,
        box.height,
        box.fill,
        _LINE,
        text,
    )


def _as_shapes(box: Box, height: float) -> Iterator[Rect | String]:
    """The shapes of a box where y grows upwards."""
    if box.fill is not None:
        rectangle = Rect(box.x, height - box.y - box.height, box.width, box.height)
        fill, line = colors.HexColor(box.fill), colors.HexColor(_LINE)
        rectangle.setProperties({"fillColor": fill, "strokeColor": line, "strokeWidth": 0.5})
        yield rectangle
    yield String(
        box.x + box.width / 2 if box.is_centred else box.x,
        height - box.y - box.height / 2 - _BASELINE * _SIZE,
        box.text,
        fontName="Helvetica-Bold" if box.is_bold else "Helvetica",
        fontSize=_SIZE,
        textAnchor="middle" if box.is_centred else "start",
        fillColor=colors.HexColor(box.ink or "#000000"),
    )
