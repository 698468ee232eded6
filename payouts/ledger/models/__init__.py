"""Accounts, transfers, pay-overs and the audit records about them."""

from payouts.ledger.models.account import Account
from payouts.ledger.models.money_record import MoneyRecord
from payouts.ledger.models.pay_over import PayOver
from payouts.ledger.models.transfer import Transfer

__all__ = ["Account", "MoneyRecord", "PayOver", "Transfer"]
