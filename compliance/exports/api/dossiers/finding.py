"""Which dossiers a key may see, and which it may ask for."""

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from compliance.exports.dossier.models import Dossier
from payouts.api import problems
from payouts.api.caller import Caller
from payouts.api.problems import FieldError, Problem
from payouts.api.scopes import Scope
from payouts.models import Dispute
from rounds.services.table_fields import one_of


def seen_dossiers(dispute: Dispute, caller: Caller) -> QuerySet[Dossier]:
    """Those of the readers for whom the key may ask."""
    readers = [one for one in Dossier.Audience if may_have(one, caller)]
    rows = Dossier.objects.filter(dispute=dispute, audience__in=readers)
    return rows.select_related("signature")


def found_dossier(dispute: Dispute, number: int, caller: Caller) -> Dossier:
    """The dossier of this dispute. Raises Problem."""
    found = seen_dossiers(dispute, caller).filter(pk=number).first()
    if found is None:
        needed = _("the id of a dossier of this dispute that the key may see")
        raise Problem(problems.NOT_FOUND, errors=[FieldError("path:dossier", number, needed)])
    return found


def may_have(reader: Dossier.Audience, caller: Caller) -> bool:
    """Whether the key may have dossiers for this reader; a customer may have his own."""
    if caller.key.customer is not None:
        return reader is Dossier.Audience.CUSTOMER
    return reader is not Dossier.Audience.REGULATOR or caller.has(Scope.EXPORTS_READ)


def check_reader(reader: Dossier.Audience, caller: Caller) -> None:
    """Raises Problem for a reader whose dossiers the key may not have."""
    if may_have(reader, caller):
        return
    if caller.key.customer is not None:
        error = FieldError("/reader", reader.value, one_of([Dossier.Audience.CUSTOMER.value]))
        raise Problem(problems.REFUSED, errors=[error])
    found, needed = " ".join(caller.key.scopes), Scope.EXPORTS_READ.value
    error = FieldError("header:Authorization", found, needed)
    raise Problem(problems.SCOPE_MISSING, errors=[error])
