"""Clawing back from a customer without balance: the missing amount is owed."""

import pytest

from compliance.trail.models import AuditRecord
from payouts.ledger.models import Account, Transfer
from payouts.settlement.queries import receivables
from tests.books import assert_books_are_right
from tests.casino_in_play import ingest, open_table, settle
from tests.documents import baccarat_bet, baccarat_round, lines
from tests.payouts.ledger.wallet import hand_over
from tests.payouts.settlement.resettlement_scenarios import balance, resettle, transfers, void
from tests.rounds.contract.by_hand import NO_MATTER, QB, bet, deal

pytestmark = pytest.mark.django_db


def owed() -> list[tuple[str, str, int]]:
    """Customer, asset and amount of each debt."""
    accounts = receivables(Account.objects.all()).order_by("id")
    return [
        (account.customer.pseudonym, account.asset, account.balance_cents)
        for account in accounts
        if account.customer
    ]


@pytest.mark.usefixtures("settled")
class TestACustomerWhoseMoneyIsGone:
    def test_owes_what_was_paid_beyond_the_stakes(self) -> None:
        """25.00 are taken back and 12.00 returned: p-1 owes 13.00."""
        hand_over(cents=2500)

        resettled = void(after=1)

        assert resettled.owed_cents == 1300
        assert owed() == [("p-1", "cash", -1300)]
        assert (balance("customer", "p-1"), balance("customer", "p-2")) == (0, 1000)
        assert_books_are_right(lines(baccarat_round("r-1")))

    def test_owes_only_what_the_account_lacks(self) -> None:
        """A balance of 5.00 is deducted."""
        hand_over(cents=2000)

        void(after=1)

        assert owed() == [("p-1", "cash", -800)]
        assert balance("customer", "p-1") == 0

    def test_owes_nothing_if_the_account_has_just_enough(self) -> None:
        """A balance of 13.00."""
        hand_over(cents=1200)

        resettled = void(after=1)

        assert (resettled.owed_cents, owed(), balance("customer", "p-1")) == (0, [], 0)
        assert not Transfer.objects.filter(purpose="shortfall").exists()

    def test_owes_one_cent(self) -> None:
        """A balance of 12.99."""
        hand_over(cents=1201)

        void(after=1)

        assert owed() == [("p-1", "cash", -1)]

    def test_owes_by_a_transfer_of_the_settlement(self) -> None:
        """The record has the sum, too."""
        hand_over(cents=2500)

        void(after=1)

        assert transfers(2)[-1] == ("shortfall", 1300)
        assert AuditRecord.objects.get(action="ROUND_VOIDED").details["owed"] == "13.00"

    def test_owes_no_more_once_the_void_is_undone(self) -> None:
        """Settling again reverses the shortfall."""
        hand_over(cents=2500)
        void(after=1)

        resettle(after=2)

        assert owed() == []
        assert balance("receivable") == 0
        assert balance("customer", "p-1") == 0
        assert_books_are_right(lines(baccarat_round("r-1")))

    def test_owes_the_same_again_if_it_is_voided_again(self) -> None:
        """On the same account."""
        hand_over(cents=2500)
        void(after=1)
        resettle(after=2)

        void(after=3)

        assert owed() == [("p-1", "cash", -1300)]
        assert_books_are_right(lines(baccarat_round("r-1")))

    def test_keeps_what_was_won_since(self) -> None:
        """Debts are not set off against later winnings."""
        hand_over(cents=2500)
        void(after=1)

        ingest(lines(baccarat_round("r-2")))
        settle()

        assert owed() == [("p-1", "cash", -1300)]
        assert balance("customer", "p-1") == 2500

    def test_pays_with_what_was_won_since_when_the_void_is_undone_and_done(self) -> None:
        """The second void takes 13.00 from the later winnings."""
        hand_over(cents=2500)
        void(after=1)
        ingest(lines(baccarat_round("r-2")))
        settle()
        resettle(after=2)

        void(after=3)

        assert (owed(), balance("customer", "p-1")) == ([], 1200)
        assert_books_are_right(lines(baccarat_round("r-1"), baccarat_round("r-2")))

    def test_owes_for_each_round(self) -> None:
        """Undoing one void leaves the other's debt."""
        ingest(lines(baccarat_round("r-2")))
        settle()
        hand_over(cents=5000)
        void("r-1", after=1)
        void("r-2", after=1)
        assert owed() == [("p-1", "cash", -2600)]

        resettle("r-1", after=2)

        assert owed() == [("p-1", "cash", -1300)]
        assert_books_are_right(lines(baccarat_round("r-1"), baccarat_round("r-2")))

    def test_has_an_account_that_can_only_be_owed(self) -> None:
        """Its id follows from the customer's, and its balance is never positive."""
        hand_over(cents=2500)
        void(after=1)

        account = Account.objects.get(kind="receivable")
        assert account.pk == (account.customer_id or 0) * 8 + 2


class TestACrowd:
    def test_owes_each_their_own(self) -> None:
        """Forty won; every fourth has taken the winnings out."""
        open_table()
        bets = [
            baccarat_bet(f"b{number}", "player", "10.00", player=f"c-{number}")
            for number in range(40)
        ]
        document = baccarat_round("r-1", bets=bets)
        ingest(lines(document))
        settle()
        without_money = range(0, 40, 4)
        for number in without_money:
            hand_over(f"c-{number}", cents=2000, reference=f"w-{number}")

        resettled = void(after=1)

        assert resettled.owed_cents == 10 * 1000
        assert sorted(owed()) == sorted((f"c-{number}", "cash", -1000) for number in without_money)
        assert balance("customer") == 30 * 1000
        assert_books_are_right(lines(document))


class TestGoldenChips:
    def test_are_owed_as_chips(self) -> None:
        """Ten, 6 and 9 lost a golden 5.00. The void gave the chip back, and it was taken out."""
        open_table("qb-1", QB)
        golden = bet("b1", stake="5.00", play="H", funding="golden")
        cards = "1:TH D:6S 1:6D D:TC 1:9S"
        document = deal(cards, golden, rules=QB, table="qb-1", multipliers=NO_MATTER)
        ingest(lines(document))
        settle()
        void(after=1)
        hand_over(cents=500, asset=Account.Asset.CHIPS)

        resettled = resettle(after=2)

        assert (resettled.owed_cents, owed()) == (500, [("p-1", "chips", -500)])
        assert balance("customer", "p-1") == 0
        assert_books_are_right(lines(document))
