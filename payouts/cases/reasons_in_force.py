"""The reasons in force: the latest signed version of each code.

A version that nobody signed changes nothing: the version before it stays in force.
"""

from collections.abc import Iterable
from typing import Final

from django.db.models import QuerySet

from compliance.signatures.signature_verifier import SignatureVerifier, UnsignedDecision
from compliance.signatures.verify_rows import RowsInForce
from compliance.trail.models import AuditRecord
from payouts.cases.models import Reason


def is_in_order(reason: Reason, verifier: SignatureVerifier) -> bool:
    """Whether the version is signed by the person it names, or was written by a migration.

    Versions without an account come from migrations; all others are younger than signatures.
    """
    try:
        return reason.actor_user_id is None or verifier.verify_row(reason)
    except UnsignedDecision:
        return False


KNOWN: Final = RowsInForce[Reason](is_in_order)


def reasons_in_force() -> QuerySet[Reason]:
    """The version in force of each reason, retired reasons included."""
    return Reason.objects.filter(pk__in=[reason.pk for reason in _in_force(Reason.objects.all())])


def reasons_in_use(purpose: str) -> QuerySet[Reason]:
    """The reasons that a decision of this purpose may state."""
    return reasons_in_force().filter(purpose=purpose, is_active=True)


def reason_in_force(code: str) -> Reason | None:
    """The version in force of the reason of this code, if any."""
    return next(iter(_in_force(Reason.objects.filter(code=code))), None)


def changes_of(reason: Reason, verifier: SignatureVerifier) -> list[AuditRecord]:
    """The audit records of all signed changes after this version."""
    later = Reason.objects.filter(code=reason.code, version__gt=reason.version)
    versions = later.select_related("replaces")
    times = [version.at for version in versions if is_in_order(version, verifier)]
    records = AuditRecord.objects.filter(subject=reason.entry.subject, action="REASON_CHANGED")
    return list(records.filter(at__in=times))


def _in_force(versions: QuerySet[Reason]) -> Iterable[Reason]:
    ordered = versions.select_related("replaces").order_by("code", "-version")
    return KNOWN.first_of_each("code", ordered)
