"""Carrying out an upheld dispute: cases on money, opened and proposed as everybody else's."""

from collections.abc import Iterable
from datetime import datetime

from compliance.trail.actor import Actor
from payouts.cases.standing import ENDED, Stage, stage_of
from payouts.disputes.remedies import RemedyAsked, Way, kind_of_case
from payouts.models import (
    Case,
    CaseRun,
    CaseStep,
    CaseWork,
    Dispute,
    DisputeRemedy,
    DisputeStep,
)
from payouts.services.dispute_steps import DisputeRefusal
from payouts.services.open_case import open_case
from payouts.services.propose_case import propose_case, propose_credit
from rounds.models import Bet


class NotARemedy(DisputeRefusal):
    """A remedy without what its way needs, or for somebody or something else."""


class RemedyUnderWay(DisputeRefusal):
    """A case that an earlier decision opened may still pay, or has paid after all."""

    def __init__(self, case: Case, stage: Stage) -> None:
        super().__init__(
            f"found {case}, {stage.value}; needed it withdrawn, or named as the remedy"
        )
        self.case = case


def begin_remedy(
    dispute: Dispute, decision: DisputeStep, asked: RemedyAsked, *, at: datetime, actor: Actor
) -> list[Case]:
    """Opens and proposes the cases that the decision leads to; a second person decides each.

    The first is the customer's own. Raises NotARemedy, RemedyUnderWay and whatever opening and
    proposing a case raise.
    """
    _refuse_second(dispute, asked)
    if asked.way is Way.CASE:
        cases = [(_case_that_is_there(dispute, asked), dispute.customer_id)]
    elif asked.way is Way.GOODWILL:
        _check_others(dispute, asked.others)
        cases = [
            (_credit(dispute, asked, customer, decision, at=at, actor=actor), customer)
            for customer in (dispute.customer_id, *sorted(asked.others))
        ]
    else:
        case = _settled_again(dispute, asked, decision, at=at, actor=actor)
        cases = [(case, dispute.customer_id)]
    DisputeRemedy.objects.bulk_create(
        DisputeRemedy(
            dispute=dispute,
            case=case,
            sequence=decision.sequence,
            customer_id=customer,
            is_own=customer == dispute.customer_id,
            was_opened=asked.way is not Way.CASE,
        )
        for case, customer in cases
    )
    return [case for case, _customer in cases]


def stage_of_case(case: Case) -> Stage:
    """Where the case stands now."""
    latest = CaseStep.objects.filter(case=case).order_by("-sequence")[0]
    return stage_of(case, latest, CaseRun.objects.filter(pk=case.pk).first())


def has_done_all(case: Case) -> bool:
    """Whether it was executed, and no round of it refused."""
    if stage_of_case(case) is not Stage.DONE:
        return False
    refused = CaseWork.objects.filter(run_id=case.pk, outcome=CaseWork.Outcome.REFUSED)
    return not refused.exists()


def _settled_again(
    dispute: Dispute, asked: RemedyAsked, decision: DisputeStep, *, at: datetime, actor: Actor
) -> Case:
    remedy, ruling = asked.of_case
    if remedy is None:
        raise NotARemedy("remedy: found none; needed how the round is settled again")
    if asked.way is Way.REFUND:
        _check_refund(dispute, asked.bets)
    case = _opened(dispute, asked, decision, at=at, actor=actor)
    propose_case(
        case_id=case.pk,
        seen=1,
        remedy=remedy,
        ruling=ruling,
        effect_digest=asked.effect_digest,
        note=f"{dispute}: {decision.note}",
        at=at,
        actor=actor,
    )
    return case


def _credit(
    dispute: Dispute,
    asked: RemedyAsked,
    customer_id: int,
    decision: DisputeStep,
    *,
    at: datetime,
    actor: Actor,
) -> Case:
    case = _opened(dispute, asked, decision, at=at, actor=actor)
    propose_credit(
        case_id=case.pk,
        seen=1,
        customer_id=customer_id,
        cents=asked.cents,
        note=f"{dispute}: {decision.note}",
        at=at,
        actor=actor,
    )
    return case


def _opened(
    dispute: Dispute, asked: RemedyAsked, decision: DisputeStep, *, at: datetime, actor: Actor
) -> Case:
    if asked.reason is None:
        raise NotARemedy("reason: found none; needed one of the list of reasons")
    return open_case(
        kind=kind_of_case(dispute, asked),
        reason=asked.reason,
        text=f"{dispute}: {decision.note}",
        round_ids=[dispute.round_id],
        at=at,
        actor=actor,
    )


def _case_that_is_there(dispute: Dispute, asked: RemedyAsked) -> Case:
    about = Case.objects.filter(rounds__round_id=dispute.round_id)
    case = None if asked.case_id is None else about.filter(pk=asked.case_id).first()
    if case is None:
        raise NotARemedy(f"case: found {asked.case_id}; needed a case about the round")
    if (stage := stage_of_case(case)) is Stage.WITHDRAWN:
        raise NotARemedy(f"case: found {case}, {stage.value}; needed one that goes on")
    return case


def _check_refund(dispute: Dispute, bets: frozenset[int]) -> None:
    """Bets of the round, and of the customer those that he contests or at least one."""
    theirs = Bet.objects.filter(round_id=dispute.round_id, number__in=bets)
    own = theirs.filter(customer_id=dispute.customer_id)
    if dispute.bet_number is not None:
        own = own.filter(number=dispute.bet_number)
    if theirs.count() != len(bets) or not own.exists():
        raise NotARemedy(
            f"bets: found {sorted(bets)}; needed bets of the round, with the one contested"
        )


def _check_others(dispute: Dispute, others: Iterable[int]) -> None:
    asked = set(others)
    bets = Bet.objects.filter(round_id=dispute.round_id, customer_id__in=asked)
    found = set(bets.values_list("customer_id", flat=True))
    if found != asked or dispute.customer_id in asked:
        raise NotARemedy(
            f"others: found {len(asked)} customers; needed others with a bet in the round"
        )


def _refuse_second(dispute: Dispute, asked: RemedyAsked) -> None:
    """That no case of an earlier decision pays for the same, or has done so since it failed."""
    failed = DisputeStep.objects.filter(dispute=dispute, action=DisputeStep.Action.REMEDY_FAILED)
    after = {sequence - 1 for sequence in failed.values_list("sequence", flat=True)}
    earlier = DisputeRemedy.objects.filter(dispute=dispute, was_opened=True).select_related("case")
    for one in [one for one in earlier if one.case_id != asked.case_id]:
        stage = stage_of_case(one.case)
        has_paid_since = one.sequence in after and has_done_all(one.case)
        if stage not in ENDED or has_paid_since:
            raise RemedyUnderWay(one.case, stage)
