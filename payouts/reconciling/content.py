"""The facts of a round against the digest of the document that brought them."""

from collections.abc import Sequence
from typing import Final
from uuid import UUID

from compliance.trail.stretches import Stretch
from payouts.reconciling.found import Found, Kind, RoundName
from payouts.reconciling.reading import read_each, rows_of
from rounds.feed import content_digest
from rounds.identity import round_id
from rounds.queries import StoredRound, stored_rounds

_TOLD: Final = "SELECT id, digest, bet_count, staked_cents FROM rounds_round WHERE {id}"


def check_content(keys: Stretch, round_ids: Sequence[UUID], found: Found) -> None:
    """Whether each round still is what arrived: every fact of it, its bets, its id, its sums."""
    told = {row[0]: row[1:] for row in rows_of(_TOLD.format(id=keys.holds("id")))}
    for stored in read_each(stored_rounds, round_ids, _told_by_replay):
        digest, bet_count, staked_cents = told[stored.id]
        kept = {"digest": bytes(digest).hex(), "bets": bet_count, "staked_cents": staked_cents}
        _compare(stored, {**kept, "id": str(stored.id)}, found)


def _compare(stored: StoredRound, kept: dict[str, object], found: Found) -> None:
    dealt = stored.dealt
    made = {
        "digest": content_digest(dealt).hex(),
        "bets": len(dealt.bets),
        "staked_cents": sum([bet.stake_cents + bet.raised_cents for bet in dealt.bets]),
        "id": str(round_id(reference=dealt.round, opened_at=dealt.opened_at)),
    }
    if kept != made:
        other = [name for name in made if made[name] != kept[name]]
        name = RoundName(stored.id, dealt.round)
        found.add(
            name.differs(
                Kind.CONTENT,
                {one: made[one] for one in other},
                {one: kept[one] for one in other},
            )
        )


def _told_by_replay(round_id: UUID, error: Exception) -> None:
    """A round that cannot be read cannot be judged either, which is told once."""
