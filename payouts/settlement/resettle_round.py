"""Settling a round again by its rules, in place of a settlement, a void or a hold."""

from collections.abc import Iterable
from datetime import datetime
from uuid import UUID

from compliance.trail.actor import Actor
from payouts.settlement.four_eyes import four_eyes_decision
from payouts.settlement.resettle import Resettlement, RoundNotResettleable, resettle
from rounds.rule_inputs import RoundToJudge
from rounds.rules.ruling import Ruling
from rounds.rules.verdict import HELD, Verdict
from rounds.services.validate import validate_again


class RoundHeldByRules(RoundNotResettleable):
    """The rules hold the round, so there is no payout to settle it by."""

    def __init__(self, anomalies: Iterable[str]) -> None:
        self.anomalies = tuple(anomalies)
        found = ", ".join(self.anomalies)
        super().__init__(f"found {found}; needed a round that went by its rules, or a void")


def resettle_round(
    *,
    round_id: UUID,
    after: int,
    reason: str,
    at: datetime,
    actor: Actor,
    approved_by: Actor | None,
    ruling: Ruling | None = None,
) -> Resettlement:
    """Replays the stored round and pays what the rules give, with the ``ruling`` if there is one.

    ``after`` is the sequence of the settlement that is replaced, 0 for a held round. Raises
    FourEyesRequired, ReasonRequired, RulesRefusedError or RoundNotResettleable, which is
    RoundHeldByRules if the rules still hold the round.
    """
    by = four_eyes_decision(actor=actor, approved_by=approved_by, reason=reason, at=at)

    def judge(stored: RoundToJudge) -> Verdict:
        verdict = validate_again(stored, ruling=ruling, at=at, actor=actor)
        if verdict.status == HELD:
            raise RoundHeldByRules(verdict.anomalies)
        return verdict

    return resettle(
        round_id=round_id,
        after=after,
        action="ROUND_RESETTLED" if ruling is None else "ROUND_RULED",
        judge=judge,
        by=by,
        ruling=ruling,
    )
