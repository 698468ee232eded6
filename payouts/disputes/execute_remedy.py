"""Executing the remedy of an upheld dispute by cases, opened and proposed like any other."""

from collections.abc import Iterable
from datetime import datetime

from compliance.trail.actor import Actor
from compliance.trail.steps import StepError
from payouts.cases.models import Case, CaseRun, CaseStep, CaseWork
from payouts.cases.open_case import open_case
from payouts.cases.propose_case import propose_case, propose_credit
from payouts.cases.status import ENDED, Stage, stage_of
from payouts.disputes.models import Dispute, DisputeRemedy, DisputeStep
from payouts.disputes.queries import disputed_bets
from payouts.disputes.remedies import RequestedRemedy, Way, kind_of_case
from rounds.models import Bet
from rounds.rules.money import format_cents


class InvalidDisputeRemedy(StepError):
    """A remedy that is incomplete, or does not fit the dispute."""


class LossNotAccepted(StepError):
    """The remedy takes money from the complainant, and the loss was not accepted."""

    def __init__(self, loss_cents: int, *, accepted_cents: int) -> None:
        found, needed = format_cents(accepted_cents), format_cents(loss_cents)
        super().__init__(f"accepted loss: found {found}; needed {needed}, which the customer loses")
        self.loss_cents = loss_cents


def require_accepted(loss_cents: int, *, accepted_cents: int) -> None:
    """Raises LossNotAccepted if there is a loss and another amount was accepted."""
    if loss_cents and loss_cents != accepted_cents:
        raise LossNotAccepted(loss_cents, accepted_cents=accepted_cents)


class RemedyInProgress(StepError):
    """A case of an earlier decision may still pay, or has paid."""

    def __init__(self, case: Case, stage: Stage) -> None:
        super().__init__(
            f"found {case}, {stage.value}; needed it withdrawn, or named as the remedy"
        )
        self.case = case


def begin_remedy(
    dispute: Dispute, decision: DisputeStep, remedy: RequestedRemedy, *, at: datetime, actor: Actor
) -> list[Case]:
    """Opens and proposes the cases of a remedy. A second person decides each.

    The first is the complainant's. Raises InvalidDisputeRemedy, RemedyInProgress and the errors of
    opening and proposing a case.
    """
    _require_no_other_remedy(dispute, remedy)
    if remedy.way is Way.CASE:
        cases = [(_existing_case(dispute, remedy), dispute.customer_id)]
    elif remedy.way is Way.GOODWILL:
        _check_others(dispute, remedy.others)
        cases = [
            (_open_credit(dispute, remedy, customer, decision, at=at, actor=actor), customer)
            for customer in (dispute.customer_id, *sorted(remedy.others))
        ]
    else:
        case = _open_resettlement(dispute, remedy, decision, at=at, actor=actor)
        cases = [(case, dispute.customer_id)]
    DisputeRemedy.objects.bulk_create(
        DisputeRemedy(
            dispute=dispute,
            case=case,
            sequence=decision.sequence,
            customer_id=customer,
            is_own=customer == dispute.customer_id,
            was_opened=remedy.way is not Way.CASE,
        )
        for case, customer in cases
    )
    return [case for case, _customer in cases]


def stage_of_case(case: Case) -> Stage:
    """The present stage of a case."""
    latest = CaseStep.objects.filter(case=case).order_by("-sequence")[0]
    return stage_of(case, latest, CaseRun.objects.filter(pk=case.pk).first())


def has_done_all(case: Case) -> bool:
    """Whether the case was executed for all of its rounds."""
    if stage_of_case(case) is not Stage.DONE:
        return False
    refused = CaseWork.objects.filter(run_id=case.pk, outcome=CaseWork.Outcome.REFUSED)
    return not refused.exists()


def _open_resettlement(
    dispute: Dispute, remedy: RequestedRemedy, decision: DisputeStep, *, at: datetime, actor: Actor
) -> Case:
    case_remedy, ruling = remedy.of_case
    if case_remedy is None:
        raise InvalidDisputeRemedy("remedy: found none; needed how the round is settled again")
    if remedy.way is Way.REFUND:
        _check_refund(dispute, remedy.bets)
    case = _open_case(dispute, remedy, decision, at=at, actor=actor)
    propose_case(
        case_id=case.pk,
        seen=1,
        remedy=case_remedy,
        ruling=ruling,
        effect_digest=remedy.effect_digest,
        note=f"{dispute}: {decision.note}",
        at=at,
        actor=actor,
    )
    return case


def _open_credit(
    dispute: Dispute,
    remedy: RequestedRemedy,
    customer_id: int,
    decision: DisputeStep,
    *,
    at: datetime,
    actor: Actor,
) -> Case:
    case = _open_case(dispute, remedy, decision, at=at, actor=actor)
    propose_credit(
        case_id=case.pk,
        seen=1,
        customer_id=customer_id,
        cents=remedy.cents,
        note=f"{dispute}: {decision.note}",
        at=at,
        actor=actor,
    )
    return case


def _open_case(
    dispute: Dispute, remedy: RequestedRemedy, decision: DisputeStep, *, at: datetime, actor: Actor
) -> Case:
    if remedy.reason is None:
        raise InvalidDisputeRemedy("reason: found none; needed one of the list of reasons")
    return open_case(
        kind=kind_of_case(dispute, remedy),
        reason=remedy.reason,
        text=f"{dispute}: {decision.note}",
        round_ids=[dispute.round_id],
        at=at,
        actor=actor,
    )


def _existing_case(dispute: Dispute, remedy: RequestedRemedy) -> Case:
    about = Case.objects.filter(rounds__round_id=dispute.round_id)
    case = None if remedy.case_id is None else about.filter(pk=remedy.case_id).first()
    if case is None:
        raise InvalidDisputeRemedy(f"case: found {remedy.case_id}; needed a case about the round")
    if (stage := stage_of_case(case)) is Stage.WITHDRAWN:
        raise InvalidDisputeRemedy(f"case: found {case}, {stage.value}; needed one that goes on")
    return case


def _check_refund(dispute: Dispute, bets: frozenset[int]) -> None:
    """Raises InvalidDisputeRemedy unless all are bets of the round and one is contested."""
    refunded = Bet.objects.filter(round_id=dispute.round_id, number__in=bets)
    contested = disputed_bets(dispute).filter(number__in=bets)
    if refunded.count() != len(bets) or not contested.exists():
        raise InvalidDisputeRemedy(
            f"bets: found {sorted(bets)}; needed bets of the round, with the one contested"
        )


def _check_others(dispute: Dispute, others: Iterable[int]) -> None:
    ids = set(others)
    bets = Bet.objects.filter(round_id=dispute.round_id, customer_id__in=ids)
    customer_ids = set(bets.values_list("customer_id", flat=True))
    if customer_ids != ids or dispute.customer_id in ids:
        raise InvalidDisputeRemedy(
            f"others: found {len(ids)} customers; needed others with a bet in the round"
        )


def _require_no_other_remedy(dispute: Dispute, remedy: RequestedRemedy) -> None:
    """Raises RemedyInProgress if a case of an earlier decision may still pay, or has paid."""
    failed = DisputeStep.objects.filter(dispute=dispute, action=DisputeStep.Action.REMEDY_FAILED)
    after = {sequence - 1 for sequence in failed.values_list("sequence", flat=True)}
    earlier = DisputeRemedy.objects.filter(dispute=dispute, was_opened=True).select_related("case")
    for other in (row for row in earlier if row.case_id != remedy.case_id):
        stage = stage_of_case(other.case)
        has_paid_since = other.sequence in after and has_done_all(other.case)
        if stage not in ENDED or has_paid_since:
            raise RemedyInProgress(other.case, stage)
