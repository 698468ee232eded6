"""Executing approved cases, one round per transaction, each exactly once.

One worker at a time executes a case, in the order in which its effect was computed. The work row is
marked done in the transaction that moves the money, so a killed worker leaves both or neither.
Before money moves, the signatures of both persons are verified (``verify_case``). A decision that
is not theirs pays nothing and halts the execution of all cases, until two persons resume it. One
from before signatures is refused: nothing proves what it was about.
"""

import logging
from collections.abc import Callable
from datetime import datetime
from typing import Final

from django.db import InterfaceError, OperationalError, transaction
from django.db.models import Q
from structlog.contextvars import bound_contextvars

from compliance.storage.conflict_retry import retry_on_conflict
from compliance.trail.actor import WORKER, Actor
from compliance.trail.record import Entry, record_entries
from payouts.cases.credit_goodwill import credit_goodwill
from payouts.cases.halt_cases import halt_cases, is_halted, was_halted
from payouts.cases.models import Case, CaseRun, CaseWork
from payouts.cases.propose_case import ruling_of_step
from payouts.cases.remedies import Remedy, ruling_for
from payouts.cases.verify_case import ApprovedProposal, InvalidDecision, verified_proposal
from payouts.integrity.stop_settlement import may_settle
from payouts.settlement.four_eyes import FourEyesDecision, four_eyes_decision
from payouts.settlement.resettle import Resettlement, RoundNotResettleable, SettlementUnchanged
from payouts.settlement.resettle_round import resettle_round
from payouts.settlement.void_round import void_round
from rounds.models import Round
from rounds.rules.catalogue import rule_set
from rounds.services.queue import retry_pause
from rounds.services.validate import RulesRefusedError

_log = logging.getLogger(__name__)
_BEFORE_SIGNATURES: Final = "found a decision from before signatures; needed a new, signed one"


def work_on_case(case_id: int, *, now: Callable[[], datetime]) -> bool:
    """Executes the next round of a case. False if none is due or another worker executes it.

    A round that was settled again since the approval is refused. A round that fails for another
    reason is retried later. The case ends with its last round.
    """
    with bound_contextvars(case=str(case_id)):
        return _work_on_case(case_id, now=now)


def _work_on_case(case_id: int, *, now: Callable[[], datetime]) -> bool:
    claimed: list[CaseWork] = []

    def work() -> bool:
        claimed.clear()
        return _work_on_next(case_id, claimed, at=now())

    try:
        return retry_on_conflict(work)
    except (OperationalError, InterfaceError):
        raise  # the database is unavailable; the round is not at fault
    except Exception as error:  # the other rounds are executed nevertheless
        if not claimed:
            raise
        _log.exception("Round %d of case %d cannot be settled now", claimed[0].number, case_id)
        _postpone(claimed[0], error, at=now())
        return True


def _work_on_next(case_id: int, claimed: list[CaseWork], *, at: datetime) -> bool:
    runs = CaseRun.objects.select_for_update(skip_locked=True, of=("self",))
    run = runs.select_related("case").filter(pk=case_id, finished_at=None).first()
    if run is None or is_halted() or not may_settle(at=at):
        return False
    left = run.works.filter(done_at=None)
    is_due = Q(due_at__lte=at) | Q(attempts=0)  # the clock of the web host may be ahead
    work = left.filter(is_due).order_by("number").first()
    if work is None:
        if not left.exists():
            _finish(run, at=at)
        return False
    claimed.append(work)
    try:
        _execute(work, run.case, at=at)
    except InvalidDecision as error:
        if not was_halted(run.case):
            halt_cases(run.case, error=str(error), at=at)
            return False
        refused = CaseWork.Outcome.REFUSED
        left.update(outcome=refused, error=str(error), done_at=at)
    return True


def _execute(work: CaseWork, case: Case, *, at: datetime) -> None:
    decision = verified_proposal(case)
    if not decision.is_signed:
        work.outcome, work.error, work.done_at = CaseWork.Outcome.REFUSED, _BEFORE_SIGNATURES, at
        work.save()
        return
    proposal, approval = decision.proposal, decision.approval
    by = four_eyes_decision(
        actor=Actor(proposal.actor, proposal.actor_user_id),
        approved_by=Actor(approval.actor, approval.actor_user_id),
        reason=f"{case}: {case.reason_it}. {proposal.note}",
        at=at,
    )
    try:
        with transaction.atomic():
            resettlement = _settle(work, decision, by)
    except SettlementUnchanged:
        work.outcome = CaseWork.Outcome.NOTHING
    except (RoundNotResettleable, RulesRefusedError) as error:
        work.outcome, work.error = CaseWork.Outcome.REFUSED, str(error)
    else:
        work.outcome, work.error = CaseWork.Outcome.DONE, ""
        if resettlement is not None:
            work.sequence = resettlement.sequence
            work.owed_cents = resettlement.owed_cents
    work.done_at = at
    work.save()


def _settle(
    work: CaseWork, decision: ApprovedProposal, by: FourEyesDecision
) -> Resettlement | None:
    proposal = decision.proposal
    if decision.is_credit:
        customer_id, cents = decision.credit()
        credit_goodwill(case=proposal.case, customer_id=customer_id, cents=cents, by=by)
        return None
    planned = decision.settlement(work)
    arguments = {"round_id": planned.round_id, "after": planned.after, **by._asdict()}
    rules = rule_set(Round.objects.values_list("rules", flat=True).get(pk=planned.round_id))
    ruling = ruling_of_step(proposal) or ruling_for(Remedy(proposal.remedy), rules)
    if ruling is None:
        resettlement = void_round(**arguments)
    else:
        resettlement = resettle_round(**arguments, ruling=ruling)
    decision.require_settled(planned, resettlement.sequence)
    return resettlement


def _finish(run: CaseRun, *, at: datetime) -> None:
    run.finished_at = at
    run.save(update_fields=["finished_at"])
    outcomes = run.works.values_list("outcome", flat=True)
    counts = {outcome.value: list(outcomes).count(outcome) for outcome in CaseWork.Outcome}
    entry = Entry("CASE_EXECUTED", f"case:{run.case}", counts)
    record_entries([entry], at=at, actor=WORKER)


def _postpone(work: CaseWork, error: Exception, *, at: datetime) -> None:
    """Schedules a retry, like that of a round in the queue."""
    CaseWork.objects.filter(pk=work.pk, done_at=None).update(
        attempts=work.attempts + 1,
        error=f"{type(error).__name__}: {error}",
        due_at=at + retry_pause(work.attempts),
    )
