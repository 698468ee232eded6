"""Loading of rounds for the rules: a batch in one query, restricted to the inputs of rules.

Rules need neither the id nor the AAMS participation of a bet, and only compare customers for
equality. So bets have an empty id and the customer's id in place of the pseudonym, which loads a
hundred thousand bets in a fraction of a second.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
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
ROUND_INPUTS: Final = f"""
    round.id, round.table_id, t.code, round.limit_set_id, round.rules_digest,
    round.shoe_position, round.shoe_seen, round.arrival_anomalies, {_FACTS}
"""
"""SQL: the columns of ``rounds_round AS round`` and its ``rounds_table AS t`` that rules need."""
BET_INPUTS: Final = (
    *("customer_id", "box", "kind", "stake_cents", "raised_cents", "play", "golden", "behind"),
    *("follows", MILLISECONDS.format("placed_at"), "reported_cents"),
)
"""SQL: those of a bet."""
# The columns of the bets come as one array each, in the order of the bets. Bets beyond those that
# arrived with the round were added to it, and count nowhere.
_ROUNDS: Final = f"""
    SELECT {ROUND_INPUTS}, bets.*
      FROM rounds_round AS round
      JOIN rounds_table AS t ON t.id = round.table_id
     CROSS JOIN LATERAL (
           SELECT {", ".join(map("array_agg({})".format, BET_INPUTS))}
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
    return rounds_of_rows(rows, limits_of=limits_of, customer_ids_of=_customer_ids)


def rounds_of_rows(
    rows: Iterable[Sequence[Any]],
    *,
    limits_of: Callable[[Collection[int]], Mapping[int, Limits]],
    customer_ids_of: Callable[[Collection[str]], Mapping[str, str]],
) -> list[RoundToJudge]:
    """The rounds from ``ROUND_INPUTS`` and one array for each of ``BET_INPUTS``.

    ``limits_of`` finds limits by their sets, ``customer_ids_of`` the ids of customers, as texts, by
    their pseudonyms.
    """
    split = len(_Head._fields)
    parts = [(_Head._make(row[:split]), row[split:]) for row in rows]
    sets = {head.limit_set_id for head, _columns in parts if head.limit_set_id is not None}
    limits = limits_of(sets)
    rounds = [_round_of(head, columns, limits) for head, columns in parts]
    return _with_customer_ids(rounds, customer_ids_of)


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


def _customer_ids(pseudonyms: Collection[str]) -> dict[str, str]:
    customers = Customer.objects.filter(pseudonym__in=pseudonyms).values_list("pseudonym", "id")
    return {pseudonym: str(customer_id) for pseudonym, customer_id in customers}


def _with_customer_ids(
    rounds: list[RoundToJudge],
    customer_ids_of: Callable[[Collection[str]], Mapping[str, str]],
) -> list[RoundToJudge]:
    """With the customers' ids in disconnects, as in bets.

    A player who never bet gets a name that cannot be an id.
    """
    pseudonyms = {entry.player for round_ in rounds for entry in round_.dealt.disconnects}
    if not pseudonyms:
        return rounds
    names = customer_ids_of(pseudonyms)
    return [round_._replace(dealt=_renamed(round_.dealt, names)) for round_ in rounds]


def _renamed(dealt: facts.Round, names: Mapping[str, str]) -> facts.Round:
    return dealt._replace(
        disconnects=tuple(
            entry._replace(player=names.get(entry.player, f"?{entry.player}"))
            for entry in dealt.disconnects
        )
    )
