"""Loading of rounds for the rules: a batch in one query, restricted to the inputs of rules.

Rules need neither the id nor the AAMS participation of a bet, and only compare customers for
equality. So bets have an empty id and the customer's id in place of the pseudonym, which loads a
hundred thousand bets in a fraction of a second.
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
from rounds.row_mapping import MILLISECONDS, ROUND_FACTS, round_facts
from rounds.rules import facts
from rounds.rules.limits import Limits
from rounds.rules.shoe import Shoe

_FACTS: Final = ", ".join(fact.select.format(fact.column) for fact in ROUND_FACTS)
# The columns of the bets come as one array each, in the order of the bets. Bets beyond those that
# arrived with the round were added to it, and count nowhere.
_ROUNDS: Final = f"""
    SELECT round.id, round.table_id, t.code, round.limit_set_id, round.rules_digest,
           round.shoe_position, round.shoe_seen, round.arrival_anomalies, {_FACTS}, bets.*
      FROM rounds_round AS round
      JOIN rounds_table AS t ON t.id = round.table_id
     CROSS JOIN LATERAL (
           SELECT array_agg(customer_id), array_agg(box), array_agg(kind), array_agg(stake_cents),
                  array_agg(raised_cents), array_agg(play), array_agg(golden), array_agg(behind),
                  array_agg(follows), array_agg({MILLISECONDS.format("placed_at")}),
                  array_agg(reported_cents)
             FROM (SELECT * FROM rounds_bet
                    WHERE round_id = round.id AND number < round.bet_count ORDER BY number) AS bet
           ) AS bets
     WHERE round.id = ANY(%s)
     ORDER BY round.arrival
"""
_make_bet: Final = partial(tuple.__new__, facts.Bet)


class RoundToJudge(NamedTuple):
    """A stored round with all inputs of its rules."""

    id: UUID
    table_id: int
    dealt: facts.Round
    """Bets have an empty id and participation; ``player`` is the customer's id."""
    customers: Sequence[int]
    """The customers' ids, in the order of the bets."""
    rules_digest: bytes
    """Of the rule set on arrival."""
    shoe_before: Shoe | None
    limits: Limits
    arrival_anomalies: tuple[str, ...]
    """Codes that hold the round because of its arrival."""


def rounds_to_judge(round_ids: Collection[UUID]) -> list[RoundToJudge]:
    """These rounds, in the order of arrival."""
    connection.ensure_connection()
    # Binary results, which Django's cursor does not support, take half the time.
    with connection.wrap_database_errors, psycopg.Cursor(connection.connection) as cursor:
        rows = cursor.execute(_ROUNDS, [list(round_ids)], binary=True).fetchall()
    heads = [_Head._make(row[: len(_Head._fields)]) for row in rows]
    limits = limits_of({head.limit_set_id for head in heads if head.limit_set_id is not None})
    judged = [
        _round_of(head, row[len(_Head._fields) :], limits)
        for head, row in zip(heads, rows, strict=True)
    ]
    return _with_customer_ids(judged)


class _Head(NamedTuple):
    """The first columns of the query."""

    id: UUID
    table_id: int
    table: str
    limit_set_id: int | None
    rules_digest: bytes
    shoe_position: int
    shoe_seen: bytes | None
    arrival_anomalies: Sequence[str]


def _round_of(head: _Head, columns: Sequence[Any], limits: Mapping[int, Limits]) -> RoundToJudge:
    facts_of_round, bets = columns[: len(ROUND_FACTS)], columns[len(ROUND_FACTS) :]
    customers, seen = bets[0] or (), head.shoe_seen
    dealt = round_facts(
        facts_of_round, table=head.table, bets=tuple(_bets_of(bets)) if customers else ()
    )
    return RoundToJudge(
        head.id,
        head.table_id,
        dealt,
        customers,
        bytes(head.rules_digest),
        None if dealt.shoe is None or seen is None else Shoe(head.shoe_position, bytes(seen)),
        {} if head.limit_set_id is None else limits.get(head.limit_set_id, {}),
        tuple(head.arrival_anomalies),
    )


def _bets_of(columns: Sequence[Any]) -> Iterator[facts.Bet]:
    customers, *others = columns
    return map(_make_bet, zip(repeat(""), map(str, customers), repeat(""), *others, strict=False))


def _with_customer_ids(rounds: list[RoundToJudge]) -> list[RoundToJudge]:
    """With the customers' ids in disconnects, as in bets.

    A player who never bet gets a name that cannot be an id.
    """
    pseudonyms = {entry.player for round_ in rounds for entry in round_.dealt.disconnects}
    if not pseudonyms:
        return rounds
    customers = Customer.objects.filter(pseudonym__in=pseudonyms).values_list("pseudonym", "id")
    names = {pseudonym: str(customer_id) for pseudonym, customer_id in customers}
    return [round_._replace(dealt=_renamed(round_.dealt, names)) for round_ in rounds]


def _renamed(dealt: facts.Round, names: Mapping[str, str]) -> facts.Round:
    return dealt._replace(
        disconnects=tuple(
            entry._replace(player=names.get(entry.player, f"?{entry.player}"))
            for entry in dealt.disconnects
        )
    )
