"""Finding rounds by an amount that was staked or paid, page by page and in bounded time.

What a round came to as a whole is found by indexes, however long ago it was played. What one of its
bets came to stands in no index, because every bet of every settlement would pay for it: such bets
are looked for in a stretch of rounds, the newest first, and the page says which.
"""

from datetime import datetime
from typing import Any, Final, NamedTuple
from uuid import UUID

from django.contrib.postgres.expressions import ArraySubquery
from django.db import connection
from django.db.models import F, QuerySet

from payouts.models import Settlement
from rounds.models import Round
from rounds.search import OneOf

MOST_ROUNDS: Final = 2_000
_MOST_BETS: Final = 50_000
"""A stretch ends with the round that reaches one of them; a round that many share has more bets."""

_MOST_PAID: Final = 10_000
"""So many settlements next to the place are asked whether their rounds are among those wanted."""

# The inner LIMIT has each round asked for by its key: the planner would rather read a whole month.
# The ends of the stretch keep it from opening months outside.
_WITH_SUCH_A_BET: Final = """
    SELECT found.round_id
      FROM unnest(%(rounds)s::uuid[]) AS wanted (id)
     CROSS JOIN LATERAL (
           SELECT round_id FROM rounds_bet
            WHERE round_id = wanted.id AND round_id BETWEEN %(oldest)s AND %(newest)s
              AND (stake_cents = %(cents)s OR stake_cents + raised_cents = %(cents)s)
            LIMIT 1) AS found
     UNION
    SELECT found.round_id
      FROM unnest(%(rounds)s::uuid[]) AS wanted (id)
     CROSS JOIN LATERAL (
           SELECT round_id FROM payouts_betsettlement
            WHERE round_id = wanted.id AND round_id BETWEEN %(oldest)s AND %(newest)s
              AND payout_cents = %(cents)s
            LIMIT 1) AS found
"""


class Stretch(NamedTuple):
    """Rounds that follow each other, newest first, whose bets are looked at one by one."""

    rounds: list[UUID]
    bets: int
    since: datetime | None
    """When the oldest of them opened."""
    is_last: bool
    """Whether there are no older ones."""


class Place(NamedTuple):
    """Where a page begins, as in a list by key, and the ids that the list may have at all."""

    before: UUID | None = None
    after: UUID | None = None
    first: UUID | None = None
    end: UUID | None = None
    """The first id that is too late."""

    def of(self, rows: QuerySet[Any], key: str = "id") -> QuerySet[Any]:
        """The rounds from there on, those first that stand next to the place."""
        bounds = {"gt": self.after, "gte": self.first}
        if self.after is None:
            bounds["lt"] = min((at for at in (self.before, self.end) if at), default=None)
        else:
            bounds["lt"] = self.end
        asked = {f"{key}__{name}": at for name, at in bounds.items() if at is not None}
        return rows.filter(**asked).order_by(f"-{key}" if self.after is None else key)


def stretch_of(rounds: QuerySet[Round], *, before: UUID | None) -> Stretch:
    """The newest of these rounds, or those just before one, as many as can be looked through."""
    newest = Place(before).of(rounds).values_list("id", "opened_at", "bet_count")
    found: list[UUID] = []
    bets, since = 0, None
    for identity, opened_at, count in newest[: MOST_ROUNDS + 1]:
        if len(found) == MOST_ROUNDS or bets >= _MOST_BETS:
            return Stretch(found, bets, since, is_last=False)
        found.append(identity)
        bets, since = bets + count, opened_at
    return Stretch(found, bets, since, is_last=True)


def rounds_of_amount(
    cents: int, *, among: QuerySet[Round], stretch: Stretch, place: Place, most: int
) -> list[UUID]:
    """Rounds that staked or paid this amount as a whole and, in the stretch, by one of their bets.

    The ``most`` that stand next to the place are all there; some others may be. Only where more
    than 10,000 settlements that paid it belong to other rounds, some are missing. A round that was
    settled again is also found by what it had paid before.
    """
    if not cents:
        return []
    paid = place.of(Settlement.objects.filter(payout_cents=cents), "round_id")
    ids = paid.values_list("round_id", flat=True)[:_MOST_PAID]
    whole = (among.filter(staked_cents=cents), among.filter(OneOf(F("id"), ArraySubquery(ids))))
    return [
        *(row for rows in whole for row in place.of(rows).values_list("id", flat=True)[:most]),
        *_with_such_a_bet(cents, stretch.rounds),
    ]


def _with_such_a_bet(cents: int, rounds: list[UUID]) -> list[UUID]:
    if not rounds:
        return []
    asked: dict[str, int | UUID | list[UUID]] = {
        "cents": cents,
        "rounds": rounds,
        "oldest": rounds[-1],
        "newest": rounds[0],
    }
    with connection.cursor() as cursor:
        cursor.execute(_WITH_SUCH_A_BET, asked)
        return [round_id for (round_id,) in cursor.fetchall()]
