"""Charts of what was measured as SVG, drawn without a library."""

from collections.abc import Mapping, Sequence
from html import escape
from typing import Final, NamedTuple

Points = Sequence[tuple[float, float]]
"""Places on the axis, and values."""

_WIDTH: Final = 860
_HEIGHT: Final = 300
_LEFT: Final = 64
_RIGHT: Final = 16
_TOP: Final = 34
_BOTTOM: Final = 66
_COLOURS: Final = (
    *("#2563eb", "#d97706", "#059669", "#dc2626", "#7c3aed", "#0891b2"),
    *("#be185d", "#65a30d", "#475569", "#92400e", "#1d4ed8", "#15803d"),
)
_TICKS: Final = 4
_THOUSAND: Final = 1000
_NAMES: Final = 180
_BAR: Final = 30
"""The place of the first part of a bar, and the height of one with its gap."""
_STYLE: Final = (
    "text{font:12px sans-serif;fill:#334155}.t{font-size:14px;font-weight:600}"
    ".g{stroke:#e2e8f0}.f{fill:#fee2e2}"
)
_LEGEND_STEP: Final = 128
_A_LINE: Final = 6


class Lines(NamedTuple):
    """Lines over an axis that begins at 0."""

    title: str
    unit: str
    lines: Mapping[str, Points]
    end: float
    """Of the axis."""
    ticks: Mapping[float, str]
    """What stands below the axis."""
    marks: Points = ()
    """Parts of the axis in red, by their first and their last place."""

    def svg(self) -> str:
        """The picture; its title is its text for readers who do not see it."""
        top = _rounded_up(max((y for line in self.lines.values() for _, y in line), default=0))
        parts = [
            *(self._mark(first, last) for first, last in self.marks),
            *self._axes(top),
            *(self._line(number, points, top) for number, points in enumerate(self.lines.values())),
        ]
        return _picture(self.title, self.unit, parts, height=_HEIGHT, names=[*self.lines])

    def _x(self, place: float) -> float:
        return _LEFT + place / self.end * (_WIDTH - _LEFT - _RIGHT)

    def _mark(self, first: float, last: float) -> str:
        x, width = self._x(first), max(1.5, self._x(last) - self._x(first))
        height = _HEIGHT - _TOP - _BOTTOM
        return f'<rect class="f" x="{x:.1f}" y="{_TOP}" width="{width:.1f}" height="{height}"/>'

    def _axes(self, top: float) -> Sequence[str]:
        parts = []
        for tick in range(_TICKS + 1):
            value, y = top * tick / _TICKS, _y(tick / _TICKS)
            parts.append(
                f'<line class="g" x1="{_LEFT}" x2="{_WIDTH - _RIGHT}" y1="{y:.1f}" y2="{y:.1f}"/>'
                f'<text x="{_LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">{_number(value)}</text>'
            )
        for place, name in self.ticks.items():
            anchor = "end" if place == self.end else "middle"
            at = f'x="{self._x(place):.1f}" y="{_HEIGHT - _BOTTOM + 18}" text-anchor="{anchor}"'
            parts.append(f"<text {at}>{escape(name)}</text>")
        return parts

    def _line(self, number: int, points: Points, top: float) -> str:
        path = " ".join(f"{self._x(x):.1f},{_y(y / top):.1f}" for x, y in points)
        colour = _colour(number)
        return f'<polyline fill="none" stroke="{colour}" stroke-width="1.5" points="{path}"/>'


class Bars(NamedTuple):
    """Bars of several parts, one below the other."""

    title: str
    unit: str
    bars: Mapping[str, Mapping[str, float]]
    """By their names; the parts of each by theirs."""

    def svg(self) -> str:
        """The picture; its title is its text for readers who do not see it."""
        names = [*dict.fromkeys(name for parts in self.bars.values() for name in parts)]
        top = _rounded_up(max((sum(parts.values()) for parts in self.bars.values()), default=0))
        height = _TOP + _BAR * len(self.bars) + _BOTTOM
        drawn = []
        for row, (bar, parts) in enumerate(self.bars.items()):
            y, place = _TOP + _BAR * row, 0.0
            drawn.append(
                f'<text x="{_NAMES - 8}" y="{y + 17}" text-anchor="end">{escape(bar)}</text>'
            )
            for name, value in parts.items():
                x, width = _NAMES + place * self._scale(top), value * self._scale(top)
                place += value
                drawn.append(
                    f'<rect x="{x:.1f}" y="{y + 2}" width="{width:.1f}" height="{_BAR - 8}"'
                    f' fill="{_colour(names.index(name))}"><title>{escape(name)}: {value:.3g}'
                    "</title></rect>"
                )
            x = _NAMES + place * self._scale(top) + 6
            drawn.append(f'<text x="{x:.1f}" y="{y + 17}">{place:.3g}</text>')
        return _picture(self.title, self.unit, drawn, height=height, names=names)

    @staticmethod
    def _scale(top: float) -> float:
        return (_WIDTH - _NAMES - 4 * _RIGHT) / top


def _picture(
    title: str, unit: str, parts: Sequence[str], *, height: int, names: Sequence[str]
) -> str:
    """With a legend of these names below."""
    whole = height + 16 * ((len(names) - 1) // _A_LINE)
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {whole}" role="img">',
            f"<title>{escape(title)}</title><style>{_STYLE}</style>",
            f'<rect width="{_WIDTH}" height="{whole}" fill="#fff"/>',
            f'<text class="t" x="{_LEFT}" y="20">{escape(title)}, {escape(unit)}</text>',
            *parts,
            *(_legend(number, name, height) for number, name in enumerate(names)),
            "</svg>\n",
        ]
    )


def _legend(number: int, name: str, height: int) -> str:
    x = _LEFT + number % _A_LINE * _LEGEND_STEP
    y = height - 22 + 16 * (number // _A_LINE)
    return (
        f'<rect x="{x}" y="{y - 9}" width="10" height="10" fill="{_colour(number)}"/>'
        f'<text x="{x + 15}" y="{y}">{escape(name)}</text>'
    )


def _colour(number: int) -> str:
    return _COLOURS[number % len(_COLOURS)]


def _number(value: float) -> str:
    """Four digits at least, and never an exponent."""
    return f"{value:,.0f}" if value >= _THOUSAND else f"{value:.4g}"


def _y(share: float) -> float:
    return _HEIGHT - _BOTTOM - share * (_HEIGHT - _TOP - _BOTTOM)


def _rounded_up(value: float) -> float:
    """The next of 1, 2 and 5 times a power of ten."""
    if value <= 0:
        return 1
    power = 10.0 ** (len(f"{value:.0f}") - 1)
    while power > value:
        power /= 10
    return next(top for factor in (1, 2, 5, 10) if (top := factor * power) >= value)
