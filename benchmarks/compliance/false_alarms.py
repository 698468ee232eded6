"""Rate of false alarms of the table monitor, and its detection delay.

Seeded simulations of baccarat tables with a thousand rounds and one look a day. The result is drawn
into `docs/images/monitor-delay.svg`.
"""

from math import exp, log
from typing import Any, Final

import numpy as np

from benchmarks.figures import Figure
from benchmarks.workspace import Workspace
from casino.embedded.server_paths import CLONE
from compliance.certification.returns.baccarat import baccarat_returns
from compliance.certification.returns.exact_returns import BetReturn
from compliance.monitoring.statistics.evidence import alternatives_of
from rounds.rules.baccarat.judge import BaccaratGame
from rounds.rules.catalogue import RULE_SETS

_ROUNDS_A_DAY: Final = 1_000
_YEAR: Final = 365
_LONG: Final = 4 * _YEAR
_YEARS: Final = 4_000
_TABLES: Final = 1_000
_SUSPECT: Final = 20
_ALARM: Final = 100
_SHIFTS: Final = (0.005, 0.01, 0.02)
_SEED: Final = 20261122
_PLOT: Final = CLONE / "docs" / "images" / "monitor-delay.svg"

Array = np.ndarray[Any, np.dtype[Any]]


def measure_monitor(_place: Workspace) -> list[Figure]:
    """False alarms of every bet of baccarat, and delays for Player and Tie."""
    game = RULE_SETS["baccarat/1"].declaration
    if not isinstance(game, BaccaratGame):
        raise TypeError("baccarat/1 is no game of baccarat")
    bets = {bet_return.kind: bet_return for bet_return in baccarat_returns("baccarat/1", game)}
    figures = [
        Figure(
            f"monitor.false_alarm_percent.{kind}",
            100 * float((_highest(bet, _true(bet), of=_YEARS, days=_YEAR) >= log(_SUSPECT)).mean()),
            f"% of {_YEARS} years that behave ever see evidence of {_SUSPECT}; nominal 5 %",
        )
        for kind, bet in bets.items()
    ]
    curves: dict[float, Array] = {}
    for shift in _SHIFTS:
        for kind in ("player", "tie"):
            delays = _delays(bets[kind], shift)
            figures.append(
                Figure(
                    f"monitor.delay_days.{kind}.{shift:g}",
                    float(np.median(delays)),
                    f"days of {_ROUNDS_A_DAY} rounds until evidence of {_ALARM}, median",
                )
            )
            if kind == "player":
                curves[shift] = delays
    _PLOT.write_text(_drawn(curves))
    return figures


def _true(bet: BetReturn) -> Array:
    return np.array([float(outcome.probability) for outcome in bet.outcomes])


def _low(bet: BetReturn, shift: float) -> Array:
    """The chances of a table that pays this share of the stake too little."""
    [low] = [
        alternative
        for alternative in alternatives_of(bet, shifts=(shift,))
        if alternative.shift < 0
    ]
    return np.array(
        [
            float(outcome.probability) * exp(low.log_ratios.get(outcome.name, 0))
            for outcome in bet.outcomes
        ]
    )


def _evidence(bet: BetReturn, chances: Array, *, of: int, days: int) -> Array:
    """Logarithm of the evidence by table and day."""
    dice = np.random.default_rng(_SEED)
    counts = dice.multinomial(_ROUNDS_A_DAY, chances / chances.sum(), size=(of, days))
    ratios = np.array(
        [
            [alternative.log_ratios.get(outcome.name, 0.0) for outcome in bet.outcomes]
            for alternative in alternatives_of(bet)
        ]
    )
    logs = np.cumsum(counts @ ratios.T, axis=1)
    return np.asarray(np.logaddexp.reduce(logs, axis=2) - log(len(ratios)))


def _highest(bet: BetReturn, chances: Array, *, of: int, days: int) -> Array:
    return np.asarray(_evidence(bet, chances, of=of, days=days).max(axis=1))


def _delays(bet: BetReturn, shift: float) -> Array:
    """Days until the alarm, by table; four years where it never comes."""
    in_alarm = _evidence(bet, _low(bet, shift), of=_TABLES, days=_LONG) >= log(_ALARM)
    return np.where(in_alarm.any(axis=1), in_alarm.argmax(axis=1) + 1, _LONG)


_WIDTH, _HEIGHT, _LEFT, _TOP, _RIGHT, _BOTTOM = 720, 340, 56, 40, 120, 44
_COLOURS: Final = ("#2a55c9", "#8a5800", "#b3261e")


def _drawn(curves: dict[float, Array]) -> str:
    """Which share of the tables is not found yet, by days."""

    def x_of(day: float) -> float:
        return round(_LEFT + day / _LONG * (_WIDTH - _LEFT - _RIGHT), 1)

    def y_of(share: float) -> float:
        return round(_TOP + (1 - share) * (_HEIGHT - _TOP - _BOTTOM), 1)

    title = (
        f"Tables that pay too little on Player and are not found yet"
        f" ({_TABLES} simulated, {_ROUNDS_A_DAY} rounds a day)"
    )
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}">',
        '<g font-family="sans-serif" font-size="12" fill="#465160">',
        f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="#ffffff"/>',
        f'<text x="{_LEFT}" y="22" font-size="14" fill="#151a21">{title}</text>',
    ]
    for share in (0, 0.25, 0.5, 0.75, 1):
        y = y_of(share)
        parts.append(
            f'<path d="M{_LEFT} {y}H{x_of(_LONG)}" stroke="#e3e7ec"/>'
            f'<text x="{_LEFT - 8}" y="{y + 4}" text-anchor="end">{share:.0%}</text>'
        )
    parts += [
        f'<text x="{x_of(year * _YEAR)}" y="{_HEIGHT - 24}" text-anchor="middle">{year}</text>'
        for year in range(_LONG // _YEAR + 1)
    ]
    parts.append(f'<text x="{x_of(_LONG / 2)}" y="{_HEIGHT - 6}" text-anchor="middle">years</text>')
    days = range(0, _LONG + 1, 5)
    for colour, (shift, delays) in zip(_COLOURS, curves.items(), strict=True):
        left = [float((delays > day).mean()) for day in days]
        line = " ".join(f"{x_of(day)},{y_of(s)}" for day, s in zip(days, left, strict=True))
        parts.append(f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="2"/>')
        place = list(_COLOURS).index(colour)
        parts.append(
            f'<text x="{_WIDTH - _RIGHT + 12}" y="{_TOP + 16 + 18 * place}" fill="{colour}">'
            f"{shift:.1%} too little</text>"
        )
    return "\n".join([*parts, "</g></svg>\n"])
