"""Permissions that follow from signed decisions about roles, whatever the rows of groups say."""

from datetime import datetime
from typing import Final

from casino.access.roles import (
    ADMINISTRATOR,
    CASE_APPROVER_ROLES,
    CASE_PROPOSER_ROLES,
    DAY_CLOSING_ROLES,
    EXPORT_ROLES,
    LOG_GAP_CONFIRMER_ROLES,
    LOG_GAP_PROPOSER_ROLES,
    SETTLEMENT_RESUMER_ROLES,
)
from casino.access.verification.verify_roles import decided_roles
from compliance.signatures.verify_signatures import SignatureVerifier

_ROLES: Final = {
    "propose_log_gap": {*LOG_GAP_PROPOSER_ROLES},
    "confirm_log_gap": {*LOG_GAP_CONFIRMER_ROLES, ADMINISTRATOR},
    "propose_decision": {*CASE_PROPOSER_ROLES},
    "approve_decision": {*CASE_APPROVER_ROLES},
    "close_day": {*DAY_CLOSING_ROLES},
    "sign_bundle": {*EXPORT_ROLES},
    "resume_settlement": {*SETTLEMENT_RESUMER_ROLES},
}


def has_proven_permission(
    account: int, permission: str, *, at: datetime, verifier: SignatureVerifier
) -> bool:
    """Whether the last decision about the account's roles before this time gives it one of them."""
    return not _ROLES[permission].isdisjoint(decided_roles(account, at=at, verifier=verifier))
