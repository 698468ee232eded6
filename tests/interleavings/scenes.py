"""Ten services that move money or decide about it, on one casino in which they meet.

Two or three of them run at once. Whatever the order of their statements, the callers get the
answers, and the database the state, that one of the orders of whole calls gives; or one of them is
refused, or finds nothing to do, and the state is that of the others alone.
"""

from collections.abc import Sequence
from datetime import timedelta
from functools import partial
from itertools import combinations_with_replacement
from typing import Any, Final, NamedTuple

from compliance.trail.actor import WORKER, Actor
from compliance.trail.log.append_to_log import append_to_log
from compliance.trail.log.log_losses import CannotAppend
from compliance.trail.log.rotate_log_key import rotate_key
from compliance.trail.steps import StepError
from payouts.cases.decide_case import reject_case
from payouts.cases.models import Case
from payouts.cases.remedies import Remedy
from payouts.cases.run_cases import work_on_case
from payouts.gaming_days.close_day import close_day
from payouts.gaming_days.exceptions import DayNotCloseable
from payouts.gaming_days.pending_items import pending_items
from payouts.ledger.transfer_to_wallet import InsufficientBalance, pay_over
from payouts.settlement.settle import Settled
from payouts.settlement.sweep import sweep_waiting_rounds
from rounds.gaming_day import end_of_day
from rounds.models import Customer
from rounds.rules.ruling import Ruling
from rounds.services.ingest import Tally
from tests.books import NEVER_FOUND, SUM_OF_ALL_BALANCES, rows_of
from tests.casino_in_play import open_table
from tests.compliance.trail.logs import CLERK, KEY, OTHER_KEY, faults
from tests.interleavings.schedules import Program
from tests.payouts.cases.case_scenarios import approve, credit_proposed, opened, propose
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
from tests.payouts.settlement.resettlement_scenarios import LORENZO

_CENTS: Final = 1_000
_EVENING: Final = end_of_day(DAY) - timedelta(minutes=10)
"""What is booked now belongs to the day, until it is closed."""
_NIGHT: Final = AFTER + timedelta(minutes=30)
_LATER: Final = NOON + timedelta(minutes=5)
_STATE: Final = (
    """
    SELECT round.reference, round.booked_on, settled.sequence, settled.kind, settled.payout_cents,
           settled.booked_on
      FROM rounds_round AS round LEFT JOIN payouts_settlement AS settled
        ON settled.round_id = round.id
    """,
    """
    SELECT kind, customer_id, asset, sum(balance_cents) FROM payouts_account GROUP BY 1, 2, 3
    HAVING sum(balance_cents) <> 0
    """,
    "SELECT case_id, sequence, action, actor, remedy FROM payouts_casestep",
    "SELECT run_id, number, outcome, sequence, owed_cents FROM payouts_casework",
    "SELECT case_id, cents, booked_on FROM payouts_goodwillcredit",
    "SELECT reference, cents, booked_on FROM payouts_payover",
    "SELECT day, totals::text FROM payouts_dayclosing",
    """
    SELECT round.reference FROM rounds_queuedround AS queued
      JOIN rounds_round AS round ON round.id = queued.round_id
    """,
    "SELECT key_id FROM trail_logkey",
    "SELECT action, subject, count(*) FROM trail_auditrecord GROUP BY 1, 2",
)


class Service(NamedTuple):
    """A call of a service, and what it may answer if it did nothing."""

    call: Program
    nothing: Sequence[Any] = ()
    refusals: tuple[type[Exception], ...] = ()

    def has_done_nothing(self, answer: Any, error: BaseException | None) -> bool:
        """Whether a caller was told so."""
        return answer in self.nothing if error is None else isinstance(error, self.refusals)


def casino(*, waiting: bool) -> None:
    """A settled round of a day that is over, with cases about it; perhaps a round that waits.

    The first three cases are approved: to void it, to refund a bet of it, to credit a customer. Of
    the fourth a refund is proposed.
    """
    open_table()
    arrive(dealt("r-1", NOON))
    settle_at(_LATER)
    append_to_log(KEY, now=_LATER)
    about: dict[str, Any] = {"at": _LATER}
    first, second, fourth = (
        opened("malfunction", "r-1", **about),
        opened("refund", "r-1", **about),
        opened("refund", "r-1", **about),
    )
    third = opened("goodwill", **about)
    propose(first, Remedy.VOID, **about)
    propose(second, Remedy.REFUND_BETS, Ruling(refunded=frozenset({0})), **about)
    propose(fourth, Remedy.REFUND_BETS, Ruling(refunded=frozenset({1})), **about)
    credit_proposed("p-1", _CENTS, case=third, **about)
    for case in (first, second, third):
        approve(case, **about)
    reconcile_at()
    if waiting:
        arrive(dealt("r-2", _LATER), at=_EVENING)


def _customer() -> int:
    return Customer.objects.get(pseudonym="p-1").pk


def _case(kind: str, place: int = 0) -> int:
    return int(Case.objects.filter(kind=kind).order_by("pk")[place].pk)


def _execute(kind: str) -> bool:
    return work_on_case(_case(kind), now=lambda: _EVENING)


def _sweep() -> Settled:
    return sweep_waiting_rounds(now=lambda: _EVENING, actor=WORKER, batches=1)


def _approve() -> str:
    approve(Case.objects.get(pk=_case("refund", 1)), at=_EVENING)
    return "approved"


def _reject() -> str:
    about: dict[str, Any] = {"note": "Not so.", "at": _EVENING, "actor": LORENZO}
    reject_case(case_id=_case("refund", 1), seen=2, **about)
    return "rejected"


def _close() -> str:
    held = pending_items(DAY).all_held
    return str(close_day(day=DAY, at=_NIGHT, actor=COMPLIANCE, acknowledged=held).day)


def _ingest() -> Tally:
    return arrive(dealt("r-3", _LATER), at=_EVENING)


def _pay_over() -> str:
    paid = pay_over(
        reference="w-1",
        customer_id=_customer(),
        cents=_CENTS,
        at=_EVENING,
        actor=Actor("wallet"),
    )
    return paid.reference


def _rotate() -> str:
    return rotate_key(KEY, OTHER_KEY, at=_EVENING, actor=CLERK).key_id


SERVICES: Final = {
    "settle": Service(_sweep, (Settled(),)),
    "void": Service(partial(_execute, "malfunction"), (False,)),
    "resettle": Service(partial(_execute, "refund"), (False,)),
    "credit": Service(partial(_execute, "goodwill"), (False,)),
    "approve": Service(_approve, (), (StepError,)),
    "reject": Service(_reject, (), (StepError,)),
    "close": Service(_close, (), (DayNotCloseable,)),
    "ingest": Service(_ingest, (Tally(known=1),)),
    "pay-over": Service(_pay_over, (), (InsufficientBalance,)),
    "rotate": Service(_rotate, (), (CannotAppend,)),
}
PAIRS: Final = ["+".join(pair) for pair in combinations_with_replacement(SERVICES, 2)]
TRIPLES: Final = ["+".join(triple) for triple in combinations_with_replacement(SERVICES, 3)]


def services_of(meeting: str) -> list[Service]:
    """The services of a name such as settle+void."""
    return [SERVICES[service] for service in meeting.split("+")]


def has_waiting_round(meeting: str) -> bool:
    """Whether the casino of a meeting has one. A day with one is not closed."""
    return "settle" in meeting.split("+")


def state() -> frozenset[tuple[Any, ...]]:
    """Everything in the database that a person or the regulator asks about."""
    return frozenset(
        (number, *row) for number, query in enumerate(_STATE) for row in rows_of(query)
    )


def assert_sound() -> None:
    """The books are right, and nothing contradicts the log or the audit records."""
    for query in NEVER_FOUND:
        assert rows_of(query) == [], query
    assert rows_of(SUM_OF_ALL_BALANCES) == [(0,)]
    assert differences() == []
    assert faults() == []
