"""Two callers of real services each, and what must hold whatever the order of their statements."""

from collections.abc import Callable, Sequence
from datetime import timedelta
from functools import partial
from typing import Any, Final, NamedTuple

from compliance.trail.actor import WORKER
from compliance.trail.log.append_to_log import append_to_log
from compliance.trail.log.log_losses import CannotAppend
from compliance.trail.log.rotate_log_key import rotate_key
from compliance.trail.steps import StaleState, WrongStatus
from payouts.cases.decide_case import reject_case
from payouts.cases.models import Case, CaseStep, CaseWork
from payouts.cases.remedies import Remedy
from payouts.cases.run_cases import work_on_case
from payouts.gaming_days.close_day import close_day
from payouts.gaming_days.exceptions import DayNotCloseable
from payouts.gaming_days.models import DayClosing
from payouts.gaming_days.pending_items import pending_items
from payouts.ledger.models import Transfer
from payouts.settlement.models import Settlement
from payouts.settlement.resettle import RoundNotResettleable
from payouts.settlement.sweep import sweep_waiting_rounds
from rounds.models import Round
from rounds.rules.ruling import Ruling
from tests.books import NEVER_FOUND, SUM_OF_ALL_BALANCES, rows_of
from tests.casino_in_play import NOW, ingest, open_table, settle
from tests.compliance.trail.logs import CLERK, KEY, OTHER_KEY, faults
from tests.documents import baccarat_round, held_baccarat_round, lines
from tests.interleavings.schedules import Outcome, Program
from tests.payouts.cases.case_scenarios import approve, credit_proposed, credited, opened, propose
from tests.payouts.gaming_days.day_scenarios import (
    AFTER,
    COMPLIANCE,
    DAY,
    NOON,
    arrive,
    dealt,
    reconcile_at,
    settle_at,
)
from tests.payouts.reconciliation.five_games import differences
from tests.payouts.settlement.resettlement_scenarios import LORENZO, void

_CENTS: Final = 1_000
_NIGHT: Final = AFTER + timedelta(minutes=30)


class Scene(NamedTuple):
    """A casino, two programs on it, and their judgement."""

    fill: Callable[[], None]
    programs: Sequence[Program]
    judge: Callable[[Outcome], None]
    """Asserts that everything was done once, as the answers say."""
    refusals: tuple[type[BaseException], ...] = ()
    """What one of the callers may get instead of an answer."""


def judged(scene: Scene, outcome: Outcome) -> None:
    """Asserts right books, a clear answer to each caller, and what the scene asks."""
    for error in outcome.errors:
        assert error is None or isinstance(error, scene.refusals), repr(error)
    assert sum(error is not None for error in outcome.errors) <= 1, outcome.errors
    for query in NEVER_FOUND:
        assert rows_of(query) == [], query
    assert rows_of(SUM_OF_ALL_BALANCES) == [(0,)]
    scene.judge(outcome)
    assert differences() == []


def _only_a_table() -> None:
    open_table()


def _waiting() -> None:
    open_table()
    ingest(lines(baccarat_round("r-0")))


def _waiting_to_be_held() -> None:
    open_table()
    _earlier_credit()
    ingest(lines(held_baccarat_round("r-1")))


def _earlier_credit() -> None:
    """Both persons have decided before, with keys in force."""
    ingest(lines(baccarat_round("r-0")))
    settle()
    credited("p-1", _CENTS)


def _proposed() -> None:
    open_table()
    _earlier_credit()
    credit_proposed("p-1", _CENTS)


def _two_decided() -> None:
    open_table()
    _earlier_credit()
    voided, refunded = opened("malfunction", "r-0"), opened("refund", "r-0")
    propose(voided, Remedy.VOID)
    propose(refunded, Remedy.REFUND_BETS, Ruling(refunded=frozenset({0})))
    approve(voided)
    approve(refunded)


def _two_credits() -> None:
    open_table()
    _earlier_credit()
    for case in (opened("goodwill"), opened("goodwill")):
        approve(credit_proposed("p-1", _CENTS, case=case))


def _approved_credit() -> None:
    _proposed()
    approve(_case(0))


def _day_with_a_late_round() -> None:
    """Reconciled after its end; then another round of the day arrives."""
    open_table()
    arrive(dealt("r-1", NOON))
    settle_at()
    reconcile_at()
    arrive(dealt("r-2", NOON + timedelta(minutes=5)))


def _log() -> None:
    open_table()
    ingest(lines(baccarat_round("r-0")))
    append_to_log(KEY, now=NOW)
    settle()


def _case(place: int) -> Case:
    """A case of the scene, by its place from the last."""
    return Case.objects.order_by("-pk")[place]


def _sweep() -> tuple[int, ...]:
    return tuple(sweep_waiting_rounds(now=lambda: NOW, actor=WORKER, batches=1))


def _sweep_at_night() -> tuple[int, ...]:
    return tuple(sweep_waiting_rounds(now=lambda: _NIGHT, actor=WORKER, batches=1))


def _close() -> str:
    held = pending_items(DAY).all_held
    return str(close_day(day=DAY, at=_NIGHT, actor=COMPLIANCE, acknowledged=held).day)


def _execute(place: int) -> bool:
    return work_on_case(_case(place).pk, now=lambda: NOW)


def _approve() -> str:
    approve(_case(0))
    return "approved"


def _reject() -> str:
    reject_case(case_id=_case(0).pk, seen=2, note="Not so.", at=NOW, actor=LORENZO)
    return "rejected"


def _ingest() -> tuple[int, ...]:
    return tuple(ingest(lines(baccarat_round("r-0"))))


def _void_held() -> int:
    return void("r-1", after=0).sequence


def _settled_once(outcome: Outcome) -> None:
    assert sorted(outcome.answers) == [(0, 0), (1, 0)], outcome.answers
    assert Settlement.objects.count() == 1


def _voided_if_answered(outcome: Outcome) -> None:
    assert outcome.answers[0] == (0, 1), outcome.answers
    of_round = Settlement.objects.filter(round__reference="r-1")
    assert of_round.count() == (outcome.answers[1] is not None)


def _one_of_two_decisions(outcome: Outcome) -> None:
    assert outcome.answers == (True, True), outcome.answers
    works = CaseWork.objects.filter(run__case__in=[_case(0), _case(1)])
    assert sorted(works.values_list("outcome", flat=True)) == ["done", "refused"]
    assert Settlement.objects.filter(round__reference="r-0").count() == 2


def _decided_once(outcome: Outcome) -> None:
    [answer] = [answer for answer in outcome.answers if answer is not None]
    steps = CaseStep.objects.filter(case=_case(0)).order_by("sequence")
    assert list(steps.values_list("action", flat=True)) == ["opened", "proposed", answer]


def _credited(times: int, outcome: Outcome) -> None:
    assert sum(outcome.answers) == times, outcome.answers
    assert Transfer.objects.filter(amount_cents=_CENTS, purpose="goodwill").count() == times + 1


def _closed_if_answered(outcome: Outcome) -> None:
    assert outcome.answers[1] == (1, 0), outcome.answers
    days = list(DayClosing.objects.values_list("day", flat=True))
    assert days == ([] if outcome.answers[0] is None else [DAY])
    assert Settlement.objects.count() == 2


def _ingested_once(outcome: Outcome) -> None:
    new, known = [sum(counts) for counts in zip(*outcome.answers, strict=True)][0:3:2]
    assert (new, known) == (1, 1), outcome.answers
    assert Round.objects.count() == 1


def _log_is_whole(outcome: Outcome) -> None:
    assert outcome.errors[0] is None
    append_to_log(OTHER_KEY, now=NOW)
    assert faults() == []


_STEPS: Final[Any] = (StaleState, WrongStatus)
SCENES: Final = {
    "settle-settle": Scene(_waiting, (_sweep, _sweep), _settled_once),
    "settle-void": Scene(
        _waiting_to_be_held, (_sweep, _void_held), _voided_if_answered, (RoundNotResettleable,)
    ),
    "void-resettle": Scene(
        _two_decided, (partial(_execute, 1), partial(_execute, 0)), _one_of_two_decisions
    ),
    "approve-reject": Scene(_proposed, (_approve, _reject), _decided_once, _STEPS),
    "approve-approve": Scene(_proposed, (_approve, _approve), _decided_once, _STEPS),
    "credit-credit": Scene(
        _two_credits, (partial(_execute, 1), partial(_execute, 0)), partial(_credited, 2)
    ),
    "execute-execute": Scene(
        _approved_credit, (partial(_execute, 0), partial(_execute, 0)), partial(_credited, 1)
    ),
    "close-settle": Scene(
        _day_with_a_late_round, (_close, _sweep_at_night), _closed_if_answered, (DayNotCloseable,)
    ),
    "ingest-ingest": Scene(_only_a_table, (_ingest, _ingest), _ingested_once),
    "rotate-append": Scene(
        _log,
        (
            lambda: rotate_key(KEY, OTHER_KEY, at=NOW, actor=CLERK).key_id,
            lambda: append_to_log(KEY, now=NOW) is not None,
        ),
        _log_is_whole,
        (CannotAppend,),
    ),
}
