"""Voiding a round by decision of two persons."""

from datetime import datetime
from uuid import UUID

from compliance.trail.actor import Actor
from payouts.settlement.four_eyes import four_eyes_decision
from payouts.settlement.resettle import Resettlement, resettle
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
) -> Resettlement:
    """Voids every bet: returns all stakes and reverses all payouts, golden chips as chips.

    ``after`` is the sequence of the settlement that is replaced, 0 for a held round. Customers owe
    what their balance lacks. Raises FourEyesRequired, ReasonRequired, UnsignedRulesError or
    RoundNotResettleable, which is SettlementUnchanged if the round is void already.
    """
    by = four_eyes_decision(actor=actor, approved_by=approved_by, reason=reason, at=at)
    return resettle(
        round_id=round_id,
        after=after,
        action="ROUND_VOIDED",
        judge=lambda stored: verdict.void_verdict(stored.dealt, BY_DECISION),
        by=by,
    )
