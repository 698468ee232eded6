"""The audit actions that need the actor's signature, and the permission that each needs."""

from collections.abc import Mapping
from typing import Final

SIGNED: Final[Mapping[str, str | None]] = {
    "CASE_PROPOSED": "propose_decision",
    "CASE_REFERRED": "propose_decision",
    "CASE_ALLOWED": "propose_decision",
    "CASE_REFUSED": "propose_decision",
    "CASE_APPROVED": "approve_decision",
    "CASE_REJECTED": "approve_decision",
    "CASE_WITHDRAWN": "propose_decision",
    "CASES_RESUMPTION_PROPOSED": "approve_decision",
    "CASES_RESUMED": "approve_decision",
    "DAY_CLOSED_BY_SIGNATURE": "close_day",
    "DISPUTE_UPHELD": "decide_dispute",
    "DISPUTE_PARTLY_UPHELD": "decide_dispute",
    "DISPUTE_REJECTED": "decide_dispute",
    "DISPUTE_TERM_SET": "set_dispute_term",
    "REASON_ADDED": "manage_reasons",
    "REASON_CHANGED": "manage_reasons",
    "SETTLEMENT_RESUMED": "resume_settlement",
    "SETTLEMENT_RESUMPTION_PROPOSED": "resume_settlement",
}
