"""The expected settlements and transfers of a round, from its rules' verdict."""

from collections.abc import Iterable, Sequence
from typing import Final

from payouts.reconciliation.checks.books import NO_TIME, BookedSettlement
from payouts.settlement.decision import Decision, decide
from payouts.settlement.models import Settlement
from payouts.settlement.postings import Postings
from payouts.settlement.stakes import staked_by
from rounds.rule_inputs import RoundToJudge
from rounds.rules import verdict as verdicts
from rounds.rules.verdict import HELD, SETTLED, VOID, BonusResult, Grade, Verdict
from rounds.rules.void import BY_DECISION

_ANY_STRIPE: Final = 0


def expected_decision(
    stored: RoundToJudge, verdict: Verdict | None, booked: BookedSettlement
) -> Decision | None:
    """The settlement of this sequence, from the verdict or a decision of two persons.

    A void by two persons may cite the decision or the rules; both are tried. None if the rules hold
    the round or there is no ``verdict``.
    """
    possible = [
        decide(stored, candidate, sequence=booked.sequence, booked_on=booked.booked_on)
        for candidate in _possible_verdicts(stored, verdict, booked)
    ]
    fitting = [
        decision for decision in possible if decision.results_digest == booked.results_digest
    ]
    return next(iter(fitting or possible), None)


def _possible_verdicts(
    stored: RoundToJudge, verdict: Verdict | None, booked: BookedSettlement
) -> Iterable[Verdict]:
    is_decided = booked.approved_by is not None
    if is_decided and booked.kind == Settlement.Kind.VOID:
        yield verdicts.void_verdict(stored.dealt, BY_DECISION)
        if verdict is not None and verdict.status == VOID:
            yield verdict
    elif verdict is not None and verdict.status != HELD:
        yield verdict


def decision_as_paid(
    stored: RoundToJudge, booked: BookedSettlement, grades: Sequence[Grade]
) -> Decision | None:
    """A replaced settlement, from its bet results; None if some are missing.

    It may have been replaced because the code judged it wrongly, so it is compared with its digest
    and its audit record only.
    """
    if len(grades) != len(stored.dealt.bets):
        return None
    status = VOID if booked.kind == Settlement.Kind.VOID else SETTLED
    bonus = None if booked.bonus is None else BonusResult(**booked.bonus)
    verdict = Verdict(status, (), tuple(grades), bonus)
    return decide(stored, verdict, sequence=booked.sequence, booked_on=booked.booked_on)


def lines_of_arrival(stored: RoundToJudge) -> str:
    """The transfers of the round's stakes, as lines for the digest of ``books``."""
    postings = Postings(at=NO_TIME, stripe=_ANY_STRIPE)
    postings.take_stakes(stored.id, staked_by(stored.dealt.bets))
    return "".join(postings.blocks)


def lines_of_decision(decision: Decision) -> str:
    """The transfers of a settlement without reversals, as lines for the digest."""
    postings = Postings(at=NO_TIME, stripe=_ANY_STRIPE)
    postings.settle(decision)
    return "".join(postings.blocks)
