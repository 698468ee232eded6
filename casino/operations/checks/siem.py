"""The check of what the SIEM gets."""

from django.utils import timezone

from casino.operations.checks.check_result import CheckResult, error, ok
from compliance.siem.backlog import LATE, current_backlogs


def events_are_sent() -> CheckResult:
    """Each receiver of the SIEM has the audit records that were signed some minutes ago."""
    now, backlogs = timezone.now(), current_backlogs()
    needed = f"nothing older than {LATE.total_seconds() / 60:.0f} minutes waits"
    if not backlogs:
        return ok("no receiver", needed)
    late = [backlog for backlog in backlogs if backlog.is_late(now)]
    if late:
        found = ", ".join(f"{it.records} records wait for {it.receiver}" for it in late)
        detail = "; ".join(f"{it.receiver}: {it.error}" for it in late if it.error)
        todo = "start send_audit_events, or repair the receiver (docs/administrator/siem.md)"
        return error(found, needed, todo, detail=detail)
    return ok(f"{len(backlogs)} receivers", needed)
