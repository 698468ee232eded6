"""The facts of a round against the digest of the document that brought them."""

import json
from collections.abc import Collection
from typing import Any, Final

from payouts.reconciling.found import Found, Kind, RoundName
from payouts.reconciling.reading import rows_of
from rounds.feed import content_digest
from rounds.identity import round_id
from rounds.judging import RoundToJudge
from rounds.rules.facts import Bet, Round
from rounds.storage import cards_column, disconnects_of

_EXACT: Final = "date_trunc('milliseconds', {0}) = {0}".format
# What the rules do not look at, beside what the round says of itself. Facts are read in the units
# of the feed, and what has no meaning there is no fact: finer times, how bets are numbered.
_TOLD: Final = f"""
    SELECT round.id, round.digest, round.bet_count, round.staked_cents, round.disconnects,
           array_to_string(round.cards, ','),
           num_nulls(round.multipliers, round.bonus, round.disconnects),
           exact AND {_EXACT("opened_at")} AND {_EXACT("closed_at")} AND {_EXACT("ended_at")},
           bets.named, bets.players, bets.participations
      FROM rounds_round AS round
     CROSS JOIN LATERAL (
           SELECT coalesce(min(number) = 0 AND max(number) = count(*) - 1 AND bool_and(on_time),
                           true) AS exact,
                  array_agg(reference) AS named, array_agg(pseudonym) AS players,
                  array_agg(participation) AS participations
             FROM (SELECT bet.number, bet.reference, customer.pseudonym, bet.participation,
                          {_EXACT("placed_at")} AS on_time
                     FROM rounds_bet AS bet
                     JOIN rounds_customer AS customer ON customer.id = bet.customer_id
                    WHERE bet.round_id = round.id ORDER BY bet.number) AS bet
           ) AS bets
     WHERE round.id = ANY(%(ids)s)
"""  # noqa: S608  no text from outside
_NAMES: Final = 3
"""So many fields of a bet are names: its own, its player's, and the participation's."""
_WRITTEN: Final = 3
"""So many columns say how the facts are written."""


def check_content(rounds: Collection[RoundToJudge], found: Found) -> None:
    """Whether each round still is what arrived: every fact of it, its bets, its id, its sums."""
    told = {row[0]: row[1:] for row in rows_of(_TOLD, {"ids": [one.id for one in rounds]})}
    for stored in rounds:
        digest, bet_count, staked_cents, disconnects, *rest = told[stored.id]
        written, names = rest[:_WRITTEN], rest[_WRITTEN:]
        kept = {
            "digest": bytes(digest).hex(),
            "bets": bet_count,
            "staked_cents": staked_cents,
            "id": str(stored.id),
            "as_written": True,
        }
        dealt = _as_it_came(stored.dealt, disconnects, names)
        made = {**_made_of(dealt), "as_written": written == _written(dealt)}
        if kept != made:
            other = [name for name in made if made[name] != kept[name]]
            found.add(
                RoundName(stored.id, stored.dealt.round).differs(
                    Kind.CONTENT,
                    {name: made[name] for name in other},
                    {name: kept[name] for name in other},
                )
            )


def _as_it_came(dealt: Round, disconnects: str | None, names: list[Any]) -> Round:
    """The round with the names that its document gave to bets, players and participations."""
    columns = [column or () for column in names]
    pairs = zip(zip(*columns, strict=True), dealt.bets, strict=False)
    return dealt._replace(
        bets=tuple([Bet._make((*called, *bet[_NAMES:])) for called, bet in pairs]),
        disconnects=disconnects_of(None if disconnects is None else json.loads(disconnects)),
    )


def _written(dealt: Round) -> list[object]:
    """How the facts stand in their columns: there is one way, and nothing beside them."""
    absent = dealt.multipliers is None, dealt.bonus is None, not dealt.disconnects
    return [",".join(cards_column(dealt.cards)), sum(absent), True]


def _made_of(dealt: Round) -> dict[str, object]:
    return {
        "digest": content_digest(dealt).hex(),
        "bets": len(dealt.bets),
        "staked_cents": sum([bet.stake_cents + bet.raised_cents for bet in dealt.bets]),
        "id": str(round_id(reference=dealt.round, opened_at=dealt.opened_at)),
    }
