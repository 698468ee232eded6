"""Settlements and the ledger."""

from payouts.models.ledger import Account, Transfer
from payouts.models.settlement import BetSettlement, Settlement

__all__ = ["Account", "BetSettlement", "Settlement", "Transfer"]
