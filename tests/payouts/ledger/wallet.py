"""Money paid over to the wallet, for tests."""

from typing import Any

from compliance.trail.actor import Actor
from payouts.ledger.models import PayOver
from payouts.ledger.transfer_to_wallet import (
    pay_over,
)
from rounds.models import Customer
from tests.casino_in_play import NOW

WALLET = Actor("operator's wallet")


def hand_over(pseudonym: str = "p-1", **arguments: Any) -> PayOver:
    """Pays over 25.00 of p-1 under the reference w-1 by default."""
    fields: dict[str, Any] = {"reference": "w-1", "cents": 2500, "at": NOW, "actor": WALLET}
    customer = Customer.objects.get(pseudonym=pseudonym)
    return pay_over(customer_id=customer.pk, **(fields | arguments))
