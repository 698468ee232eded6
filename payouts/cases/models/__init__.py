"""Cases, their plans, steps, executions and evidence, and the managed reasons."""

from payouts.cases.models.case import Case, CaseEvidence, CaseRound
from payouts.cases.models.case_halt import CaseHalt, CaseHaltStep
from payouts.cases.models.case_plan import CasePlan
from payouts.cases.models.case_run import CaseRun, CaseWork
from payouts.cases.models.case_step import CaseStep
from payouts.cases.models.goodwill_credit import GoodwillCredit
from payouts.cases.models.reason import Reason

__all__ = [
    "Case",
    "CaseEvidence",
    "CaseHalt",
    "CaseHaltStep",
    "CasePlan",
    "CaseRound",
    "CaseRun",
    "CaseStep",
    "CaseWork",
    "GoodwillCredit",
    "Reason",
]
