"""Drawing of a round: the cards on the table layout, for PDF documents."""

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from reportlab.graphics.shapes import Drawing, Group, Rect, String
from reportlab.lib import colors

from rounds.formatting import SUIT_SYMBOLS, place_label
from rounds.layouts.table import LayoutCard, LayoutHand, lay_out_table

_TABLE: Final = colors.HexColor("#2a6552")
_TABLE_TEXT: Final = colors.HexColor("#eaf4f0")
_PAPER: Final = colors.white
_RED: Final = colors.HexColor("#c21f2b")
_BLACK: Final = colors.HexColor("#161a20")
_MARK: Final = colors.HexColor("#f0be5a")
_CARD: Final = (30.0, 42.0)
_STEP: Final = 21.0
"""Horizontal offset of overlapping cards."""
_GAP: Final = 22.0
_ROW: Final = 92.0
_MARGIN: Final = 14.0
_SIZE: Final = 8


class _Block(NamedTuple):
    """A hand with title and total."""

    title: str
    cards: tuple[LayoutCard, ...]
    total: str
    is_marked: bool

    @property
    def width(self) -> float:
        """Width of the cards or of the text."""
        cards = _CARD[0] + _STEP * (len(self.cards) - 1)
        return max(cards, 4.6 * max(len(self.title), len(self.total)))


def table_picture(
    dealt: Sequence[tuple[str, str]], *, boxes: int, marked: Iterable[int], width: float
) -> Drawing:
    """The cards of a round, ``width`` points wide; ``marked`` boxes are contested."""
    rows = _rows(_blocks(dealt, boxes, frozenset(marked)), width - 2 * _MARGIN)
    height = _MARGIN + _ROW * len(rows)
    drawing = Drawing(width, height)
    drawing.add(_area(0, 0, (width, height), _TABLE, radius=8))
    top = height - _MARGIN
    for row in rows:
        x = (width - sum(block.width for block in row) - _GAP * (len(row) - 1)) / 2
        for block in row:
            drawing.add(_drawn(block, x, top))
            x += block.width + _GAP
        top -= _ROW
    return drawing


def _blocks(
    dealt: Sequence[tuple[str, str]], boxes: int, marked: frozenset[int]
) -> list[list[_Block]]:
    """The dealer's row and that of the boxes; for baccarat, one row of both hands."""
    layout = lay_out_table(dealt, boxes=boxes)
    if layout.is_baccarat:
        return [[_block(hand, is_marked=False) for hand in layout.sides if hand.cards]]
    dealer = (
        [_block(layout.dealer, is_marked=False)] if layout.dealer and layout.dealer.cards else []
    )
    laid = [
        _block(hand, is_marked=box.number in marked)
        for box in layout.boxes
        for hand in box.hands
        if hand.cards
    ]
    return [row for row in (dealer, laid) if row]


def _block(hand: LayoutHand, *, is_marked: bool) -> _Block:
    return _Block(place_label(hand.place), hand.cards, hand.total, is_marked)


def _rows(blocks: Iterable[list[_Block]], width: float) -> list[list[_Block]]:
    """Wraps the blocks into rows of at most this width."""
    rows: list[list[_Block]] = []
    for together in blocks:
        rows.append([])
        used = 0.0
        for block in together:
            if rows[-1] and used + block.width > width:
                rows.append([])
                used = 0.0
            rows[-1].append(block)
            used += block.width + _GAP
    return rows


def _drawn(block: _Block, x: float, top: float) -> Group:
    middle = x + block.width / 2
    shapes: list[Rect | String] = [
        _words(block.title, middle, top - _SIZE, is_bold=block.is_marked)
    ]
    left = middle - (_CARD[0] + _STEP * (len(block.cards) - 1)) / 2
    bottom = top - _SIZE - 6 - _CARD[1]
    for number, card in enumerate(block.cards):
        shapes += _card(card.code, left + number * _STEP, bottom, is_marked=block.is_marked)
    shapes.append(_words(block.total, middle, bottom - _SIZE - 4, is_bold=True))
    return Group(*shapes)


def _card(code: str, x: float, y: float, *, is_marked: bool) -> list[Rect | String]:
    colour = _RED if code[1] in "HD" else _BLACK
    paper = _area(x, y, _CARD, _PAPER, radius=3)
    paper.strokeColor = _MARK if is_marked else _BLACK
    paper.strokeWidth = 1.6 if is_marked else 0.4
    return [
        paper,
        String(
            x + 3.5,
            y + _CARD[1] - 12,
            code[0].replace("T", "10"),
            fontName="Helvetica-Bold",
            fontSize=11,
            fillColor=colour,
        ),
        String(
            x + 3.5,
            y + _CARD[1] - 24,
            SUIT_SYMBOLS[code[1]],
            fontName="ZapfDingbats",
            fontSize=10,
            fillColor=colour,
        ),
    ]


def _area(
    x: float, y: float, size: tuple[float, float], colour: colors.Color, *, radius: float
) -> Rect:
    """A filled rectangle with round corners and without border."""
    area = Rect(x, y, *size, rx=radius, ry=radius)
    area.fillColor, area.strokeColor = colour, None
    return area


def _words(text: str, middle: float, y: float, *, is_bold: bool) -> String:
    return String(
        middle,
        y,
        text,
        textAnchor="middle",
        fontName="Helvetica-Bold" if is_bold else "Helvetica",
        fontSize=_SIZE,
        fillColor=_TABLE_TEXT,
    )
