"""Settlements, the ledger, totals, days, stuck work, cases, disputes, reasons, legal holds."""

from payouts.models.account import Account
from payouts.models.case import (
    Case,
    CaseEvidence,
    CaseRound,
    CaseRun,
    CaseStep,
    CaseWork,
    GoodwillCredit,
)
from payouts.models.daily import DailyBets, DailyRounds
from payouts.models.day import DayClosing
from payouts.models.dispute import Dispute, DisputeEvidence, DisputeFinding
from payouts.models.dispute_step import (
    DisputeRemedy,
    DisputeReminder,
    DisputeStep,
    DisputeTerm,
)
from payouts.models.hold import LegalHold, LegalHoldLift
from payouts.models.ledger import Transfer
from payouts.models.list_import import ListImport
from payouts.models.pay_over import PayOver
from payouts.models.reason import Reason
from payouts.models.reconcile import ReconcileDifference, ReconcilePart, ReconcileRun
from payouts.models.settlement import BetSettlement, Settlement
from payouts.models.stuck import FailingTask, StuckWorkStep, WorkKind
from payouts.models.upload import FeedAnswers, FeedChunk, FeedUpload
from payouts.models.verdict_proposal import VerdictProposal

__all__ = [
    "Account",
    "BetSettlement",
    "Case",
    "CaseEvidence",
    "CaseRound",
    "CaseRun",
    "CaseStep",
    "CaseWork",
    "DailyBets",
    "DailyRounds",
    "DayClosing",
    "Dispute",
    "DisputeEvidence",
    "DisputeFinding",
    "DisputeRemedy",
    "DisputeReminder",
    "DisputeStep",
    "DisputeTerm",
    "FailingTask",
    "FeedAnswers",
    "FeedChunk",
    "FeedUpload",
    "GoodwillCredit",
    "LegalHold",
    "LegalHoldLift",
    "ListImport",
    "PayOver",
    "Reason",
    "ReconcileDifference",
    "ReconcilePart",
    "ReconcileRun",
    "Settlement",
    "StuckWorkStep",
    "Transfer",
    "VerdictProposal",
    "WorkKind",
]
