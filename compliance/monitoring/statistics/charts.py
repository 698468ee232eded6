"""Coordinates of the monitor's SVG charts. Pure.

Charts are 1,000 wide and 240 high, stretched by the page. They hold no text.
"""

from collections.abc import Sequence
from math import log, log10
from statistics import median
from typing import Final, NamedTuple

WIDTH: Final = 1000
HEIGHT: Final = 240

_TEN: Final = log(10)
_LEAST_SPAN: Final = 1e-6
_ROOM: Final = 1.15
_CALM: Final = 10
"""The first tenth of a history fluctuates most and is ignored for the vertical scale."""
_LIMITS: Final = (3, 2)


class Day(NamedTuple):
    """Figures at the end of a day of play; returns and errors as shares of the stake."""

    words: str
    """Tooltip text."""
    own: float | None
    """Return of the day; None without a round."""
    since: float
    """Cumulative return."""
    error: float
    """Certified standard error of ``since``."""


class Dot(NamedTuple):
    """The return of a single day."""

    x: float
    y: float


class Strip(NamedTuple):
    """Hover area of a day."""

    x: float
    width: float
    words: str


class ControlChart(NamedTuple):
    """Cumulative return with control limits."""

    target: float
    """y of the certified return."""
    limits: tuple[str, ...]
    """Polygons at three and at two standard errors, the wider first."""
    line: str
    dots: tuple[Dot, ...]
    """Single days within the vertical range."""
    strips: tuple[Strip, ...]
    top: float
    """The return at the upper edge."""
    bottom: float


class EvidenceChart(NamedTuple):
    """Evidence by day, on a logarithmic scale."""

    line: str
    area: str
    alarm: float
    """y of the alarm threshold of a single watch."""
    one: float
    """y of evidence 1."""
    top: float
    """The power of ten at the upper edge."""
    bottom: float


def control_chart(days: Sequence[Day], *, target: float) -> ControlChart:
    """The chart of these days, oldest first. Raises ValueError without days."""
    if not days:
        raise ValueError("found no day; needed at least one")
    span = _span(days, target)
    top, bottom = target + span, target - span

    def height(share: float) -> float:
        return round(HEIGHT * (top - min(max(share, bottom), top)) / (2 * span), 2)

    places = _places(len(days))
    limits = tuple(
        _polygon(
            [(x, height(target + times * day.error)) for x, day in zip(places, days, strict=True)],
            [(x, height(target - times * day.error)) for x, day in zip(places, days, strict=True)],
        )
        for times in _LIMITS
    )
    dots = tuple(
        Dot(x, height(day.own))
        for x, day in zip(places, days, strict=True)
        if day.own is not None and bottom <= day.own <= top
    )
    line = _points([(x, height(day.since)) for x, day in zip(places, days, strict=True)])
    return ControlChart(height(target), limits, line, dots, _strips(places, days), top, bottom)


def evidence_chart(log_values: Sequence[float], *, alarm: float) -> EvidenceChart:
    """The chart of log evidence; ``alarm`` is the evidence threshold."""
    if not log_values:
        raise ValueError("found no day; needed at least one")
    powers = [value / _TEN for value in log_values]
    top = max(*powers, log10(alarm)) + 0.5
    bottom = min(*powers, 0.0) - 0.5

    def height(power: float) -> float:
        return round(HEIGHT * (top - power) / (top - bottom), 2)

    places = _places(len(powers))
    line = [(x, height(power)) for x, power in zip(places, powers, strict=True)]
    ground = [(x, height(0.0)) for x in places]
    return EvidenceChart(
        _points(line),
        _polygon(line, ground),
        height(log10(alarm)),
        height(0.0),
        top,
        bottom,
    )


def sparkline(values: Sequence[float]) -> str:
    """Points of a sparkline of 100 by 30."""
    low, high = min(values, default=0.0), max(values, default=0.0)
    span = max(high - low, _LEAST_SPAN)
    step = 100 / max(len(values) - 1, 1)
    return " ".join(
        f"{index * step:.1f},{28 - 26 * (value - low) / span:.1f}"
        for index, value in enumerate(values)
    )


def _span(days: Sequence[Day], target: float) -> float:
    """Half the vertical range around the target."""
    calm = days[len(days) // _CALM :]
    farthest = max(abs(day.since - target) for day in calm)
    usual = 3 * median(day.error for day in calm)
    return max(_ROOM * max(farthest, usual), _LEAST_SPAN)


def _places(number: int) -> list[float]:
    """X of the centre of each day."""
    step = WIDTH / number
    return [round((index + 0.5) * step, 2) for index in range(number)]


def _strips(places: Sequence[float], days: Sequence[Day]) -> tuple[Strip, ...]:
    width = round(WIDTH / len(places), 2)
    return tuple(
        Strip(round(x - width / 2, 2), width, day.words)
        for x, day in zip(places, days, strict=True)
    )


def _points(places: Sequence[tuple[float, float]]) -> str:
    """Points of a polyline; a single day becomes a line across the chart."""
    if len(places) == 1:
        places = [(0.0, places[0][1]), (float(WIDTH), places[0][1])]
    return " ".join(f"{x:g},{y:g}" for x, y in places)


def _polygon(above: Sequence[tuple[float, float]], below: Sequence[tuple[float, float]]) -> str:
    if len(above) == 1:
        above = [(0.0, above[0][1]), (float(WIDTH), above[0][1])]
        below = [(0.0, below[0][1]), (float(WIDTH), below[0][1])]
    return " ".join(f"{x:g},{y:g}" for x, y in (*above, *reversed(below)))


def place_of_z(z: float | None) -> float | None:
    """Position on a scale of 0 to 100 from -4 to +4 standard errors, clamped."""
    if z is None:
        return None
    return round(50 + 12.5 * min(max(z, -4.0), 4.0), 1)


def place_of_evidence(log_value: float | None, *, enough: float) -> float | None:
    """Position on a scale of 0 to 100, with evidence 0.01 at 0 and ``enough`` at 75, clamped."""
    if log_value is None:
        return None
    least = log(0.01)
    return round(min(max(75 * (log_value - least) / (enough - least), 0.0), 100.0), 1)
