"""The models of all subpackages, for Django. Import them from their own packages."""

from payouts.carried_forward.models import CarriedBalance, CarriedDay
from payouts.cases.models import (
    Case,
    CaseEvidence,
    CaseHalt,
    CaseHaltStep,
    CasePlan,
    CaseRound,
    CaseRun,
    CaseStep,
    CaseWork,
    GoodwillCredit,
    Reason,
)
from payouts.comments.models import Comment
from payouts.disputes.models import (
    Dispute,
    DisputeEvidence,
    DisputeFinding,
    DisputeRemedy,
    DisputeReminder,
    DisputeStep,
    DisputeTerm,
    EvidenceShare,
    VerdictProposal,
)
from payouts.gaming_days.models import DayClosing
from payouts.integrity.models import IntegrityStop, IntegrityStopStep
from payouts.ledger.models import Account, MoneyRecord, PayOver, Transfer
from payouts.recheck.models import RecheckHour
from payouts.reconciliation.models import ReconcileDifference, ReconcilePart, ReconcileRun
from payouts.settlement.models import BetSettlement, DailyBets, DailyRounds, Settlement
from payouts.stuck_work.models import FailingTask, StuckWorkStep, WorkKind

__all__ = [
    "Account",
    "BetSettlement",
    "CarriedBalance",
    "CarriedDay",
    "Case",
    "CaseEvidence",
    "CaseHalt",
    "CaseHaltStep",
    "CasePlan",
    "CaseRound",
    "CaseRun",
    "CaseStep",
    "CaseWork",
    "Comment",
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
    "EvidenceShare",
    "FailingTask",
    "GoodwillCredit",
    "IntegrityStop",
    "IntegrityStopStep",
    "MoneyRecord",
    "PayOver",
    "Reason",
    "RecheckHour",
    "ReconcileDifference",
    "ReconcilePart",
    "ReconcileRun",
    "Settlement",
    "StuckWorkStep",
    "Transfer",
    "VerdictProposal",
    "WorkKind",
]
