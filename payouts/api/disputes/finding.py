"""Which disputes a key may see, and finding one of them."""

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from payouts.api import problems
from payouts.api.caller import Caller
from payouts.api.problems import FieldError, Problem
from payouts.disputes.queries import dispute_named
from payouts.models import Dispute


def found_dispute(named: str, caller: Caller) -> Dispute:
    """The dispute of that name. Raises Problem: what the key may not see is not there."""
    found = dispute_named(named)
    if found is None or not _is_seen(found, caller):
        needed = _("the reference of a dispute that the key may see, such as D-0001")
        raise Problem(problems.NOT_FOUND, errors=[FieldError("path:dispute", named, needed)])
    return found


def seen_disputes(caller: Caller) -> QuerySet[Dispute]:
    """Those about rounds of the key's tables; a customer's own are for the caller to pick."""
    rows = Dispute.objects.select_related("customer", "round__table")
    if caller.key.tables:
        rows = rows.filter(round__table__code__in=caller.key.tables)
    return rows


def _is_seen(dispute: Dispute, caller: Caller) -> bool:
    reaches_table = caller.covers_table(dispute.round.table.code)
    return reaches_table and caller.covers_customer(dispute.customer.pseudonym)
