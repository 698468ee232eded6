"""Cancelling a round by decision: every bet is void, and everything staked goes back."""

from datetime import datetime
from uuid import UUID

from compliance.trail.actor import Actor
from payouts.services.settle_again import SettledAgain, settle_again
from payouts.services.two_persons import decided_by_two
from rounds.rules import verdict
from rounds.rules.void import BY_DECISION


def void_round(
    *,
    round_id: UUID,
    after: int,
    reason: str,
    at: datetime,
    actor: Actor,
    approved_by: Actor | None,
) -> SettledAgain:
    """Gives back all that was staked and takes back all that was paid, golden chips as chips.

    ``after`` is the sequence of the settlement that is cancelled, 0 for a held round. What a
    customer no longer has he owes. Raises NotByTwo, NoReason or a NotSettledAgain; of these
    NothingWouldChange where the round is void already, by whatever cause.
    """
    by = decided_by_two(actor=actor, approved_by=approved_by, reason=reason, at=at)
    return settle_again(
        round_id=round_id,
        after=after,
        action="ROUND_VOIDED",
        decide_on=lambda stored: verdict.void_round(stored.dealt, BY_DECISION),
        by=by,
    )
