"""Fixtures for tests of gaming days."""

import pytest

from payouts.ledger.models import Account
from payouts.ledger.transfer_to_wallet import pay_over
from tests.casino_in_play import STUDIO, open_table
from tests.payouts.gaming_days.day_scenarios import NOON, arrive, dealt, settle_at
from tests.payouts.settlement.resettlement_scenarios import void


@pytest.fixture
def played_day(fresh_casino: str) -> None:
    """r-1 was settled, r-2 voided, r-3 held; p-1 took out 5.00."""
    open_table()
    arrive(dealt("r-1", NOON), dealt("r-2", NOON), dealt("r-3", NOON, held=True))
    settle_at()
    void("r-2", after=1, at=NOON)
    winner = Account.objects.get(kind="customer", customer__pseudonym="p-1")
    pay_over(reference="w-1", customer_id=winner.customer_id or 0, cents=500, at=NOON, actor=STUDIO)
