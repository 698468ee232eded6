"""The page of a ledger account."""

import pytest
from django.test import Client

from payouts.ledger.models import Account
from tests.casino_in_play import ingest, open_table, settle
from tests.documents import baccarat_round, lines
from tests.payouts.settlement.resettlement_scenarios import void

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _voided_round() -> None:
    """A round with a paid winner that was voided afterwards."""
    open_table()
    ingest(lines(baccarat_round("r-1")))
    settle()
    void("r-1", after=1)


def page_of(supervisor: Client, account: Account) -> str:
    """The text of the account's page."""
    return supervisor.get(f"/admin/payouts/account/{account.pk}/change/").content.decode()


def test_a_customers_account_lists_its_transfers(supervisor: Client) -> None:
    """Payout, reversal and returned stake, each with its round, add up to the balance."""
    account = Account.objects.filter(kind="customer").order_by("-balance_cents")[0]

    page = page_of(supervisor, account)

    for output in ("Newest round first.", "Payout", "Reversal", "Stake returned", "#21:10:10"):
        assert output in page


def test_a_shared_account_lists_no_transfers(supervisor: Client) -> None:
    """They belong to every round."""
    page = page_of(supervisor, Account.objects.filter(kind="house")[0])

    assert "This is a shared account" in page
    assert "Newest round first." not in page
