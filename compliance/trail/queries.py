"""Reading the trail."""

from django.db.models import QuerySet

from compliance.trail.models import AuditRecord


def records_of(subject: str) -> QuerySet[AuditRecord]:
    """Everything that was recorded about a subject, oldest first."""
    return AuditRecord.objects.filter(subject=subject).order_by("id")


def changes_after(subject: str, action: str, *, version: int) -> list[AuditRecord]:
    """The records of this action whose details name a later version, newest first."""
    changes = records_of(subject).filter(action=action).order_by("-id")
    return [one for one in changes if one.details.get("version", 0) > version]
