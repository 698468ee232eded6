"""The types of events, and the audit actions that they are."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Final


class EventType(StrEnum):
    """The types of events.

    A round is settled once; later settlements correct or void it. Types of disputes and cases are
    their steps.
    """

    SETTLED = "round.settled"
    CORRECTED = "round.corrected"
    VOIDED = "round.voided"
    DISPUTE_OPENED = "dispute.opened"
    DISPUTE_IN_REVIEW = "dispute.in_review"
    DISPUTE_QUESTION_SENT = "dispute.question_sent"
    DISPUTE_ANSWERED = "dispute.answered"
    DISPUTE_DUE = "dispute.due"
    """The next step is due soon: the reminder that people get."""
    DISPUTE_DECIDED = "dispute.decided"
    DISPUTE_REMEDY_FAILED = "dispute.remedy_failed"
    DISPUTE_CLOSED = "dispute.closed"
    DISPUTE_ESCALATED = "dispute.escalated"
    DISPUTE_EXTERNAL_DECISION = "dispute.external_decision"
    DISPUTE_REOPENED = "dispute.reopened"
    CASE_OPENED = "case.opened"
    CASE_PROPOSED = "case.proposed"
    CASE_REFERRED = "case.referred"
    CASE_ALLOWED = "case.allowed"
    CASE_REFUSED = "case.refused"
    CASE_APPROVED = "case.approved"
    CASE_REJECTED = "case.rejected"
    CASE_WITHDRAWN = "case.withdrawn"
    CASE_EXECUTED = "case.executed"


SETTLEMENTS: Final = ("ROUND_SETTLED", "ROUND_RESETTLED", "ROUND_RULED", "ROUND_VOIDED")
"""Their type is that of the settlement."""
DISPUTE_STEPS: Final[Mapping[str, EventType]] = {
    "DISPUTE_OPENED": EventType.DISPUTE_OPENED,
    "DISPUTE_TAKEN": EventType.DISPUTE_IN_REVIEW,
    "DISPUTE_ASKED": EventType.DISPUTE_QUESTION_SENT,
    "DISPUTE_ANSWERED": EventType.DISPUTE_ANSWERED,
    "DISPUTE_REMINDED": EventType.DISPUTE_DUE,
    "DISPUTE_UPHELD": EventType.DISPUTE_DECIDED,
    "DISPUTE_PARTLY_UPHELD": EventType.DISPUTE_DECIDED,
    "DISPUTE_REJECTED": EventType.DISPUTE_DECIDED,
    "DISPUTE_REMEDY_FAILED": EventType.DISPUTE_REMEDY_FAILED,
    "DISPUTE_CLOSED": EventType.DISPUTE_CLOSED,
    "DISPUTE_ESCALATED": EventType.DISPUTE_ESCALATED,
    "DISPUTE_CONFIRMED": EventType.DISPUTE_EXTERNAL_DECISION,
    "DISPUTE_OVERTURNED": EventType.DISPUTE_EXTERNAL_DECISION,
    "DISPUTE_REOPENED": EventType.DISPUTE_REOPENED,
}
CASE_STEPS: Final[Mapping[str, EventType]] = {
    "CASE_OPENED": EventType.CASE_OPENED,
    "CASE_PROPOSED": EventType.CASE_PROPOSED,
    "CASE_REFERRED": EventType.CASE_REFERRED,
    "CASE_ALLOWED": EventType.CASE_ALLOWED,
    "CASE_REFUSED": EventType.CASE_REFUSED,
    "CASE_APPROVED": EventType.CASE_APPROVED,
    "CASE_REJECTED": EventType.CASE_REJECTED,
    "CASE_WITHDRAWN": EventType.CASE_WITHDRAWN,
    "CASE_EXECUTED": EventType.CASE_EXECUTED,
}
