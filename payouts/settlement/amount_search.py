"""Searching rounds by an amount staked or paid, in pages and in bounded time.

Totals of rounds are indexed. Amounts of single bets are not, because the index would cost every
settlement; they are searched in a window of the newest rounds, which the page shows.
"""

from datetime import datetime
from typing import Any, Final, NamedTuple
from uuid import UUID

from django.contrib.postgres.expressions import ArraySubquery
from django.db import connection
from django.db.models import F, QuerySet

from payouts.settlement.models import Settlement
from rounds.models import Round
from rounds.search import EqualsAny

MOST_ROUNDS: Final = 2_000
_MOST_BETS: Final = 50_000
"""A window ends with the round that reaches one of the limits."""

_MOST_PAID: Final = 10_000
"""The most settlements with the amount whose rounds are filtered."""

# The inner LIMIT makes the planner look up each round by key instead of reading a month.
# The ends of the window prune the partitions outside.
_WITH_SUCH_A_BET: Final = """
    SELECT matching.round_id
      FROM unnest(%(rounds)s::uuid[]) AS searched (id)
     CROSS JOIN LATERAL (
           SELECT round_id FROM rounds_bet
            WHERE round_id = searched.id AND round_id BETWEEN %(oldest)s AND %(newest)s
              AND (stake_cents = %(cents)s OR stake_cents + raised_cents = %(cents)s)
            LIMIT 1) AS matching
     UNION
    SELECT matching.round_id
      FROM unnest(%(rounds)s::uuid[]) AS searched (id)
     CROSS JOIN LATERAL (
           SELECT round_id FROM payouts_betsettlement
            WHERE round_id = searched.id AND round_id BETWEEN %(oldest)s AND %(newest)s
              AND payout_cents = %(cents)s
            LIMIT 1) AS matching
"""


class SearchWindow(NamedTuple):
    """Consecutive rounds, newest first, whose bets are searched."""

    rounds: list[UUID]
    bets: int
    since: datetime | None
    """When the oldest round opened."""
    is_last: bool
    """Whether there are no older rounds."""


class Place(NamedTuple):
    """The start of a page, and the bounds of the list."""

    before: UUID | None = None
    after: UUID | None = None
    first: UUID | None = None
    end: UUID | None = None
    """The first id after the list."""

    def of(self, rows: QuerySet[Any], key: str = "id") -> QuerySet[Any]:
        """The rounds from the place on, nearest first."""
        bounds = {"gt": self.after, "gte": self.first}
        if self.after is None:
            bounds["lt"] = min((at for at in (self.before, self.end) if at), default=None)
        else:
            bounds["lt"] = self.end
        conditions = {f"{key}__{name}": at for name, at in bounds.items() if at is not None}
        return rows.filter(**conditions).order_by(f"-{key}" if self.after is None else key)


def search_window(rounds: QuerySet[Round], *, before: UUID | None) -> SearchWindow:
    """The window of the newest of these rounds, or of those before one."""
    newest = Place(before).of(rounds).values_list("id", "opened_at", "bet_count")
    ids: list[UUID] = []
    bets, since = 0, None
    for identity, opened_at, count in newest[: MOST_ROUNDS + 1]:
        if len(ids) == MOST_ROUNDS or bets >= _MOST_BETS:
            return SearchWindow(ids, bets, since, is_last=False)
        ids.append(identity)
        bets, since = bets + count, opened_at
    return SearchWindow(ids, bets, since, is_last=True)


def rounds_of_amount(
    cents: int, *, among: QuerySet[Round], window: SearchWindow, place: Place, most: int
) -> list[UUID]:
    """Rounds with this amount as total stake or payout or, in the window, of one of their bets.

    Complete for the ``most`` rounds next to the place, unless more than 10,000 settlements with the
    amount belong to other rounds. Replaced settlements are searched too.
    """
    if not cents:
        return []
    paid = place.of(Settlement.objects.filter(payout_cents=cents), "round_id")
    ids = paid.values_list("round_id", flat=True)[:_MOST_PAID]
    sums = (among.filter(staked_cents=cents), among.filter(EqualsAny(F("id"), ArraySubquery(ids))))
    return [
        *(row for rows in sums for row in place.of(rows).values_list("id", flat=True)[:most]),
        *_with_such_a_bet(cents, window.rounds),
    ]


def _with_such_a_bet(cents: int, rounds: list[UUID]) -> list[UUID]:
    if not rounds:
        return []
    arguments: dict[str, int | UUID | list[UUID]] = {
        "cents": cents,
        "rounds": rounds,
        "oldest": rounds[-1],
        "newest": rounds[0],
    }
    with connection.cursor() as cursor:
        cursor.execute(_WITH_SUCH_A_BET, arguments)
        return [round_id for (round_id,) in cursor.fetchall()]
