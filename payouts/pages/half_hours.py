"""What was staked in each half hour of a day of play, game by game, for the lines on *Today*."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import date, datetime, time, timedelta
from typing import Final, NamedTuple

from django.core.cache import cache
from django.db import connection

from rounds.gaming_day import ROME
from rounds.rules.catalogue import RULE_SETS
from rounds.search import first_id

_HALF_HOUR: Final = timedelta(minutes=30)
_KEPT_SECONDS: Final = 60
"""A day has hundreds of thousands of rounds: each web process adds them up once a minute."""

# One stretch of the primary key, whose order is that of time; golden chips count at their value.
_STAKED: Final = """
    SELECT rules, floor(extract(epoch FROM opened_at - %(first)s) / 1800)::int,
           sum(staked_cents)::bigint
      FROM rounds_round
     WHERE id >= %(low)s AND id < %(high)s
     GROUP BY 1, 2
"""


class Line(NamedTuple):
    """A game's stakes as a line."""

    cents: Sequence[int]
    """By half hour from midnight in Rome; the last one is under way."""

    @property
    def points(self) -> str:
        """For an SVG polyline of 100 by 30; the highest half hour reaches the top."""
        highest = max(self.cents, default=0) or 1
        step = 100 / max(len(self.cents) - 1, 1)
        return " ".join(
            f"{index * step:.1f},{29 - 28 * one / highest:.1f}"
            for index, one in enumerate(self.cents)
        )


def lines_of(day: date, *, now: datetime) -> Mapping[str, Line]:
    """By game, what all rounds of the day staked until now, settled or not; as of this minute."""
    key = f"half-hours:{day.isoformat()}"
    known: dict[str, Line] | None = cache.get(key)
    if known is None:
        known = _lines(day, now)
        cache.set(key, known, _KEPT_SECONDS)
    return known


def _lines(day: date, now: datetime) -> dict[str, Line]:
    first = datetime.combine(day, time(), ROME)
    half_hours = max(int((now - first) / _HALF_HOUR), 0) + 1
    staked: defaultdict[str, list[int]] = defaultdict(lambda: [0] * half_hours)
    with connection.cursor() as cursor:
        cursor.execute(_STAKED, {"first": first, "low": first_id(first), "high": first_id(now)})
        for rules, half_hour, cents in cursor.fetchall():
            known = RULE_SETS.get(rules)
            if 0 <= half_hour < half_hours:
                staked[known.game if known else rules][half_hour] += cents
    return {game: Line(cents) for game, cents in staked.items()}
