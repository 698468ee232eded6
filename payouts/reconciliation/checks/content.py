"""The facts of a round, against the digest of its document."""

import json
from collections.abc import Collection, Iterable, Sequence
from typing import Any, Final

from payouts.reconciliation.checks.differences import (
    CheckResult,
    Kind,
    RoundName,
    differing_members,
)
from payouts.reconciliation.checks.snapshot import fetch_rows
from rounds.feed import content_digest
from rounds.identity import round_id
from rounds.row_mapping import cards_column, disconnects_of
from rounds.rule_inputs import RoundToJudge
from rounds.rules.facts import Bet, Round

_EXACT: Final = "date_trunc('milliseconds', {0}) = {0}".format
# Facts that the rules do not read. They are compared in the units of the feed: a time finer than a
# millisecond or a gap in the bet numbers is a difference.
_FACTS: Final = f"""
    SELECT round.id, round.digest, round.bet_count, round.staked_cents, round.disconnects,
           array_to_string(round.cards, ','),
           num_nulls(round.multipliers, round.bonus, round.disconnects, round.video),
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
"""
_NAMES: Final = 3
"""The first fields of a bet: its reference, the player and the participation."""
_WRITTEN: Final = 3
"""The columns that show how the facts are written."""


def check_content(rounds: Collection[RoundToJudge], result: CheckResult) -> None:
    """Checks every fact, bet, id and sum of these rounds against the document's digest."""
    rows = fetch_rows(_FACTS, {"ids": [stored.id for stored in rounds]})
    compare_content(rounds, rows, result)


def compare_content(
    rounds: Collection[RoundToJudge], rows: Iterable[Sequence[Any]], result: CheckResult
) -> None:
    """Compares rounds with the rows of ``_FACTS``, which may also come from an archive."""
    facts = {row[0]: row[1:] for row in rows}
    for stored in rounds:
        digest, bet_count, staked_cents, disconnects, *rest = facts[stored.id]
        written, names = rest[:_WRITTEN], rest[_WRITTEN:]
        recorded = {
            "digest": bytes(digest).hex(),
            "bets": bet_count,
            "staked_cents": staked_cents,
            "id": str(stored.id),
            "as_written": True,
        }
        dealt = _as_received(stored.dealt, disconnects, names)
        computed = {
            **_computed(dealt),
            "bets": len(names[0] or ()),  # also those that were added to the round
            "as_written": written == _written(dealt),
        }
        if different := differing_members(computed, recorded):
            name = RoundName(stored.id, stored.dealt.round)
            result.add(name.differs(Kind.CONTENT, *different))


def _as_received(dealt: Round, disconnects: str | None, names: list[Any]) -> Round:
    """The round with the document's references of bets, players and participations."""
    columns = [column or () for column in names]
    pairs = zip(zip(*columns, strict=True), dealt.bets, strict=False)
    return dealt._replace(
        bets=tuple([Bet._make((*references, *bet[_NAMES:])) for references, bet in pairs]),
        disconnects=disconnects_of(None if disconnects is None else json.loads(disconnects)),
    )


def _written(dealt: Round) -> list[object]:
    """The columns as they must be written."""
    absent = [value is None for value in (dealt.multipliers, dealt.bonus, dealt.video)]
    absent.append(not dealt.disconnects)
    return [",".join(cards_column(dealt.cards)), sum(absent), True]


def _computed(dealt: Round) -> dict[str, object]:
    return {
        "digest": content_digest(dealt).hex(),
        "staked_cents": sum([bet.stake_cents + bet.raised_cents for bet in dealt.bets]),
        "id": str(round_id(reference=dealt.round, opened_at=dealt.opened_at)),
    }
