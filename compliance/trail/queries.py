"""Reading the trail."""

from django.db.models import QuerySet

from compliance.trail.models import AuditRecord


def records_of(subject: str) -> QuerySet[AuditRecord]:
    """Everything that was recorded about a subject, oldest first."""
    return AuditRecord.objects.filter(subject=subject).order_by("id")
