"""Reading rounds for the rules: a whole batch in one query, no more of it than rules look at.

A bet's id and AAMS participation say nothing to a rule, and of customers a rule only asks whether
two are the same. So bets stand here without the former, under the customer's own id; a hundred
thousand of them are read in a fraction of a second.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import partial
from itertools import repeat
from typing import Any, Final, NamedTuple
from uuid import UUID

import psycopg
from django.db import connection

from rounds.models import Customer
from rounds.queries import limits_of
from rounds.rules import facts
from rounds.rules.limits import Limits
from rounds.rules.shoe import Shoe
from rounds.storage import bonus_of, cards_of, disconnects_of, multipliers_of

_MILLISECONDS: Final = "round(date_part('epoch', {}) * 1000)::bigint".format
# The columns of the bets come as one array each, in the order of the bets.
_ROUNDS: Final = f"""
    SELECT round.id, round.table_id, round.limit_set_id, round.rules_digest, round.shoe_position,
           round.shoe_seen, round.reference, t.code, round.rules, round.shoe, round.drawn,
           {_MILLISECONDS("round.opened_at")}, {_MILLISECONDS("round.closed_at")},
           {_MILLISECONDS("round.ended_at")}, round.session, round.cards, round.multipliers,
           round.bonus, round.disconnects, round.malfunction, bets.*
      FROM rounds_round AS round
      JOIN rounds_table AS t ON t.id = round.table_id
     CROSS JOIN LATERAL (
           SELECT array_agg(customer_id), array_agg(box), array_agg(kind), array_agg(stake_cents),
                  array_agg(raised_cents), array_agg(play), array_agg(golden), array_agg(behind),
                  array_agg(follows), array_agg({_MILLISECONDS("placed_at")}),
                  array_agg(reported_cents)
             FROM (SELECT * FROM rounds_bet WHERE round_id = round.id ORDER BY number) AS bet
           ) AS bets
     WHERE round.id = ANY(%s)
     ORDER BY round.arrival
"""  # noqa: S608  no text from outside
_make_bet: Final = partial(tuple.__new__, facts.Bet)


class RoundToJudge(NamedTuple):
    """A stored round with all that the rules look at."""

    id: UUID
    table_id: int
    dealt: facts.Round
    """Its bets have neither id nor participation, and name their customer by his id."""
    customers: Sequence[int]
    """The customers' ids, in the order of the bets."""
    rules_digest: bytes
    """Of the rule set under which the round arrived."""
    shoe_before: Shoe | None
    limits: Limits


def rounds_to_judge(round_ids: Collection[UUID]) -> list[RoundToJudge]:
    """These rounds, in the order of their arrival."""
    connection.ensure_connection()
    # Django's cursor knows no binary results, which take half the time of texts.
    with connection.wrap_database_errors, psycopg.Cursor(connection.connection) as cursor:
        rows = cursor.execute(_ROUNDS, [list(round_ids)], binary=True).fetchall()
    limits = limits_of({row[2] for row in rows if row[2] is not None})
    gone = [row for row in rows if row[18] is not None]
    names = _customer_names(gone)
    return [_round_of(row, limits, names) for row in rows]


def _round_of(
    row: Sequence[Any], limits: Mapping[int, Limits], names: Mapping[str, str]
) -> RoundToJudge:
    round_id, table_id, limit_set_id, rules_digest, position, seen, *said = row[:20]
    customers = row[20] or ()
    reference, table, rules, shoe, drawn, opened, closed, ended, session, cards, *parts = said
    multipliers, bonus, disconnects, malfunction = parts
    return RoundToJudge(
        round_id,
        table_id,
        facts.Round(
            reference,
            table,
            rules,
            shoe,
            drawn,
            opened,
            closed,
            ended,
            session,
            cards_of(cards),
            tuple(_bets_of(row[20:])) if customers else (),
            multipliers_of(multipliers),
            bonus_of(bonus),
            tuple(_renamed(disconnects_of(disconnects), names)),
            malfunction,
        ),
        customers,
        bytes(rules_digest),
        None if shoe is None or seen is None else Shoe(position, bytes(seen)),
        limits.get(limit_set_id, {}),
    )


def _bets_of(columns: Sequence[Any]) -> Iterator[facts.Bet]:
    customers, *others = columns
    return map(_make_bet, zip(repeat(""), map(str, customers), repeat(""), *others, strict=False))


def _customer_names(gone: Collection[Sequence[Any]]) -> dict[str, str]:
    """By pseudonym the ids, as text, of those who lost the connection."""
    pseudonyms = {who for row in gone for who, *_ in row[18]}
    known = Customer.objects.filter(pseudonym__in=pseudonyms).values_list("pseudonym", "id")
    return {pseudonym: str(customer_id) for pseudonym, customer_id in known}


def _renamed(
    disconnects: Collection[facts.Disconnect], names: Mapping[str, str]
) -> Iterator[facts.Disconnect]:
    """Under the customers' ids; who never bet stands under a name that is no id."""
    for one in disconnects:
        yield one._replace(player=names.get(one.player, f"?{one.player}"))
