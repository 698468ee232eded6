"""Where the lines of the monitor's pictures run. Pure: points in, places out.

Pictures are 1,000 wide and 240 high, stretched by the page; so lines keep their width by
``vector-effect`` and words stand beside the picture, never in it.
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
"""The first of ten parts of a history is wild by nature: it does not set the picture's height."""
_LIMITS: Final = (3, 2)


class Day(NamedTuple):
    """What is known at the end of a day of play; returns and errors as shares of the stake."""

    words: str
    """What is said of it when a mouse rests there."""
    own: float | None
    """The return of that day alone; None without a round."""
    since: float
    """The return since the beginning."""
    error: float
    """The standard error that the certificate gives ``since``."""


class Dot(NamedTuple):
    """A day alone."""

    x: float
    y: float


class Strip(NamedTuple):
    """The part of the picture that belongs to a day, for the mouse."""

    x: float
    width: float
    words: str


class ControlChart(NamedTuple):
    """The return since the beginning between the limits that chance leaves it."""

    target: float
    """The height at which the certified return lies."""
    limits: tuple[str, ...]
    """Polygons at three and at two standard errors, the wider first."""
    line: str
    dots: tuple[Dot, ...]
    """Days alone that lie within the picture."""
    strips: tuple[Strip, ...]
    top: float
    """The return at the upper edge."""
    bottom: float


class EvidenceChart(NamedTuple):
    """Evidence day by day, on a scale of powers of ten."""

    line: str
    area: str
    alarm: float
    """The height of the evidence that one watch alone needs for an alarm."""
    one: float
    """The height of no evidence at all."""
    top: float
    """The power of ten at the upper edge."""
    bottom: float


def control_chart(days: Sequence[Day], *, target: float) -> ControlChart:
    """The picture of these days, oldest first; ValueError without any."""
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
    """The picture of natural logarithms of evidence; ``alarm`` is the evidence that is enough."""
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


def spark(values: Sequence[float]) -> str:
    """Points of a small line of 100 by 30, its lowest at the foot and its highest at the top."""
    low, high = min(values, default=0.0), max(values, default=0.0)
    span = max(high - low, _LEAST_SPAN)
    step = 100 / max(len(values) - 1, 1)
    return " ".join(
        f"{index * step:.1f},{28 - 26 * (value - low) / span:.1f}"
        for index, value in enumerate(values)
    )


def _span(days: Sequence[Day], target: float) -> float:
    """How far the picture reaches above and below the target."""
    calm = days[len(days) // _CALM :]
    farthest = max(abs(day.since - target) for day in calm)
    usual = 3 * median(day.error for day in calm)
    return max(_ROOM * max(farthest, usual), _LEAST_SPAN)


def _places(number: int) -> list[float]:
    """The middle of each day's part of the width."""
    step = WIDTH / number
    return [round((index + 0.5) * step, 2) for index in range(number)]


def _strips(places: Sequence[float], days: Sequence[Day]) -> tuple[Strip, ...]:
    width = round(WIDTH / len(places), 2)
    return tuple(
        Strip(round(x - width / 2, 2), width, day.words)
        for x, day in zip(places, days, strict=True)
    )


def _points(places: Sequence[tuple[float, float]]) -> str:
    """For a polyline; a single day is a line as wide as the picture."""
    if len(places) == 1:
        places = [(0.0, places[0][1]), (float(WIDTH), places[0][1])]
    return " ".join(f"{x:g},{y:g}" for x, y in places)


def _polygon(above: Sequence[tuple[float, float]], below: Sequence[tuple[float, float]]) -> str:
    if len(above) == 1:
        above = [(0.0, above[0][1]), (float(WIDTH), above[0][1])]
        below = [(0.0, below[0][1]), (float(WIDTH), below[0][1])]
    return " ".join(f"{x:g},{y:g}" for x, y in (*above, *reversed(below)))


def place_of_z(z: float | None) -> float | None:
    """On a track of 100 from four standard errors below to four above; the ends hold the rest."""
    if z is None:
        return None
    return round(50 + 12.5 * min(max(z, -4.0), 4.0), 1)


def place_of_evidence(log_value: float | None, *, enough: float) -> float | None:
    """On a track of 100 that begins at a hundredth and has what is enough at three quarters."""
    if log_value is None:
        return None
    least = log(0.01)
    return round(min(max(75 * (log_value - least) / (enough - least), 0.0), 100.0), 1)
