"""The audit actions of this package that need the actor's signature."""

from typing import Final

SIGNED: Final = frozenset(
    {
        "CASE_PROPOSED",
        "CASE_REFERRED",
        "CASE_ALLOWED",
        "CASE_REFUSED",
        "CASE_APPROVED",
        "CASE_REJECTED",
        "CASE_WITHDRAWN",
        "CASES_RESUMPTION_PROPOSED",
        "CASES_RESUMED",
        "DAY_CLOSED_BY_SIGNATURE",
        "DISPUTE_UPHELD",
        "DISPUTE_PARTLY_UPHELD",
        "DISPUTE_REJECTED",
        "DISPUTE_TERM_SET",
        "REASON_ADDED",
        "REASON_CHANGED",
        "SETTLEMENT_RESUMED",
        "SETTLEMENT_RESUMPTION_PROPOSED",
    }
)
