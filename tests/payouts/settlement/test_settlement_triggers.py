"""The database refuses settlements that disagree with their bets or transfers, whoever writes them.

Each test takes the rows of a sound settlement, changes one thing, and writes them by hand.
"""

from collections.abc import Callable, Iterable
from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.db.models import Model

from payouts.ledger.models import Account, Transfer
from payouts.settlement.models import BetSettlement, Settlement
from rounds.models import Customer
from tests.casino_in_play import ingest, open_table, settle
from tests.documents import baccarat_round, lines
from tests.payouts.settlement.resettlement_scenarios import stored, void

pytestmark = pytest.mark.django_db

DISAGREES = "disagrees with its bets or transfers"
Change = Callable[["Rows"], None]


class Rows:
    """The rows of settlements of the round r-1, to be written to the round r-2."""

    def __init__(self, *sequences: int) -> None:
        found = {"round_id": stored("r-1").id, "sequence__in": sequences}
        self.settlements = list(Settlement.objects.filter(**found).order_by("sequence"))
        self.bets = list(BetSettlement.objects.filter(**found).order_by("sequence", "bet_number"))
        self.transfers = list(
            Transfer.objects.filter(origin=stored("r-1").id, entry__in=sequences).order_by(
                "entry", "line"
            )
        )

    def write(self) -> None:
        """Writes them in the order of the services: the settlement's row is the last."""
        other = stored("r-2").id
        for transfer in self.transfers:
            transfer.origin = other
        for bet in self.bets:
            bet.round_id = other
        for settlement in self.settlements:
            settlement.round_id = other
        with transaction.atomic():
            for settlement in self.settlements:
                sequence = settlement.sequence
                _insert(one for one in self.bets if one.sequence == sequence)
                _insert(one for one in self.transfers if one.entry == sequence)
                _insert([settlement])


def _insert(rows: Iterable[Model]) -> None:
    listed = list(rows)
    if listed:
        type(listed[0]).objects.bulk_create(listed)  # type: ignore[attr-defined]


@pytest.fixture(autouse=True)
def _two_alike() -> None:
    """r-1 is settled and voided; r-2 has the same bets and waits."""
    open_table()
    ingest(lines(baccarat_round("r-1")))
    settle()
    ingest(lines(baccarat_round("r-2")))
    void("r-1", after=1)


def a_bet_paid_otherwise(rows: Rows) -> None:
    """The Player's 20.00 become 19.00 in the result alone."""
    rows.bets[0].payout_cents = 1900


def a_bet_and_the_sum_paid_otherwise(rows: Rows) -> None:
    """19.00 in the result and in the sum, and still 20.00 in the ledger."""
    rows.bets[0].payout_cents = 1900
    rows.settlements[0].payout_cents = 2400


def another_sum(rows: Rows) -> None:
    """All bets as they are, and a settlement that says 26.00."""
    rows.settlements[0].payout_cents = 2600


def other_stakes(rows: Rows) -> None:
    """A settlement that says 21.00 were staked."""
    rows.settlements[0].staked_cents = 2100


def other_chips(rows: Rows) -> None:
    """A settlement that says a chip went back."""
    rows.settlements[0].chips_cents = 100


def a_bet_left_out(rows: Rows) -> None:
    """The Banker bet, which pays nothing, has no result."""
    del rows.bets[1]


def a_bet_too_many(rows: Rows) -> None:
    """A fourth result, and three bets."""
    rows.bets.append(_copy(rows.bets[1], bet_number=3))


def a_transfer_left_out(rows: Rows) -> None:
    """The Small bet's 5.00 are never posted."""
    rows.transfers = [one for one in rows.transfers if one.amount_cents != 500]


def a_transfer_doubled(rows: Rows) -> None:
    """The Small bet's 5.00 are posted twice."""
    rows.transfers.append(_copy(rows.transfers[-1], line=7))


def another_customer_paid(rows: Rows) -> None:
    """p-1's 20.00 go to p-2."""
    [other] = Customer.objects.filter(pseudonym="p-2")
    paid = next(one for one in rows.transfers if one.amount_cents == 2000)
    paid.credit_id = other.pk * 8


def paid_in_chips(rows: Rows) -> None:
    """p-1's 20.00 in cash are credited as golden chips."""
    paid = next(one for one in rows.transfers if one.amount_cents == 2000)
    paid.credit_id += 1


def paid_to_the_receivable(rows: Rows) -> None:
    """p-1's 20.00 are credited to what p-1 owes."""
    paid = next(one for one in rows.transfers if one.amount_cents == 2000)
    paid.credit_id += 2


def paid_without_a_bet(rows: Rows) -> None:
    """A payout that names no bet."""
    rows.transfers.append(_copy(rows.transfers[-1], line=7, bet_number=None))


def something_taken_back(rows: Rows) -> None:
    """A first settlement that takes back the stakes of the round's arrival."""
    moved = _copy(rows.transfers[0], line=7, purpose="reversal")
    moved.reverses_entry, moved.reverses_line = 0, 0
    rows.transfers.append(moved)


def a_shortfall(rows: Rows) -> None:
    """A first settlement has nothing to claw back."""
    account = Account.objects.get(kind="customer", customer__pseudonym="p-1")
    moved = _copy(rows.transfers[-1], line=7, purpose="shortfall", bet_number=None)
    moved.credit_id, moved.debit_id = account.pk, account.pk + 2
    rows.transfers.append(moved)


class TestAFirstSettlement:
    def test_that_agrees_is_taken(self) -> None:
        """The rows of r-1 are as good for r-2."""
        Rows(1).write()

        assert Settlement.objects.filter(round_id=stored("r-2").id).count() == 1

    @pytest.mark.parametrize(
        "change",
        [
            a_bet_paid_otherwise,
            a_bet_and_the_sum_paid_otherwise,
            another_sum,
            other_stakes,
            other_chips,
            a_bet_left_out,
            a_bet_too_many,
            a_transfer_left_out,
            a_transfer_doubled,
            another_customer_paid,
            paid_in_chips,
            paid_to_the_receivable,
            paid_without_a_bet,
        ],
    )
    def test_that_disagrees_is_refused(self, change: Change) -> None:
        """Whatever wrote it; nothing of it stays."""
        rows = Rows(1)
        change(rows)

        with pytest.raises(IntegrityError, match=DISAGREES):
            rows.write()

        assert not BetSettlement.objects.filter(round_id=stored("r-2").id).exists()

    @pytest.mark.parametrize(
        ("change", "check"),
        [
            (something_taken_back, "reversal_names_what_it_reverses"),
            (a_shortfall, "only_reversals_leave_a_shortfall"),
        ],
    )
    def test_with_transfers_of_a_further_one_is_refused(self, change: Change, check: str) -> None:
        """There is nothing to take back yet, and so nobody falls short."""
        rows = Rows(1)
        change(rows)

        with pytest.raises(IntegrityError, match=check):
            rows.write()


def a_reversal_left_out(rows: Rows) -> None:
    """p-1 keeps the 5.00 of the bet that is void now."""
    rows.transfers = [
        one for one in rows.transfers if (one.purpose, one.amount_cents) != ("reversal", 500)
    ]


def a_reversal_of_less(rows: Rows) -> None:
    """19.00 of 20.00 are taken back."""
    _reversal(rows, 2000).amount_cents = 1900


def a_reversal_the_same_way(rows: Rows) -> None:
    """What was paid is paid once more."""
    back = _reversal(rows, 2000)
    back.debit_id, back.credit_id = back.credit_id, back.debit_id


def a_reversal_from_another_customer(rows: Rows) -> None:
    """p-2 gives back what p-1 was paid."""
    [other] = Customer.objects.filter(pseudonym="p-2")
    _reversal(rows, 2000).debit_id = other.pk * 8


def a_reversal_of_what_never_was(rows: Rows) -> None:
    """It names a line that the first settlement does not have."""
    rows.transfers.append(_copy(_reversal(rows, 2000), line=17, reverses_line=17))


def a_reversal_of_another_bet(rows: Rows) -> None:
    """The right transfer, under the wrong bet."""
    _reversal(rows, 2000).bet_number = 1


def a_shortfall_of_one_who_has_money(rows: Rows) -> None:
    """p-1 has the stakes back and owes nothing: to cover what is not missing would be a gift."""
    a_shortfall(rows)
    rows.transfers[-1].entry = 2
    rows.transfers[-1].line = 17


def a_shortfall_that_another_owes(rows: Rows) -> None:
    """The account is empty, but the receivable is somebody else's."""
    a_shortfall_of_one_who_has_money(rows)
    Account.objects.filter(pk=rows.transfers[-1].credit_id).update(balance_cents=0)
    rows.transfers[-1].debit_id += 8


def a_gap(rows: Rows) -> None:
    """Settlement 3 follows settlement 1."""
    rows.settlements[1].sequence = 3
    for bet in rows.bets:
        bet.sequence = {1: 1, 2: 3}[bet.sequence]
    for moved in rows.transfers:
        moved.entry = {1: 1, 2: 3}[moved.entry]


class TestAFurtherSettlement:
    def test_that_agrees_is_taken(self) -> None:
        """Both settlements of r-1 are as good for r-2."""
        Rows(1, 2).write()

        assert Settlement.objects.filter(round_id=stored("r-2").id).count() == 2

    @pytest.mark.parametrize(
        "change",
        [
            a_reversal_left_out,
            a_reversal_of_less,
            a_reversal_the_same_way,
            a_reversal_from_another_customer,
            a_reversal_of_what_never_was,
            a_reversal_of_another_bet,
            a_shortfall_of_one_who_has_money,
            a_shortfall_that_another_owes,
            a_gap,
        ],
    )
    def test_that_disagrees_is_refused(self, change: Change) -> None:
        """What the settlement before made is taken back: all of it, exactly, and nothing else."""
        rows = Rows(1, 2)
        change(rows)

        with pytest.raises(IntegrityError, match=DISAGREES):
            rows.write()

    @pytest.mark.parametrize(
        ("fields", "check"),
        [
            ({"approved_by": None}, "settled_again_by_two"),
            ({"approved_by": "Giulia Marchetti"}, "settled_again_by_two"),
            ({"reason": ""}, "decided_with_a_reason"),
        ],
    )
    def test_of_one_person_or_without_a_reason_is_refused(
        self, fields: dict[str, Any], check: str
    ) -> None:
        """The database's own checks."""
        rows = Rows(1, 2)
        for name, value in fields.items():
            setattr(rows.settlements[1], name, value)

        with pytest.raises(IntegrityError, match=check):
            rows.write()


def _reversal(rows: Rows, cents: int) -> Transfer:
    return next(
        one for one in rows.transfers if (one.purpose, one.amount_cents) == ("reversal", cents)
    )


def _copy(row: Any, **fields: Any) -> Any:
    values = {field.attname: getattr(row, field.attname) for field in row._meta.concrete_fields}
    return type(row)(**(values | fields))
