"""Stakes per half hour of a gaming day, by game, for the charts on *Today*."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import date, datetime, time, timedelta
from typing import Final, NamedTuple

from django.core.cache import cache
from django.db import connection

from rounds.gaming_day import ROME
from rounds.rules.catalogue import game_of
from rounds.search import first_id

_HALF_HOUR: Final = timedelta(minutes=30)
_KEPT_SECONDS: Final = 60
"""Cache lifetime; a day has hundreds of thousands of rounds."""

# A range of the primary key, which is ordered by time. Golden chips count at their value.
_STAKED: Final = """
    SELECT rules, floor(extract(epoch FROM opened_at - %(first)s) / 1800)::int,
           sum(staked_cents)::bigint
      FROM rounds_round
     WHERE id >= %(low)s AND id < %(high)s
     GROUP BY 1, 2
"""


class StakesLine(NamedTuple):
    """The stakes of a game as a line."""

    cents: Sequence[int]
    """Per half hour from midnight in Rome; the last one is incomplete."""

    @property
    def points(self) -> str:
        """Points of an SVG polyline of 100 by 30; the maximum reaches the top."""
        highest = max(self.cents, default=0) or 1
        step = 100 / max(len(self.cents) - 1, 1)
        return " ".join(
            f"{index * step:.1f},{29 - 28 * cents / highest:.1f}"
            for index, cents in enumerate(self.cents)
        )


def lines_of(day: date, *, now: datetime) -> Mapping[str, StakesLine]:
    """Stakes per game of all rounds of the day to date, settled or not; cached for a minute."""
    key = f"half-hours:{day.isoformat()}"
    lines: dict[str, StakesLine] | None = cache.get(key)
    if lines is None:
        lines = _lines(day, now)
        cache.set(key, lines, _KEPT_SECONDS)
    return lines


def _lines(day: date, now: datetime) -> dict[str, StakesLine]:
    first = datetime.combine(day, time(), ROME)
    half_hours = max(int((now - first) / _HALF_HOUR), 0) + 1
    staked: defaultdict[str, list[int]] = defaultdict(lambda: [0] * half_hours)
    with connection.cursor() as cursor:
        cursor.execute(_STAKED, {"first": first, "low": first_id(first), "high": first_id(now)})
        for rules, half_hour, cents in cursor.fetchall():
            if 0 <= half_hour < half_hours:
                staked[game_of(rules)][half_hour] += cents
    return {game: StakesLine(cents) for game, cents in staked.items()}
