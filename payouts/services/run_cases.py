"""Executing approved cases: round by round, each whole or not at all, each once.

A case is executed by one worker at a time, in the order in which its effect was computed. The row
of work is done in the transaction that moves the money: a worker that is killed leaves either both
or neither, and the next one goes on from there.
"""

import logging
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Final

from django.db import InterfaceError, OperationalError, transaction

from compliance.trail.actor import WORKER, Actor
from compliance.trail.record import Entry, record_entries
from payouts.cases.remedies import Remedy, ruling_for
from payouts.models import Case, CaseRun, CaseStep, CaseWork
from payouts.services.collisions import again_after_collision
from payouts.services.credit_goodwill import credit_goodwill
from payouts.services.propose_case import ruling_of_step
from payouts.services.resettle import resettle_round
from payouts.services.settle_again import NothingWouldChange, NotSettledAgain, SettledAgain
from payouts.services.two_persons import ByTwo, decided_by_two
from payouts.services.void import void_round
from rounds.models import Round
from rounds.rules.catalogue import rule_set
from rounds.services.validate import RulesChangedError

_FIRST_PAUSE: Final = timedelta(seconds=5)
_LONGEST_PAUSE: Final = timedelta(minutes=10)
_MOST_DOUBLINGS: Final = 10
_log = logging.getLogger(__name__)


def work_on_case(case_id: int, *, now: Callable[[], datetime]) -> bool:
    """Executes the next round of a case; False where nothing is left, or another worker is at it.

    A round that somebody has settled since the approval is not done, and says so; one that fails
    for any other reason waits and is tried again. Ends the case with its last round.
    """
    taken: list[CaseWork] = []

    def work() -> bool:
        taken.clear()
        return _work_on_next(case_id, taken, at=now())

    try:
        return again_after_collision(work)
    except (OperationalError, InterfaceError):
        raise  # the database is away: no round's fault
    except Exception as error:  # whatever one round does, the others are executed
        if not taken:
            raise
        _log.exception("Round %d of case %d cannot be settled now", taken[0].number, case_id)
        _postpone(taken[0], error, at=now())
        return True


def _work_on_next(case_id: int, taken: list[CaseWork], *, at: datetime) -> bool:
    runs = CaseRun.objects.select_for_update(skip_locked=True).filter(finished_at=None)
    run = runs.filter(pk=case_id).first()
    if run is None:
        return False
    left = run.works.filter(done_at=None)
    work = left.filter(due_at__lte=at).order_by("number").first()
    if work is None:
        if not left.exists():
            _finish(run, at=at)
        return False
    taken.append(work)
    _execute(work, run, at=at)
    return True


def _execute(work: CaseWork, run: CaseRun, *, at: datetime) -> None:
    case = run.case
    by, proposal = _persons(case, at=at)
    try:
        with transaction.atomic():
            done = _settle(work, proposal, by)
    except NothingWouldChange:
        work.outcome = CaseWork.Outcome.NOTHING
    except (NotSettledAgain, RulesChangedError) as refusal:
        work.outcome, work.error = CaseWork.Outcome.REFUSED, str(refusal)
    else:
        work.outcome, work.error = CaseWork.Outcome.DONE, ""
        if done is not None:
            work.sequence, work.owed_cents = done.sequence, done.owed_cents
    work.done_at = at
    work.save()


def _settle(work: CaseWork, proposal: CaseStep, by: ByTwo) -> SettledAgain | None:
    if work.round_id is None:
        customer_id, cents = proposal.customer_id or 0, proposal.cents or 0
        credit_goodwill(case=proposal.case, customer_id=customer_id, cents=cents, by=by)
        return None
    about = {"round_id": work.round_id, "after": work.after, **by._asdict()}
    rules = rule_set(Round.objects.values_list("rules", flat=True).get(pk=work.round_id))
    ruling = ruling_of_step(proposal) or ruling_for(Remedy(proposal.remedy), rules)
    if ruling is None:
        return void_round(**about)
    return resettle_round(**about, ruling=ruling)


def _persons(case: Case, *, at: datetime) -> tuple[ByTwo, CaseStep]:
    """Who proposed and who approved, as the settlement names them, and the proposal."""
    steps = CaseStep.objects.filter(case=case).select_related("case").order_by("-sequence")
    approval = steps.filter(action=CaseStep.Action.APPROVED)[0]
    proposal = steps.filter(action=CaseStep.Action.PROPOSED)[0]
    by = decided_by_two(
        actor=Actor(proposal.actor, proposal.actor_user_id),
        approved_by=Actor(approval.actor, approval.actor_user_id),
        reason=f"{case}: {case.reason_it}. {proposal.note}",
        at=at,
    )
    return by, proposal


def _finish(run: CaseRun, *, at: datetime) -> None:
    run.finished_at = at
    run.save(update_fields=["finished_at"])
    outcomes = run.works.values_list("outcome", flat=True)
    counts = {outcome.value: list(outcomes).count(outcome) for outcome in CaseWork.Outcome}
    entry = Entry("CASE_EXECUTED", f"case:{run.case}", counts)
    record_entries([entry], at=at, actor=WORKER)


def _postpone(work: CaseWork, error: Exception, *, at: datetime) -> None:
    """Keeps the round for a later try; pauses double from five seconds to ten minutes."""
    pause = min(_FIRST_PAUSE * 2 ** min(work.attempts, _MOST_DOUBLINGS), _LONGEST_PAUSE)
    CaseWork.objects.filter(pk=work.pk, done_at=None).update(
        attempts=work.attempts + 1,
        error=f"{type(error).__name__}: {error}",
        due_at=at + pause,
    )
