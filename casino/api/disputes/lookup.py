"""The disputes that a key may read."""

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from casino.api import problems
from casino.api.problems import FieldError, Problem
from casino.integrations.caller import Caller
from payouts.disputes.models import Dispute, DisputeEvidence
from payouts.disputes.queries import dispute_named


def get_dispute(reference: str, caller: Caller) -> Dispute:
    """The dispute with this reference. Raises Problem (404) also if the key may not read it."""
    dispute = dispute_named(reference)
    if dispute is None or not _is_visible(dispute, caller):
        needed = _("the reference of a dispute that the key may access, such as D-0001")
        raise Problem(problems.NOT_FOUND, errors=[FieldError("path:dispute", reference, needed)])
    return dispute


def visible_disputes(caller: Caller) -> QuerySet[Dispute]:
    """The disputes of the key's tables; the caller restricts them to one customer."""
    rows = Dispute.objects.select_related("customer", "round__table")
    if caller.key.tables:
        rows = rows.filter(round__table__code__in=caller.key.tables)
    return rows


def visible_evidence(dispute: Dispute, caller: Caller) -> QuerySet[DisputeEvidence]:
    """The evidence that the key may read: a customer's own key only what is shared with him."""
    rows = DisputeEvidence.objects.filter(dispute=dispute)
    return rows if caller.key.customer is None else rows.filter(share__isnull=False)


def _is_visible(dispute: Dispute, caller: Caller) -> bool:
    reaches_table = caller.covers_table(dispute.round.table.code)
    return reaches_table and caller.covers_customer(dispute.customer.pseudonym)
