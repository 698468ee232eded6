"""The results of the last gaming days, by day and by game, from daily totals."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import date, timedelta
from fractions import Fraction
from typing import Final, NamedTuple

from django.db import DEFAULT_DB_ALIAS

from compliance.monitoring.shift_totals import ShiftTotal
from payouts.gaming_days.daily_totals_report import DailyTotal, daily_totals
from rounds.rules.catalogue import game_of

DAYS: Final = 14
"""Number of gaming days, including the current one."""

_WIDTH: Final = 1000


class Business(NamedTuple):
    """Totals of settled rounds, in cents; golden chips separately, as they are not money.

    Stakes of void bets count as staked and, refunded, as paid.
    """

    rounds: int = 0
    void_rounds: int = 0
    staked_cents: int = 0
    chips_cents: int = 0
    paid_cents: int = 0

    @property
    def gross_win_cents(self) -> int:
        """Stakes less payouts; negative for a loss of the house."""
        return self.staked_cents - self.paid_cents

    @property
    def margin(self) -> Fraction | None:
        """The gross win as a fraction of the stakes; None without stakes."""
        return Fraction(self.gross_win_cents, self.staked_cents) if self.staked_cents else None


class Bar(NamedTuple):
    """The gross win of a day as a bar, in thousandths of the chart's width."""

    start: int
    width: int
    zero: int


class Day(NamedTuple):
    """One gaming day."""

    day: date
    business: Business
    bar: Bar


class LastDays(NamedTuple):
    """The last days, latest first, and the current day by game."""

    games: list[tuple[str, Business]]
    """All games played on one of the days."""
    days: list[Day]

    @property
    def today(self) -> Business:
        """All games together."""
        return self.days[0].business


def last_days(today: date) -> LastDays:
    """The results until this day, in one query; days without rounds are zero.

    Read from the primary database, so that a voided round is visible immediately.
    """
    first = today - timedelta(days=DAYS - 1)
    totals = list(daily_totals(first=first, last=today, database=DEFAULT_DB_ALIAS))
    by_day, by_game = defaultdict(list), defaultdict(list)
    for total in totals:
        by_day[total.day].append(total)
        by_game[game_of(total.rules)].append(total)
    games = [
        (game, business_of(total for total in played if total.day == today))
        for game, played in sorted(by_game.items())
    ]
    days = [today - timedelta(days=back) for back in range(DAYS)]
    business = [business_of(by_day[day]) for day in days]
    bars = bars_of([day.gross_win_cents for day in business])
    return LastDays(games, list(map(Day, days, business, bars)))


def bars_of(amounts: Sequence[int]) -> list[Bar]:
    """A bar per amount, on one scale; losses are left of the zero line."""
    lowest, highest = min([0, *amounts]), max([0, *amounts])
    span = highest - lowest or 1
    zero = -lowest * _WIDTH // span
    bars = []
    for amount in amounts:
        width = abs(amount) * _WIDTH // span
        bars.append(Bar(zero - width if amount < 0 else zero, width, zero))
    return bars


def business_of(totals: Iterable[DailyTotal | ShiftTotal]) -> Business:
    """The sum of these totals."""
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
