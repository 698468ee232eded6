"""The nightly verification of the audit trail, its signed log and every signed decision.

What reconciliation and the comparison of the schema do on their own at night is not repeated.
"""

from datetime import datetime
from typing import Final

from django.db import transaction
from django.utils import translation

from compliance.storage.app_declarations import declarations
from compliance.trail.extra_checks import begin_snapshot
from compliance.trail.fault_messages import fault_message
from compliance.trail.log.log_faults import LogFault
from compliance.trail.log.verify_log import verify_trail
from compliance.trail.verify_records import Fault
from payouts.integrity.models import IntegrityStop
from payouts.integrity.stop_settlement import stop_settlement
from payouts.integrity.verify_schema import report_schema_differences
from payouts.reconciliation.checks.all_checks import verify_facts_and_money

NIGHTLY: Final = "casino.verify_audit_trail"
"""The nightly task."""
_ELSEWHERE: Final = frozenset({report_schema_differences, verify_facts_and_money})


class AuditTrailFaulty(Exception):
    """The audit trail, its log or a signed decision has faults."""


def verify_audit_trail(*, at: datetime) -> None:
    """Verifies all of it in one snapshot; stops settlement and raises AuditTrailFaulty at faults.

    Without a copy of a signed head from elsewhere, so a shortened log is found by its worker.
    """
    with translation.override("en"):
        faults = _faults()
    if faults:
        stop_settlement(IntegrityStop.Kind.TRAIL, faults, at=at)
        more = f"; {len(faults) - 1} more" if len(faults) > 1 else ""
        raise AuditTrailFaulty(f"{faults[0]}{more} (manage.py verify_trail)")


def _faults() -> list[str]:
    faults: list[Fault | LogFault] = []
    others: list[str] = []
    with transaction.atomic():
        begin_snapshot()
        verify_trail(report=faults.append)
        for _name, checks in declarations("trail_checks", "CHECKS"):
            for check in checks:
                if check not in _ELSEWHERE:
                    check(others.append)
    return [*map(fault_message, faults), *others]
