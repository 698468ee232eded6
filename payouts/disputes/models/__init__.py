"""Disputes, their steps, remedies and proposed verdicts."""

from payouts.disputes.models.dispute import Dispute, DisputeEvidence, DisputeFinding, EvidenceShare
from payouts.disputes.models.dispute_step import (
    DisputeRemedy,
    DisputeReminder,
    DisputeStep,
    DisputeTerm,
)
from payouts.disputes.models.verdict_proposal import VerdictProposal

__all__ = [
    "Dispute",
    "DisputeEvidence",
    "DisputeFinding",
    "DisputeRemedy",
    "DisputeReminder",
    "DisputeStep",
    "DisputeTerm",
    "EvidenceShare",
    "VerdictProposal",
]
