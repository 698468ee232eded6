"""The effect of a case after the second signature, by customer, round and bet, from stored rows.

Expected amounts are computed from the ledger's rows or by hand, never by the code under test.
"""

from collections import defaultdict

import pytest
from django.db import DatabaseError, connection, transaction
from django.test.utils import CaptureQueriesContext

from payouts.cases.case_bets import all_case_bets, case_bets
from payouts.cases.case_effect import (
    CaseEffect,
    CaseRoundStatus,
    CustomerCaseEffect,
    case_effect,
    latest_proposal,
)
from payouts.cases.decide_case import reject_case, withdraw_case
from payouts.cases.models import Case, CasePlan
from payouts.cases.propose_case import propose_credit
from payouts.cases.remedies import Remedy
from payouts.cases.run_cases import work_on_case
from payouts.ledger.models import Account, Transfer
from rounds.models import Customer
from tests.casino_in_play import NOW, by_now, ingest, open_table, settle
from tests.documents import baccarat_bet, baccarat_round, lines
from tests.payouts.cases.case_scenarios import approve, effect, execute, opened, propose
from tests.payouts.ledger.wallet import hand_over
from tests.payouts.settlement.resettlement_scenarios import GIULIA, LORENZO, void

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def played() -> None:
    """Nine against seven, Player wins: of each round p-1 wins 20.00 and p-2 loses 10.00."""
    open_table("bac-1", "baccarat/1")
    ingest(lines(*(baccarat_round(f"r-{number}", bets=bets()) for number in range(1, 4))))
    settle()


def bets() -> list[dict[str, str]]:
    """A winner and a loser."""
    return [
        baccarat_bet("b1", "player", "10.00", player="p-1"),
        baccarat_bet("b2", "banker", "10.00", player="p-2"),
    ]


def moved(case: Case) -> CaseEffect:
    """The planned and executed effect of the case."""
    proposal = latest_proposal(case)
    assert proposal is not None
    return case_effect(case, proposal)


def of(result: CaseEffect, pseudonym: str) -> CustomerCaseEffect:
    """The effect on a customer."""
    [line] = [line for line in result.customers if line.pseudonym == pseudonym]
    return line


def changes_in_ledger(before: dict[int, int]) -> dict[str, int]:
    """The change of each customer's cash and debts since then."""
    changes: defaultdict[str, int] = defaultdict(int)
    for account in Account.objects.filter(asset="cash", customer__isnull=False):
        change = account.balance_cents - before.get(account.pk, 0)
        assert account.customer is not None
        changes[account.customer.pseudonym] += change
    return dict(changes)


def balances() -> dict[int, int]:
    """Every account."""
    return dict(Account.objects.values_list("id", "balance_cents"))


def test_executed_amounts_equal_the_ledger() -> None:
    """Both rounds void: 40.00 of stakes return, 40.00 of winnings are taken back."""
    before = balances()
    case = opened("malfunction", "r-1", "r-2")
    propose(case, Remedy.VOID)
    approve(case)
    execute(case)

    result = moved(case)

    assert {
        customer.pseudonym: customer.net_cents for customer in result.customers
    } == changes_in_ledger(before)
    assert {customer.pseudonym: customer.net_cents for customer in result.customers} == {
        "p-1": -2000,
        "p-2": 2000,
    }
    assert (result.totals["credited"], result.totals["taken"]) == (4000, 4000)
    assert (result.left, result.differs) == (0, False)
    assert (result.totals["planned_credited"], result.totals["planned_taken"]) == (4000, 4000)


def test_each_bet_agrees_with_its_transfers() -> None:
    """Amounts equal the transfers that name the bet."""
    case = opened("malfunction", "r-1", "r-2")
    proposal = propose(case, Remedy.VOID)
    approve(case)
    execute(case)

    bets = list(all_case_bets(case, proposal))

    assert len(bets) == 4
    for bet in bets:
        rows = Transfer.objects.filter(origin=bet.round_id, entry=2, bet_number=bet.place[1])
        assert bet.credited_cents == sum(
            row.amount_cents for row in rows if row.purpose == "stake_returned"
        )
        assert bet.taken_cents == sum(
            row.amount_cents for row in rows if row.purpose == "reversal" and row.debit_id >= 0
        )
        assert (bet.state, bet.settlement) == (CaseRoundStatus.DONE, 2)
        assert (bet.planned_cents, bet.staked_cents) == (1000, 1000)
    assert [(bet.customer, bet.before_cents, bet.net_cents) for bet in bets[:2]] == [
        ("p-1", 2000, -1000),
        ("p-2", 0, 1000),
    ]


def test_what_is_not_executed_yet_is_marked() -> None:
    """After one of two rounds the other has moved nothing."""
    before = balances()
    case = opened("malfunction", "r-1", "r-2")
    proposal = propose(case, Remedy.VOID)
    approve(case)
    assert work_on_case(case.pk, now=by_now)

    result, bets = moved(case), list(all_case_bets(case, proposal))

    assert result.left == 1
    assert {
        customer.pseudonym: customer.net_cents for customer in result.customers
    } == changes_in_ledger(before)
    assert of(result, "p-1").net_cents == -1000
    assert of(result, "p-1").planned_net_cents == -2000
    assert {bet.state for bet in bets} == {CaseRoundStatus.DONE, CaseRoundStatus.WAITING}
    waiting = [bet for bet in bets if bet.state is CaseRoundStatus.WAITING]
    assert {(bet.credited_cents, bet.taken_cents, bet.settlement) for bet in waiting} == {
        (0, 0, None)
    }


def test_a_round_settled_meanwhile_is_not_moved_by_the_case() -> None:
    """Planned and executed amounts differ."""
    case = opened("malfunction", "r-1", "r-2")
    proposal = propose(case, Remedy.VOID)
    approve(case)
    void("r-2", after=1)
    execute(case)

    result, bets = moved(case), list(all_case_bets(case, proposal))

    assert result.differs
    assert (of(result, "p-1").planned_net_cents, of(result, "p-1").net_cents) == (-2000, -1000)
    assert {bet.state for bet in bets if bet.round == "r-2"} == {CaseRoundStatus.REFUSED}


@pytest.mark.parametrize("how", ["rejected", "withdrawn"])
def test_the_plan_is_not_recomputed(how: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Even if the code would now judge otherwise."""
    case = opened("malfunction", "r-1", "r-2")
    proposal = propose(case, Remedy.VOID)
    if how == "rejected":
        reject_case(case_id=case.pk, seen=2, note="No.", at=NOW, actor=LORENZO)
    else:
        withdraw_case(case_id=case.pk, seen=2, note="No.", at=NOW, actor=GIULIA)

    def changed(*_arguments: object) -> None:
        raise AssertionError("judged again")

    monkeypatch.setattr("payouts.cases.decisions.judge_round", changed)
    result, bets = moved(case), list(all_case_bets(case, proposal))

    assert (result.has_begun, result.totals["net"]) == (False, 0)
    assert of(result, "p-1").planned_net_cents == -2000
    assert {bet.state for bet in bets} == {CaseRoundStatus.PROPOSED}
    assert [bet.planned_net_cents for bet in bets] == [-1000, 1000] * 2


def test_missing_money_is_owed() -> None:
    """The ledger's shortfall is the customer's debt."""
    hand_over("p-1", cents=6000)
    case = opened("malfunction", "r-1")
    propose(case, Remedy.VOID)
    approve(case)
    execute(case)

    owed = sum(Transfer.objects.filter(purpose="shortfall").values_list("amount_cents", flat=True))
    assert owed == 1000
    assert of(moved(case), "p-1").owed_cents == owed


def test_a_goodwill_credit_is_one_line() -> None:
    """Planned when proposed, credited when executed."""
    case = opened("goodwill", round_ids=[])
    customer = Customer.objects.get(pseudonym="p-2")
    propose_credit(
        case_id=case.pk,
        seen=1,
        customer_id=customer.pk,
        cents=1234,
        note="Sorry.",
        at=NOW,
        actor=GIULIA,
    )
    assert (of(moved(case), "p-2").planned_net_cents, of(moved(case), "p-2").net_cents) == (1234, 0)
    approve(case)
    execute(case)

    assert of(moved(case), "p-2").net_cents == 1234
    assert not moved(case).differs


def test_the_plan_cannot_be_changed() -> None:
    """Neither updated nor replaced."""
    case = opened("malfunction", "r-1")
    propose(case, Remedy.VOID)
    plan = CasePlan.objects.get(case=case)

    for attack in (
        lambda: CasePlan.objects.filter(case=case).update(payouts_cents=[99, 99]),
        lambda: CasePlan.objects.filter(case=case).delete(),
        lambda: CasePlan.objects.create(
            case=case,
            sequence=plan.sequence,
            number=2,
            round_id=plan.round_id,
            after=1,
            outcomes=[],
            payouts_cents=[],
            chips_cents=[],
        ),
    ):
        with pytest.raises(DatabaseError), transaction.atomic():
            attack()


def test_pages_of_bets_are_complete() -> None:
    """Pages of three have the same bets as one page."""
    case = opened("malfunction", "r-1", "r-2", "r-3")
    proposal = propose(case, Remedy.VOID)
    read, after = [], (0, -1)
    while page := case_bets(case, proposal, after=after, most=3):
        read += page
        after = page[-1].place

    assert read == list(all_case_bets(case, proposal))
    assert [bet.round for bet in read] == ["r-1", "r-1", "r-2", "r-2", "r-3", "r-3"]


@pytest.mark.slow
def test_takes_a_constant_number_of_queries() -> None:
    """For any number of rounds."""
    ingest(lines(*(baccarat_round(f"m-{n}", bets=bets()) for n in range(1000))))
    settle()
    small = opened("malfunction", "r-1")
    big = opened("malfunction", *(f"m-{n}" for n in range(1000)))
    counts = []
    for case in (small, big):
        proposal = propose(case, Remedy.VOID)
        approve(case)
        with CaptureQueriesContext(connection) as queries:
            moved(case)
            case_bets(case, proposal, most=101)
        counts.append(len(queries))

    assert counts[0] == counts[1]
    assert of(moved(big), "p-1").planned_net_cents == -1_000_000


def test_the_plan_equals_the_shown_effect() -> None:
    """Customer by customer, before anything moves."""
    case = opened("malfunction", "r-1", "r-2")
    shown = {
        customer.pseudonym: customer.net_cents for customer in effect(case, Remedy.VOID).customers
    }
    propose(case, Remedy.VOID)

    assert {
        customer.pseudonym: customer.planned_net_cents for customer in moved(case).customers
    } == shown
