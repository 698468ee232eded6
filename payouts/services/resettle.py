"""Settling a round again by its rules: an earlier settlement, or a void, is undone."""

from collections.abc import Iterable
from datetime import datetime
from uuid import UUID

from compliance.trail.actor import Actor
from payouts.services.settle_again import NotSettledAgain, SettledAgain, settle_again
from payouts.services.two_persons import decided_by_two
from rounds.judging import RoundToJudge
from rounds.rules.ruling import Ruling
from rounds.rules.verdict import HELD, Verdict
from rounds.services.validate import validate_again


class HeldByItsRules(NotSettledAgain):
    """The round did not go as its sheet says: there is no payout to settle it by."""

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
) -> SettledAgain:
    """Judges the round anew from what is stored of it, and pays what the rules give.

    With a ``ruling`` the round is judged as the two persons read it, else as the studio told it.
    ``after`` is the sequence of the settlement that is replaced, 0 for a held round. Raises
    NotByTwo, NoReason, RulesChangedError or a NotSettledAgain; of these HeldByItsRules where the
    rules still hold the round.
    """
    by = decided_by_two(actor=actor, approved_by=approved_by, reason=reason, at=at)

    def judge(stored: RoundToJudge) -> Verdict:
        verdict = validate_again(stored, ruling=ruling, at=at, actor=actor)
        if verdict.status == HELD:
            raise HeldByItsRules(verdict.anomalies)
        return verdict

    return settle_again(
        round_id=round_id,
        after=after,
        action="ROUND_RESETTLED" if ruling is None else "ROUND_RULED",
        decide_on=judge,
        by=by,
        ruling=ruling,
    )
