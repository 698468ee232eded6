"""The audit records of this application that open pages are told of."""

from collections.abc import Mapping
from typing import Final

ANNOUNCED: Final[Mapping[str, str]] = {
    "LOGGED_OUT": "access",
    "SESSION_ENDED": "access",
    "PASSWORD_CHANGED": "access",
    "PASSWORD_RESET": "access",
    "FACTORS_RESET": "access",
    "ACCOUNT_CLOSED": "access",
    "ACCOUNT_REOPENED": "access",
    "ROLES_CHANGED": "access",
    "ACCESS_REQUESTED": "access",
    "ACCESS_APPROVED": "access",
    "ACCESS_REJECTED": "access",
}
"""The kind of the topic, by the kind of a record's subject or by its action."""
