"""What should stand in the books of a round: its rules' verdict, and what follows from it."""

from collections.abc import Iterable
from typing import Final

from payouts.models import Settlement
from payouts.reconciling.books import NO_TIME, BookedSettlement
from payouts.reconciling.rows import paid_grades
from payouts.services.postings import Postings
from payouts.services.settlement import Decision, decide
from payouts.services.staked import staked_by
from rounds.judging import RoundToJudge
from rounds.rules import verdict as verdicts
from rounds.rules.verdict import HELD, SETTLED, VOID, BonusResult, Verdict
from rounds.rules.void import BY_DECISION

_ANY_STRIPE: Final = 0


def expected_decision(
    stored: RoundToJudge, verdict: Verdict | None, booked: BookedSettlement
) -> Decision | None:
    """The settlement of this sequence as it follows from the verdict, or from a decision of two.

    A void by two persons may be theirs or the rules'; both are asked. None where there is nothing
    to settle by: the rules hold the round, or cannot be asked (``verdict`` None).
    """
    possible = [
        decide(stored, one, sequence=booked.sequence, booked_on=booked.booked_on)
        for one in _possible_verdicts(stored, verdict, booked)
    ]
    fitting = [one for one in possible if one.results_digest == booked.results_digest]
    return next(iter(fitting or possible), None)


def _possible_verdicts(
    stored: RoundToJudge, verdict: Verdict | None, booked: BookedSettlement
) -> Iterable[Verdict]:
    is_decided = booked.approved_by is not None
    if is_decided and booked.kind == Settlement.Kind.VOID:
        yield verdicts.void_round(stored.dealt, BY_DECISION)
        if verdict is not None and verdict.status == VOID:
            yield verdict
    elif verdict is not None and verdict.status != HELD:
        yield verdict


def decision_as_paid(stored: RoundToJudge, booked: BookedSettlement) -> Decision | None:
    """A settlement as it was decided then, by what its bets were paid; None where some lack.

    For one that another has followed: it may have been settled again because the code judged it
    wrongly. What it paid is compared with its digest and the trail instead.
    """
    grades = paid_grades(stored.id, booked.sequence)
    if len(grades) != len(stored.dealt.bets):
        return None
    status = VOID if booked.kind == Settlement.Kind.VOID else SETTLED
    bonus = None if booked.bonus is None else BonusResult(**booked.bonus)
    verdict = Verdict(status, (), grades, bonus)
    return decide(stored, verdict, sequence=booked.sequence, booked_on=booked.booked_on)


def lines_of_arrival(stored: RoundToJudge) -> str:
    """The transfers that take the round's stakes, as ``books`` digests them."""
    postings = Postings(at=NO_TIME, stripe=_ANY_STRIPE)
    postings.take_stakes(stored.id, staked_by(stored.dealt.bets))
    return "".join(postings.blocks)


def lines_of_decision(decision: Decision) -> str:
    """The transfers of a settlement without those that take back the one before."""
    postings = Postings(at=NO_TIME, stripe=_ANY_STRIPE)
    postings.settle(decision)
    return "".join(postings.blocks)
