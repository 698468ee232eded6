"""Pay-overs of winnings: never more than the balance, never twice, always recorded."""

from typing import Any
from uuid import UUID

import pytest
from django.db import IntegrityError, transaction

from compliance.trail.actor import Actor
from compliance.trail.models import AuditRecord
from payouts.ledger.models import Account, PayOver, Transfer
from payouts.ledger.transfer_to_wallet import (
    InsufficientBalance,
    PayOverError,
    ReferenceInUse,
)
from payouts.settlement.queries import movements_of
from tests.books import assert_books_are_right
from tests.casino_in_play import NOW, ingest, open_table, settle
from tests.documents import baccarat_round, lines
from tests.payouts.ledger.wallet import WALLET, hand_over
from tests.payouts.settlement.resettlement_scenarios import balance
from tests.rounds.contract.by_hand import NO_MATTER, QB, bet, deal

pytestmark = pytest.mark.django_db


@pytest.mark.usefixtures("settled")
class TestMoneyThatIsPaidOver:
    def test_leaves_the_customer_for_the_wallet(self) -> None:
        """The wallet paid 22.00 and receives 25.00."""
        hand_over()

        assert balance("customer", "p-1") == 0
        assert (balance("wallet"), balance("house")) == (300, -300)
        assert_books_are_right(lines(baccarat_round("r-1")))

    def test_may_be_a_part(self) -> None:
        """10.00 of 25.00, then 15.00 under another reference."""
        hand_over(cents=1000)
        hand_over(cents=1500, reference="w-2")

        assert balance("customer", "p-1") == 0
        assert PayOver.objects.count() == 2

    def test_is_one_transfer_of_its_own_origin(self) -> None:
        """From the customer to the operator's wallet."""
        done = hand_over()

        [moved] = movements_of(done.id)
        assert moved[1:] == ("paid_over", "customer", "wallet", "cash", 1, 2500)

    def test_is_recorded(self) -> None:
        """Actor, time, customer, amount and reference."""
        done = hand_over()

        record = AuditRecord.objects.get(action="PAID_OVER")
        assert (record.subject, record.actor, record.at) == ("pay-over:w-1", WALLET.name, NOW)
        assert record.details == {
            "id": str(done.id),
            "customer": "p-1",
            "asset": "cash",
            "amount": "25.00",
        }

    def test_moves_once_for_repeated_requests(self) -> None:
        """A repeated request gets the first answer."""
        first = hand_over(cents=1000)

        again = hand_over(cents=1000, actor=Actor("somebody else"))

        assert again == first
        assert (again.at, again.actor) == (NOW, WALLET.name)
        assert balance("customer", "p-1") == 1500
        assert Transfer.objects.filter(purpose="paid_over").count() == 1
        assert AuditRecord.objects.filter(action="PAID_OVER").count() == 1

    @pytest.mark.parametrize(
        "other", [{"cents": 1001}, {"asset": Account.Asset.CHIPS}, {"pseudonym": "p-2"}]
    )
    def test_under_a_reference_of_other_money_is_refused(self, other: dict[str, Any]) -> None:
        """References are unique."""
        hand_over(cents=1000)

        with pytest.raises(ReferenceInUse, match=r"found 10\.00 in cash of p-1, .* under w-1 at"):
            hand_over(**({"cents": 1000} | other))

        assert PayOver.objects.count() == 1

    def test_is_limited_by_the_balance(self) -> None:
        """25.01 of 25.00; the error has both."""
        with pytest.raises(InsufficientBalance) as refused:
            hand_over(cents=2501)

        assert str(refused.value) == "found 25.00 on the customer's account; needed 25.01"
        assert (balance("customer", "p-1"), PayOver.objects.count()) == (2500, 0)

    def test_needs_a_balance(self) -> None:
        """p-2 has no account yet."""
        with pytest.raises(InsufficientBalance, match=r"found 0\.00"):
            hand_over("p-2", cents=1)

    @pytest.mark.parametrize(
        "arguments",
        [
            {"cents": 0},
            {"cents": -1},
            {"reference": ""},
            {"reference": " "},
            {"reference": "a\nb"},
            {"reference": "a\0b"},
            {"reference": "a" * 101},
        ],
    )
    def test_needs_a_valid_amount_and_reference(self, arguments: dict[str, Any]) -> None:
        """Other values are refused."""
        with pytest.raises(PayOverError, match=r"^found .*; needed "):
            hand_over(**arguments)

    def test_has_a_reference_that_the_database_takes_once(self) -> None:
        """A unique constraint."""
        done = hand_over(cents=1000)

        with pytest.raises(IntegrityError, match="reference"), transaction.atomic():
            PayOver.objects.create(
                id=UUID(int=1),
                reference=done.reference,
                customer=done.customer,
                asset="cash",
                cents=1,
                at=NOW,
                actor="console",
                booked_on=NOW.date(),
            )


class TestGoldenChips:
    def test_are_paid_over_as_chips(self) -> None:
        """A golden 5.00 pushes and comes back as a chip: 5 and 6 and 9 against 6, ten and 4."""
        open_table("qb-1", QB)
        golden = bet("b1", stake="5.00", play="H", funding="golden")
        cards = "1:5H D:6S 1:6D D:TC 1:9S D:4D"
        ingest(lines(deal(cards, golden, rules=QB, table="qb-1", multipliers=NO_MATTER)))
        settle()
        assert balance("customer", "p-1", asset="chips") == 500

        hand_over(cents=500, asset=Account.Asset.CHIPS)

        assert balance("customer", "p-1", asset="chips") == 0
        assert balance("wallet", asset="chips") == 0
