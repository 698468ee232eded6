"""The business of the last days, by day and by game, from the totals that settlements keep."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import date, timedelta
from fractions import Fraction
from typing import Final, NamedTuple

from django.db import DEFAULT_DB_ALIAS

from payouts.daily_totals import DailyTotal, daily_totals
from rounds.rules.catalogue import RULE_SETS

DAYS: Final = 14
"""So many days of play, the one that is under way included."""

_WIDTH: Final = 1000


class Business(NamedTuple):
    """What settled rounds came to, in cents; golden chips apart, which are no money.

    The stakes of void bets count as staked and, given back, as paid.
    """

    rounds: int = 0
    void_rounds: int = 0
    staked_cents: int = 0
    chips_cents: int = 0
    paid_cents: int = 0

    @property
    def gross_win_cents(self) -> int:
        """What the house keeps; negative where it paid more than was staked."""
        return self.staked_cents - self.paid_cents

    @property
    def margin(self) -> Fraction | None:
        """The gross win as a part of the stakes; None where nothing was staked."""
        return Fraction(self.gross_win_cents, self.staked_cents) if self.staked_cents else None


class Bar(NamedTuple):
    """A day's gross win as a bar beside the zero line, in thousandths of the chart's width."""

    start: int
    width: int
    zero: int


class Day(NamedTuple):
    """One day of play."""

    day: date
    business: Business
    bar: Bar


class LastDays(NamedTuple):
    """The last days, latest first, and the first of them by game."""

    games: list[tuple[str, Business]]
    """Every game that was played on one of the days."""
    days: list[Day]

    @property
    def today(self) -> Business:
        """All games together."""
        return self.days[0].business


def last_days(today: date) -> LastDays:
    """The business until this day, in one query; a day without rounds comes to nothing.

    It is read from the database itself: who has just cancelled a round looks here.
    """
    first = today - timedelta(days=DAYS - 1)
    totals = list(daily_totals(first=first, last=today, database=DEFAULT_DB_ALIAS))
    by_day, by_game = defaultdict(list), defaultdict(list)
    for total in totals:
        by_day[total.day].append(total)
        by_game[_game_of(total.rules)].append(total)
    games = [
        (game, _business_of(one for one in played if one.day == today))
        for game, played in sorted(by_game.items())
    ]
    days = [today - timedelta(days=back) for back in range(DAYS)]
    business = [_business_of(by_day[day]) for day in days]
    bars = bars_of([one.gross_win_cents for one in business])
    return LastDays(games, list(map(Day, days, business, bars)))


def bars_of(amounts: Sequence[int]) -> list[Bar]:
    """A bar for each amount, all on one scale; losses lie left of the zero line."""
    lowest, highest = min(0, *amounts), max(0, *amounts)
    span = highest - lowest or 1
    zero = -lowest * _WIDTH // span
    bars = []
    for amount in amounts:
        width = abs(amount) * _WIDTH // span
        bars.append(Bar(zero - width if amount < 0 else zero, width, zero))
    return bars


def _game_of(rules: str) -> str:
    """The game of a rule set; the name of one that the running code does not know."""
    known = RULE_SETS.get(rules)
    return known.game if known else rules


def _business_of(totals: Iterable[DailyTotal]) -> Business:
    sums = [
        (
            total.rounds,
            total.void_rounds,
            total.staked_cents - total.staked_chips_cents,
            total.staked_chips_cents,
            total.payout_cents - total.payout_chips_cents,
        )
        for total in totals
    ]
    return Business(*map(sum, zip(*sums, strict=True)))
