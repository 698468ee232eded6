"""Accounts, transfers and pay-overs."""

from payouts.ledger.models.account import Account
from payouts.ledger.models.pay_over import PayOver
from payouts.ledger.models.transfer import Transfer

__all__ = ["Account", "PayOver", "Transfer"]
