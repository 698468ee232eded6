"""Quotas of what programs may add per customer: disputes, files and bytes a day and a dispute.

Each count holds a lock until the call is committed, so that concurrent calls cannot exceed it.
Quotas apply to the customer, not to the token: a customer may have several.
"""

from datetime import datetime, timedelta
from math import ceil
from typing import Final

from django.conf import settings
from django.db.models import Count, Min, QuerySet, Sum
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.api.problems import FieldError, Problem, declare_problem
from compliance.storage.advisory_locks import lock_names
from payouts.disputes.models import Dispute, DisputeEvidence
from rounds.models import Customer

MOST_FILES: Final = 50
"""Per dispute, for programs; people may add more."""
_DAY: Final = timedelta(days=1)
EVIDENCE_IS_FULL: Final = declare_problem(
    "evidence-full",
    409,
    gettext_lazy("The dispute has reached the limit for additions through the API"),
    gettext_lazy("A user can add more in the back office."),
)
QUOTA_USED: Final = declare_problem(
    "customer-quota-used",
    429,
    gettext_lazy("The customer has reached the daily limit for additions through the API"),
    gettext_lazy(
        "Wait for the number of seconds in Retry-After, or have a user add it in the back office."
    ),
)


def check_disputes(customer: Customer, *, at: datetime) -> None:
    """Raises Problem if the customer's disputes of the last 24 hours reach the quota."""
    _lock(customer)
    by_programs = Dispute.objects.filter(customer=customer, opened_at__gt=at - _DAY).exclude(
        opened_by=Dispute.OpenedBy.PERSON
    )
    totals = by_programs.aggregate(number=Count("pk"), first=Min("opened_at"))
    if totals["number"] >= settings.CUSTOMER_DISPUTES_A_DAY:
        found = _("%(number)d disputes in one day") % totals
        raise _quota_used(
            "disputes", found, settings.CUSTOMER_DISPUTES_A_DAY, totals["first"], at=at
        )


def check_evidence(dispute: Dispute, size: int, *, at: datetime) -> None:
    """Raises Problem if a locked dispute or its customer has no quota left for one more file."""
    _check_dispute(dispute, size)
    _lock(dispute.customer)
    recent = DisputeEvidence.objects.filter(
        dispute__customer=dispute.customer, share__isnull=False, added_at__gt=at - _DAY
    )
    files, size_before = _sums(recent)
    first = recent.order_by("added_at").values_list("added_at", flat=True).first() or at
    if files >= settings.CUSTOMER_FILES_A_DAY:
        found = _("%(number)d files in one day") % {"number": files}
        raise _quota_used("evidence", found, settings.CUSTOMER_FILES_A_DAY, first, at=at)
    most = settings.CUSTOMER_EVIDENCE_BYTES_A_DAY
    if size_before + size > most:
        found = _("%(number)d bytes in one day") % {"number": size_before + size}
        raise _quota_used("evidence", found, most, first, at=at)


def _check_dispute(dispute: Dispute, size: int) -> None:
    files, size_before = _sums(DisputeEvidence.objects.filter(dispute=dispute))
    if files >= MOST_FILES:
        error = FieldError("evidence", files, _("fewer than %(most)d files") % {"most": MOST_FILES})
        raise Problem(EVIDENCE_IS_FULL, errors=[error])
    most = settings.DISPUTE_EVIDENCE_BYTES
    if size_before + size > most:
        found = _("%(number)d bytes") % {"number": size_before + size}
        error = FieldError("evidence", found, _("at most %(most)d bytes") % {"most": most})
        raise Problem(EVIDENCE_IS_FULL, errors=[error])


def _sums(rows: QuerySet[DisputeEvidence]) -> tuple[int, int]:
    totals = rows.aggregate(files=Count("pk"), size=Sum("size"))
    return totals["files"], totals["size"] or 0


def _quota_used(field: str, found: str, most: int, first: datetime, *, at: datetime) -> Problem:
    wait = max(ceil((first + _DAY - at).total_seconds()), 1)
    error = FieldError(field, found, _("at most %(most)d in one day") % {"most": most})
    return Problem(QUOTA_USED, errors=[error], headers={"Retry-After": str(wait)})


def _lock(customer: Customer) -> None:
    """Serializes calls for one customer until this call is committed."""
    lock_names([f"quota of customer:{customer.pk}"])
