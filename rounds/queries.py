"""Queries for rounds."""

from collections.abc import Collection, Mapping
from datetime import datetime
from operator import attrgetter
from typing import Any, Final, NamedTuple
from uuid import UUID

from django.db import connection

from compliance.storage.prepared_statements import (
    PendingResult,
    PreparedQuery,
    Rows,
    fetch_rows,
    send_query,
)
from rounds.models import Round, StakeLimit
from rounds.row_mapping import ROUND_FACTS, bet_of, milliseconds_of, round_facts
from rounds.rules import facts
from rounds.rules.catalogue import RULE_SETS
from rounds.rules.limits import Limits
from rounds.rules.ruling import Ruling, as_ruled
from rounds.rules.shoe import Shoe

_BETS: Final = """
    SELECT bet.round_id, bet.reference, customer.pseudonym, bet.participation, bet.box, bet.kind,
           bet.stake_cents, bet.raised_cents, bet.play, bet.golden, bet.behind, bet.follows,
           bet.placed_at, bet.reported_cents
      FROM rounds_bet AS bet
      JOIN rounds_customer AS customer ON customer.id = bet.customer_id
     WHERE bet.round_id = ANY(%s)
     ORDER BY bet.round_id, bet.number
"""

_OF_BET: Final = """
    bet.reference, (SELECT pseudonym FROM rounds_customer WHERE id = bet.customer_id),
    bet.participation, bet.box, bet.kind, bet.stake_cents, bet.raised_cents, bet.play, bet.golden,
    bet.behind, bet.follows, bet.placed_at, bet.reported_cents
"""
_ALL_BETS: Final = f"""
    SELECT bet.number,
           bet.number > %(after)s
           AND (%(customer)s::bigint IS NULL OR bet.customer_id = %(customer)s),
           {_OF_BET}
      FROM rounds_bet AS bet
     WHERE bet.round_id = %(round)s
     ORDER BY bet.number
"""
_BETS_AND_COMPANIONS: Final = f"""
    WITH requested AS MATERIALIZED (
        SELECT number, customer_id, box, behind
          FROM rounds_bet
         WHERE round_id = %(round)s AND number > %(after)s
           AND (%(customer)s::bigint IS NULL OR customer_id = %(customer)s)
         ORDER BY number LIMIT %(most)s
    )
    SELECT bet.number, bet.number IN (SELECT number FROM requested), {_OF_BET}
      FROM rounds_bet AS bet
     WHERE bet.round_id = %(round)s
       AND (bet.number IN (SELECT number FROM requested)
            OR bet.kind = ANY(%(raisable_kinds)s)
               AND (bet.customer_id IN (SELECT customer_id FROM requested)
                    OR NOT bet.behind AND bet.box IN (SELECT box FROM requested WHERE behind)))
     ORDER BY bet.number
"""


_FIRST_BETS: Final = f"""
    SELECT page.round, part.*
      FROM unnest(%(rounds)s::uuid[]) AS page (round),
           LATERAL ({_BETS_AND_COMPANIONS.replace("%(round)s", "page.round")}) AS part
"""

_IDENTIFIED: Final = PreparedQuery(Round, "WHERE base.id = %s", related="table")
_NAMED: Final = PreparedQuery(
    Round,
    "WHERE base.id = (SELECT round_id FROM rounds_roundname WHERE reference = %s)",
    related="table",
)


class StoredRound(NamedTuple):
    """A stored round with all inputs of its rules."""

    id: UUID
    dealt: facts.Round
    rules_digest: bytes
    """Of the rule set on arrival."""
    shoe_before: Shoe | None
    limits: Limits


class SelectedBets(NamedTuple):
    """Bets of a round by number, as delivered, and the numbers that were requested."""

    bets: Mapping[int, facts.Bet]
    requested: Collection[int]


class PartOfRound(NamedTuple):
    """A round with some of its bets, sufficient to explain these (``RuleSet.explain``)."""

    dealt: facts.Round
    """With the requested bets and those on which their explanations depend."""
    bets: Mapping[int, facts.Bet]
    """The requested bets, by number."""


def part_of_round(
    row: Round,
    *,
    after: int,
    most: int,
    customer_id: int | None = None,
    ruling: Ruling | None = None,
) -> PartOfRound:
    """The round with up to ``most`` bets numbered above ``after``, in one query.

    Only bets of the customer, if one is given. A ruling is applied to the round.
    """
    pending = query_bets(row, after=after, most=most, customer_id=customer_id)
    return part_from(row, pending.answer(), ruling=ruling)


def query_bets(
    row: Round, *, after: int, most: int, customer_id: int | None = None
) -> PendingResult[SelectedBets]:
    """Sends the query for the bets and those that explain them; ``part_from`` takes its result.

    A round of at most ``most`` bets is read whole, which is faster.
    """
    params: dict[str, Any] = {"round": row.id, "after": after, "customer": customer_id}
    if row.bet_count <= most:
        return send_query(_ALL_BETS, params, _selected_bets)
    rules = RULE_SETS.get(row.rules)  # its bets with hands may explain others
    params |= {"most": most, "raisable_kinds": [] if rules is None else [*rules.raisable_kinds]}
    return send_query(_BETS_AND_COMPANIONS, params, _selected_bets)


def first_bets(
    rows: Collection[Round], *, most: int, customer_id: int | None = None
) -> dict[UUID, SelectedBets]:
    """The first bets of each of these rounds, and those that explain them, in one query."""
    games = [RULE_SETS[row.rules] for row in rows if row.rules in RULE_SETS]
    params = {
        "rounds": [row.id for row in rows],
        "after": -1,
        "most": most,
        "customer": customer_id,
        "raisable_kinds": sorted({kind for rules in games for kind in rules.raisable_kinds}),
    }
    found: dict[UUID, list[Any]] = {row.id: [] for row in rows}
    for round_id, *columns in fetch_rows(_FIRST_BETS, params):
        found[round_id].append(columns)
    return {round_id: _selected_bets(bets) for round_id, bets in found.items()}


def part_from(row: Round, selected: SelectedBets, *, ruling: Ruling | None = None) -> PartOfRound:
    """The round with these bets."""
    dealt = facts_of(row, tuple(selected.bets.values()))
    if ruling is not None:
        dealt = as_ruled(dealt, ruling, numbers=list(selected.bets))
    bets = zip(selected.bets, dealt.bets, strict=True)
    return PartOfRound(dealt, {n: bet for n, bet in bets if n in selected.requested})


def _selected_bets(rows: Rows) -> SelectedBets:
    requested = {number for number, is_requested, *_columns in rows if is_requested}
    bets = {number: bet_of(columns) for number, _is_requested, *columns in rows}
    return SelectedBets(bets, requested)


def round_by_reference(reference: str) -> Round | None:
    """The round with the studio's id, with its table."""
    return _NAMED.first(reference)


def round_of(identity: UUID) -> Round | None:
    """The round with the id, with its table."""
    return _IDENTIFIED.first(identity)


def query_round(identity: UUID) -> PendingResult[list[Round]]:
    """Sends the query of ``round_of``; its result is a list of one round, or empty."""
    return _IDENTIFIED.send_query(identity)


def stored_rounds(round_ids: Collection[UUID]) -> list[StoredRound]:
    """These rounds with their bets, in the order of arrival."""
    rows = Round.objects.filter(id__in=round_ids).select_related("table").order_by("arrival")
    bets = _bets_of(round_ids)
    limits = limits_of({row.limit_set_id for row in rows if row.limit_set_id is not None})
    return [
        StoredRound(
            row.id,
            facts_of(row, tuple(bets.get(row.id, ()))),
            bytes(row.rules_digest),
            _shoe_before(row),
            limits.get(row.limit_set_id or 0, {}),
        )
        for row in rows
    ]


def _bets_of(round_ids: Collection[UUID]) -> dict[UUID, list[facts.Bet]]:
    bets: dict[UUID, list[facts.Bet]] = {}
    with connection.cursor() as cursor:
        cursor.execute(_BETS, [list(round_ids)])
        for round_id, *row in cursor.fetchall():
            bets.setdefault(round_id, []).append(bet_of(row))
    return bets


def limits_of(limit_set_ids: Collection[int]) -> dict[int, dict[str, tuple[int, int]]]:
    """By set and bet kind the minimum and maximum stake in cents, inclusive."""
    limits: dict[int, dict[str, tuple[int, int]]] = {}
    rows = StakeLimit.objects.filter(limit_set__in=limit_set_ids)
    for set_id, kind, least, most in rows.values_list(
        "limit_set_id", "kind", "min_cents", "max_cents"
    ):
        limits.setdefault(set_id, {})[kind] = (least, most)
    return limits


_fact_columns: Final = attrgetter(*(fact.column for fact in ROUND_FACTS))


def facts_of(row: Round, bets: tuple[facts.Bet, ...] = ()) -> facts.Round:
    """The round as facts, with these bets. Reads ``row.table``."""
    columns = [
        milliseconds_of(value) if isinstance(value, datetime) else value
        for value in _fact_columns(row)
    ]
    return round_facts(columns, table=row.table.code, bets=bets)


def _shoe_before(row: Round) -> Shoe | None:
    if row.shoe is None or row.shoe_seen is None:
        return None
    return Shoe(row.shoe_position, bytes(row.shoe_seen))
