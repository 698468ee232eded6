"""Whether a person may do something, by signed decisions about roles and not by rows of groups.

Applications above know the roles, and declare it (``proven_permissions``).
"""

from datetime import datetime

from django.utils import timezone

from compliance.signatures.sign_decision import decision_text, text_of_record
from compliance.signatures.verify_signatures import DecidedRow, SignatureVerifier, UnsignedDecision
from compliance.storage.app_declarations import declarations
from compliance.trail.actor import Actor
from compliance.trail.log.log_status import LATE, position_of
from compliance.trail.models import AuditRecord


def is_entitled(
    account: int | None,
    permission: str,
    *,
    at: datetime,
    verifier: SignatureVerifier | None = None,
) -> bool:
    """Whether the roles of the account by this time have the permission.

    Calls with one ``verifier`` verify each decision about roles once.
    """
    checks = declarations("proven_permissions", "has_proven_permission")
    verifier = verifier or SignatureVerifier()
    return any(check(account or 0, permission, at=at, verifier=verifier) for _name, check in checks)


def require_entitled(row: DecidedRow, permission: str, *, verifier: SignatureVerifier) -> None:
    """Raises UnsignedDecision unless the person had the permission when the row was decided.

    And when the log received its record: else somebody who had a role once could date a decision
    back.
    """
    account = row.actor_user_id
    times = {row.at, max(row.at, _received_at(row) - LATE)}
    if not all(is_entitled(account, permission, at=at, verifier=verifier) for at in times):
        raise UnsignedDecision(f"found no role that may {permission}, by signed decisions")


def _received_at(row: DecidedRow) -> datetime:
    """By the log; now, while it waits."""
    entry, actor = row.entry, Actor(row.actor, row.actor_user_id)
    text = decision_text(entry, at=row.at, actor=actor)
    records = AuditRecord.objects.filter(subject=entry.subject, action=entry.action, at=row.at)
    for record in records.order_by("id"):
        if text_of_record(record) == text and (position := position_of(record.id)) is not None:
            return position.head.at
    return timezone.now()
