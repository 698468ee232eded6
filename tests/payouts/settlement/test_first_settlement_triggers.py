"""PostgreSQL refuses a first settlement that disagrees with its bets or transfers."""

import pytest
from django.db import IntegrityError

from payouts.settlement.models import BetSettlement, Settlement
from rounds.models import Customer
from tests.payouts.settlement.resettlement_scenarios import stored
from tests.payouts.settlement.settlement_rows import DISAGREES, Change, Rows, a_shortfall, copy_of

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("two_alike_rounds")]


def a_bet_paid_otherwise(rows: Rows) -> None:
    """The Player's 20.00 become 19.00 in the result only."""
    rows.bets[0].payout_cents = 1900


def a_bet_and_the_sum_paid_otherwise(rows: Rows) -> None:
    """19.00 in the result and in the sum, 20.00 in the ledger."""
    rows.bets[0].payout_cents = 1900
    rows.settlements[0].payout_cents = 2400


def another_sum(rows: Rows) -> None:
    """Unchanged bets, and a settlement of 26.00."""
    rows.settlements[0].payout_cents = 2600


def other_stakes(rows: Rows) -> None:
    """A settlement with 21.00 staked."""
    rows.settlements[0].staked_cents = 2100


def other_chips(rows: Rows) -> None:
    """A settlement with a returned chip."""
    rows.settlements[0].chips_cents = 100


def a_bet_left_out(rows: Rows) -> None:
    """The Banker bet, which pays nothing, has no result."""
    del rows.bets[1]


def a_bet_too_many(rows: Rows) -> None:
    """A fourth result, and three bets."""
    rows.bets.append(copy_of(rows.bets[1], bet_number=3))


def a_transfer_left_out(rows: Rows) -> None:
    """The Small bet's 5.00 are never posted."""
    rows.transfers = [transfer for transfer in rows.transfers if transfer.amount_cents != 500]


def a_transfer_doubled(rows: Rows) -> None:
    """The Small bet's 5.00 are posted twice."""
    rows.transfers.append(copy_of(rows.transfers[-1], line=7))


def another_customer_paid(rows: Rows) -> None:
    """p-1's 20.00 go to p-2."""
    [other] = Customer.objects.filter(pseudonym="p-2")
    paid = next(transfer for transfer in rows.transfers if transfer.amount_cents == 2000)
    paid.credit_id = other.pk * 8


def paid_in_chips(rows: Rows) -> None:
    """p-1's 20.00 in cash are credited as golden chips."""
    paid = next(transfer for transfer in rows.transfers if transfer.amount_cents == 2000)
    paid.credit_id += 1


def paid_to_the_receivable(rows: Rows) -> None:
    """p-1's 20.00 are credited to what p-1 owes."""
    paid = next(transfer for transfer in rows.transfers if transfer.amount_cents == 2000)
    paid.credit_id += 2


def paid_without_a_bet(rows: Rows) -> None:
    """A payout that names no bet."""
    rows.transfers.append(copy_of(rows.transfers[-1], line=7, bet_number=None))


def something_taken_back(rows: Rows) -> None:
    """A first settlement that takes back the stakes of the round's arrival."""
    moved = copy_of(rows.transfers[0], line=7, purpose="reversal")
    moved.reverses_entry, moved.reverses_line = 0, 0
    rows.transfers.append(moved)


class TestAFirstSettlement:
    def test_that_agrees_is_accepted(self) -> None:
        """The rows of r-1 are valid for r-2."""
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
        """By the database; the transaction is rolled back."""
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
        """Reversals and shortfalls need an earlier settlement."""
        rows = Rows(1)
        change(rows)

        with pytest.raises(IntegrityError, match=check):
            rows.write()
