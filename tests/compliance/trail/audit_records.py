"""Audit records, for tests."""

from typing import Any

from compliance.trail.models import AuditRecord


def audit_records(action: str) -> list[tuple[str, str, dict[str, Any]]]:
    """Actor, subject and details of the audit records of an action, oldest first."""
    rows = AuditRecord.objects.filter(action=action).order_by("id")
    return [(row.actor, row.subject, row.details) for row in rows]
