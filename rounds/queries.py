"""Reading rounds. Nothing here changes anything."""

from collections.abc import Collection, Mapping
from typing import Final, NamedTuple
from uuid import UUID

from django.db import connection

from compliance.trail.prepared import Pending, Prepared, Rows, ask
from rounds.models import Round, StakeLimit
from rounds.rules import facts
from rounds.rules.blackjack.bets import MAIN
from rounds.rules.limits import Limits
from rounds.rules.ruling import Ruling, as_ruled
from rounds.rules.shoe import Shoe
from rounds.storage import (
    bet_of,
    bonus_of,
    cards_of,
    disconnects_of,
    milliseconds_of,
    multipliers_of,
)

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
"""  # noqa: S608  our own names
_BETS_AND_COMPANIONS: Final = f"""
    WITH asked AS MATERIALIZED (
        SELECT number, customer_id, box, behind
          FROM rounds_bet
         WHERE round_id = %(round)s AND number > %(after)s
           AND (%(customer)s::bigint IS NULL OR customer_id = %(customer)s)
         ORDER BY number LIMIT %(most)s
    )
    SELECT bet.number, bet.number IN (SELECT number FROM asked), {_OF_BET}
      FROM rounds_bet AS bet
     WHERE bet.round_id = %(round)s
       AND (bet.number IN (SELECT number FROM asked)
            OR bet.kind = %(main)s
               AND (bet.customer_id IN (SELECT customer_id FROM asked)
                    OR NOT bet.behind AND bet.box IN (SELECT box FROM asked WHERE behind)))
     ORDER BY bet.number
"""  # noqa: S608  as above


_IDENTIFIED: Final = Prepared(Round, "WHERE one.id = %s", related="table")
_NAMED: Final = Prepared(
    Round,
    "WHERE one.id = (SELECT round_id FROM rounds_roundname WHERE reference = %s)",
    related="table",
)


class StoredRound(NamedTuple):
    """A round as it is stored, with all that the rules look at."""

    id: UUID
    dealt: facts.Round
    rules_digest: bytes
    """Of the rule set under which the round arrived."""
    shoe_before: Shoe | None
    limits: Limits


class SomeBets(NamedTuple):
    """Bets of a round by number, as the studio told them, and which of them were asked for."""

    bets: Mapping[int, facts.Bet]
    asked: Collection[int]


class PartOfRound(NamedTuple):
    """A round with few of its bets, which is enough to explain those (``RuleSet.explain``)."""

    dealt: facts.Round
    """With the bets that were asked for, and those on which their explanations depend."""
    bets: Mapping[int, facts.Bet]
    """The bets that were asked for, by number."""


def part_of_round(
    row: Round,
    *,
    after: int,
    most: int,
    customer_id: int | None = None,
    ruling: Ruling | None = None,
) -> PartOfRound:
    """The round with the next so many bets behind this number, in one query however many it has.

    Of one customer, where one is named. With a ruling, as persons read it.
    """
    asked = ask_bets(row, after=after, most=most, customer_id=customer_id)
    return part_with(row, asked.answer(), ruling=ruling)


def ask_bets(
    row: Round, *, after: int, most: int, customer_id: int | None = None
) -> Pending[SomeBets]:
    """Asks for those bets and for what explains them; ``part_with`` makes a part of them.

    All bets are read where there are no more than ``most``: that is the cheaper question.
    """
    asked: dict[str, UUID | int | str | None] = {
        "round": row.id,
        "after": after,
        "customer": customer_id,
    }
    if row.bet_count <= most:
        return ask(_ALL_BETS, asked, _some_bets)
    return ask(_BETS_AND_COMPANIONS, asked | {"most": most, "main": MAIN}, _some_bets)


def part_with(row: Round, found: SomeBets, *, ruling: Ruling | None = None) -> PartOfRound:
    """The round with these of its bets."""
    dealt = facts_of(row, tuple(found.bets.values()))
    if ruling is not None:
        dealt = as_ruled(dealt, ruling, numbers=list(found.bets))
    numbered = zip(found.bets, dealt.bets, strict=True)
    return PartOfRound(dealt, {number: bet for number, bet in numbered if number in found.asked})


def _some_bets(rows: Rows) -> SomeBets:
    asked = {number for number, is_asked, *_columns in rows if is_asked}
    return SomeBets({number: bet_of(columns) for number, _is_asked, *columns in rows}, asked)


def round_named(reference: str) -> Round | None:
    """The round that the studio calls so, with its table."""
    return _NAMED.first(reference)


def round_of(identity: UUID) -> Round | None:
    """The round of this id, with its table."""
    return _IDENTIFIED.first(identity)


def ask_round(identity: UUID) -> Pending[list[Round]]:
    """Asks for the same: one round, or none."""
    return _IDENTIFIED.ask(identity)


def stored_rounds(round_ids: Collection[UUID]) -> list[StoredRound]:
    """These rounds with their bets, in the order of their arrival."""
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
    found: dict[UUID, list[facts.Bet]] = {}
    with connection.cursor() as cursor:
        cursor.execute(_BETS, [list(round_ids)])
        for round_id, *row in cursor.fetchall():
            found.setdefault(round_id, []).append(bet_of(row))
    return found


def limits_of(limit_set_ids: Collection[int]) -> dict[int, dict[str, tuple[int, int]]]:
    """By set of limits and bet kind the least and the greatest stake in cents, both included."""
    found: dict[int, dict[str, tuple[int, int]]] = {}
    limits = StakeLimit.objects.filter(limit_set__in=limit_set_ids)
    for set_id, kind, least, most in limits.values_list(
        "limit_set_id", "kind", "min_cents", "max_cents"
    ):
        found.setdefault(set_id, {})[kind] = (least, most)
    return found


def facts_of(row: Round, bets: tuple[facts.Bet, ...] = ()) -> facts.Round:
    """The round as it was dealt, with these bets; its table is read with it or once more."""
    return facts.Round(
        round=row.reference,
        table=row.table.code,
        rules=row.rules,
        shoe=row.shoe,
        drawn=row.drawn,
        opened_at=milliseconds_of(row.opened_at),
        closed_at=milliseconds_of(row.closed_at),
        ended_at=milliseconds_of(row.ended_at),
        session=row.session,
        cards=cards_of(row.cards),
        bets=bets,
        multipliers=multipliers_of(row.multipliers),
        bonus=bonus_of(row.bonus),
        disconnects=disconnects_of(row.disconnects),
        malfunction=row.malfunction,
    )


def _shoe_before(row: Round) -> Shoe | None:
    if row.shoe is None or row.shoe_seen is None:
        return None
    return Shoe(row.shoe_position, bytes(row.shoe_seen))
