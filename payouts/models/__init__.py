"""Settlements, the ledger, pay-overs, daily totals, stuck work, and reconciliations."""

from payouts.models.account import Account
from payouts.models.daily import DailyBets, DailyRounds
from payouts.models.ledger import Transfer
from payouts.models.pay_over import PayOver
from payouts.models.reconcile import ReconcileDifference, ReconcilePart, ReconcileRun
from payouts.models.settlement import BetSettlement, Settlement
from payouts.models.stuck import FailingTask, StuckWorkStep, WorkKind

__all__ = [
    "Account",
    "BetSettlement",
    "DailyBets",
    "DailyRounds",
    "FailingTask",
    "PayOver",
    "ReconcileDifference",
    "ReconcilePart",
    "ReconcileRun",
    "Settlement",
    "StuckWorkStep",
    "Transfer",
    "WorkKind",
]
