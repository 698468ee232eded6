"""The audit records of this application that open pages are told of."""

from collections.abc import Mapping
from typing import Final

ANNOUNCED: Final[Mapping[str, str]] = {
    "case": "case",
    "cases": "case",
    "dispute": "dispute",
    "day": "day",
    "reconciliation": "reconciliation",
    "ROUND_IN_CASE": "round",
    "ROUND_DISPUTED": "round",
    "ROUND_VOIDED": "round",
    "ROUND_RULED": "round",
    "ROUND_RESETTLED": "round",
    "WORK_ASSIGNED": "exception",
    "WORK_RESOLVED": "exception",
    "ROUND_RETRIED": "exception",
    "TASK_RETRIED": "exception",
    "DOCUMENT_RETRIED": "exception",
}
"""The kind of the topic, by the kind of a record's subject or by its action."""
