"""A casino of all five games with every kind of event, and changes behind its triggers."""

from io import StringIO
from typing import Any, Final

from django.core.management import call_command
from django.db import connection, transaction
from django.utils import timezone

from compliance.trail.actor import Actor
from payouts.cases.remedies import Remedy
from payouts.ledger.models import Account
from payouts.ledger.transfer_to_wallet import pay_over
from payouts.reconciliation.models import ReconcileDifference, ReconcileRun
from payouts.reconciliation.reconcile import (
    EVERYTHING,
    Scope,
    begin_reconciliation,
    finish_reconciliation,
    work_on_part,
)
from payouts.settlement.queries import RoundStatus, rounds_with_status
from rounds.models import Customer, Round
from rounds.rules.ruling import Ruling
from tests.casino_in_play import NOW, ingest, open_tables, settle
from tests.payouts.cases.case_scenarios import credited, decided
from tests.payouts.settlement.resettlement_scenarios import resettle, void

AUDITOR: Final = Actor("auditor", 4)
_ROUNDS: Final = 120
_EVERY: Final = 5


def play(rounds: int = _ROUNDS, *, seed: str = "reconcile") -> None:
    """Simulated rounds of every game, some with faults; then decisions about them.

    Every fifth settled round is voided, and every second of these settled again; half of the
    winners were paid over before, so receivables arise; held rounds are voided or stay held; some
    single bets are refunded, and one customer is credited.
    """
    open_tables(at=NOW)
    deal(rounds, seed=seed)
    settle()
    for number, account in enumerate(list(Account.objects.filter(kind="customer"))):
        if account.balance_cents and number % 2 == 0:
            hand_over(account, cents=account.balance_cents, reference=f"w-{number}")
    settled = _references(RoundStatus.SETTLED)[::_EVERY]
    for number, reference in enumerate(settled):
        void(reference, after=1)
        if number % 2 == 0:
            resettle(reference, after=2)
    for reference in _references(RoundStatus.HELD)[::2]:
        void(reference, after=0)
    for reference in _references(RoundStatus.SETTLED)[1::_EVERY]:
        give_back = Ruling(refunded=frozenset({0}))
        decided("refund", reference, remedy=Remedy.REFUND_BETS, ruling=give_back)
    credited(Customer.objects.all()[0].pseudonym, 1_000)


def deal(rounds: int, *, seed: str, start: str = "2026-11-20T20:00:00Z") -> None:
    """Ingests simulated rounds, which wait."""
    feed = StringIO()
    call_command("simulate", rounds=rounds, faults=0.2, seed=seed, start=start, stdout=feed)
    ingest(feed.getvalue().encode().splitlines())


def hand_over(account: Account, *, cents: int, reference: str) -> None:
    """Pays over to the customer."""
    pay_over(
        reference=reference,
        customer_id=account.customer_id or 0,
        cents=cents,
        asset=Account.Asset(account.asset),
        at=NOW,
        actor=Actor("wallet"),
    )


def _references(status: RoundStatus) -> list[str]:
    rounds = rounds_with_status(Round.objects.all(), status).order_by("id")
    return list(rounds.values_list("reference", flat=True))


def reconciled(scope: Scope = EVERYTHING) -> ReconcileRun:
    """A finished run, worked on by this process alone."""
    run = begin_reconciliation(scope=scope, at=NOW, actor=AUDITOR)
    while work_on_part(run.pk, now=timezone.now):
        pass
    assert finish_reconciliation(run.pk, now=timezone.now)
    return run


def differences(scope: Scope = EVERYTHING) -> list[ReconcileDifference]:
    """The differences of a run in the order of its parts."""
    rows = ReconcileDifference.objects.filter(part__run=reconciled(scope))
    return list(rows.order_by("part_id", "id"))


def tamper(*statements: str, **values: Any) -> None:
    """Changes rows with triggers disabled, as a superuser can."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = replica")
        for statement in statements:
            cursor.execute(statement, values)
            assert cursor.rowcount != 0, "nothing was tampered with"
