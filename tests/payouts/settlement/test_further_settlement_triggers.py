"""PostgreSQL refuses a further settlement that does not reverse the one before."""

from typing import Any

import pytest
from django.db import IntegrityError

from payouts.ledger.models import Account, Transfer
from payouts.settlement.models import Settlement
from rounds.models import Customer
from tests.payouts.settlement.resettlement_scenarios import stored
from tests.payouts.settlement.settlement_rows import DISAGREES, Change, Rows, a_shortfall, copy_of

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("two_alike_rounds")]


def a_reversal_left_out(rows: Rows) -> None:
    """p-1 keeps the 5.00 of the bet that is void now."""
    rows.transfers = [
        transfer
        for transfer in rows.transfers
        if (transfer.purpose, transfer.amount_cents) != ("reversal", 500)
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
    rows.transfers.append(copy_of(_reversal(rows, 2000), line=17, reverses_line=17))


def a_reversal_of_another_bet(rows: Rows) -> None:
    """The right transfer, under the wrong bet."""
    _reversal(rows, 2000).bet_number = 1


def a_shortfall_of_one_who_has_money(rows: Rows) -> None:
    """p-1 has money and owes nothing, so a shortfall would be a gift."""
    a_shortfall(rows)
    rows.transfers[-1].entry = 2
    rows.transfers[-1].line = 17


def a_shortfall_that_another_owes(rows: Rows) -> None:
    """The account is empty, but the receivable is another customer's."""
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
    def test_that_agrees_is_accepted(self) -> None:
        """Both settlements of r-1 are valid for r-2."""
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
        """The former settlement has to be reversed completely and exactly."""
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
        """By check constraints."""
        rows = Rows(1, 2)
        for name, value in fields.items():
            setattr(rows.settlements[1], name, value)

        with pytest.raises(IntegrityError, match=check):
            rows.write()


def _reversal(rows: Rows, cents: int) -> Transfer:
    return next(
        transfer
        for transfer in rows.transfers
        if (transfer.purpose, transfer.amount_cents) == ("reversal", cents)
    )
