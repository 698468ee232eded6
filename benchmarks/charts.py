"""Charts of a soak as SVG, drawn without a library."""

from collections.abc import Mapping, Sequence
from html import escape
from typing import Final, NamedTuple

Points = Sequence[tuple[float, float]]
"""Minutes since the beginning, and a value."""

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
_STYLE: Final = (
    "text{font:12px sans-serif;fill:#334155}.t{font-size:14px;font-weight:600}"
    ".g{stroke:#e2e8f0}.f{fill:#fee2e2}"
)
_LEGEND_STEP: Final = 128
_A_LINE: Final = 6


class Chart(NamedTuple):
    """Lines over the minutes of a soak, with the times of its faults in red."""

    title: str
    unit: str
    lines: Mapping[str, Points]
    marks: Points
    """The beginning and the end of each fault, in minutes."""
    minutes: float

    def svg(self) -> str:
        """The picture; its title is its text for readers who do not see it."""
        top = _rounded_up(max((y for line in self.lines.values() for _, y in line), default=0))
        rows = (len(self.lines) - 1) // _A_LINE
        height = _HEIGHT + 16 * rows
        parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" role="img">',
            f"<title>{escape(self.title)}</title><style>{_STYLE}</style>",
            f'<rect width="{_WIDTH}" height="{height}" fill="#fff"/>',
            f'<text class="t" x="{_LEFT}" y="20">{escape(self.title)}, {escape(self.unit)}</text>',
            *(self._mark(first, last) for first, last in self.marks),
            *self._axes(top),
            *(
                self._line(number, name, points, top)
                for number, (name, points) in enumerate(self.lines.items())
            ),
            "</svg>",
        ]
        return "\n".join(parts) + "\n"

    def _x(self, minute: float) -> float:
        return _LEFT + minute / self.minutes * (_WIDTH - _LEFT - _RIGHT)

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
                f'<text x="{_LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">{value:,.4g}</text>'
            )
        step = max(1, round(self.minutes / 10))
        for minute in range(0, int(self.minutes) + 1, step):
            x = self._x(minute)
            place = f'x="{x:.1f}" y="{_HEIGHT - _BOTTOM + 18}" text-anchor="middle"'
            parts.append(f"<text {place}>{minute} min</text>")
        return parts

    def _line(self, number: int, name: str, points: Points, top: float) -> str:
        colour = _COLOURS[number % len(_COLOURS)]
        path = " ".join(f"{self._x(x):.1f},{_y(y / top):.1f}" for x, y in points)
        x = _LEFT + number % _A_LINE * _LEGEND_STEP
        y = _HEIGHT - 22 + 16 * (number // _A_LINE)
        return (
            f'<polyline fill="none" stroke="{colour}" stroke-width="1.5" points="{path}"/>'
            f'<rect x="{x}" y="{y - 9}" width="10" height="10" fill="{colour}"/>'
            f'<text x="{x + 15}" y="{y}">{escape(name)}</text>'
        )


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
