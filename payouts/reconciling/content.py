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
from rounds.storage import disconnects_of

# What the rules do not look at, beside what the round says of itself.
_TOLD: Final = """
    SELECT round.id, round.digest, round.bet_count, round.staked_cents, round.disconnects, bets.*
      FROM rounds_round AS round
     CROSS JOIN LATERAL (
           SELECT array_agg(reference), array_agg(pseudonym), array_agg(participation)
             FROM (SELECT bet.reference, customer.pseudonym, bet.participation
                     FROM rounds_bet AS bet
                     JOIN rounds_customer AS customer ON customer.id = bet.customer_id
                    WHERE bet.round_id = round.id ORDER BY bet.number) AS bet
           ) AS bets
     WHERE round.id = ANY(%(ids)s)
"""
_NAMES: Final = 3
"""So many fields of a bet are names: its own, its player's, and the participation's."""


def check_content(rounds: Collection[RoundToJudge], found: Found) -> None:
    """Whether each round still is what arrived: every fact of it, its bets, its id, its sums."""
    told = {row[0]: row[1:] for row in rows_of(_TOLD, {"ids": [one.id for one in rounds]})}
    for stored in rounds:
        digest, bet_count, staked_cents, disconnects, *names = told[stored.id]
        kept = {
            "digest": bytes(digest).hex(),
            "bets": bet_count,
            "staked_cents": staked_cents,
            "id": str(stored.id),
        }
        made = _made_of(_as_it_came(stored.dealt, disconnects, names))
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


def _made_of(dealt: Round) -> dict[str, object]:
    return {
        "digest": content_digest(dealt).hex(),
        "bets": len(dealt.bets),
        "staked_cents": sum([bet.stake_cents + bet.raised_cents for bet in dealt.bets]),
        "id": str(round_id(reference=dealt.round, opened_at=dealt.opened_at)),
    }
