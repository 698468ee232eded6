"""Which dossiers a key may read, and for which audiences it may issue them."""

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from casino.api import problems
from casino.api.problems import FieldError, Problem
from casino.integrations.caller import Caller
from casino.integrations.scopes import Scope
from compliance.exports.dossier.models import Dossier
from payouts.disputes.models import Dispute
from rounds.field_errors import one_of


def visible_dossiers(dispute: Dispute, caller: Caller) -> QuerySet[Dossier]:
    """The dossiers of a dispute for the audiences that the key covers."""
    audiences = [audience for audience in Dossier.Audience if covers_audience(audience, caller)]
    rows = Dossier.objects.filter(dispute=dispute, audience__in=audiences)
    return rows.select_related("signature")


def get_dossier(dispute: Dispute, number: int, caller: Caller) -> Dossier:
    """A dossier of this dispute. Raises Problem (404)."""
    dossier = visible_dossiers(dispute, caller).filter(pk=number).first()
    if dossier is None:
        needed = _("the ID of a dossier of this dispute that the key may access")
        raise Problem(problems.NOT_FOUND, errors=[FieldError("path:dossier", number, needed)])
    return dossier


def covers_audience(audience: Dossier.Audience, caller: Caller) -> bool:
    """Whether the key may read dossiers for this audience; a customer's token only its own."""
    if caller.key.customer is not None:
        return audience is Dossier.Audience.CUSTOMER
    return audience is not Dossier.Audience.REGULATOR or caller.has(Scope.EXPORTS_READ)


def check_audience(audience: Dossier.Audience, caller: Caller) -> None:
    """Raises Problem for an audience that the key does not cover."""
    if covers_audience(audience, caller):
        return
    if caller.key.customer is not None:
        error = FieldError("/audience", audience.value, one_of([Dossier.Audience.CUSTOMER.value]))
        raise Problem(problems.REFUSED, errors=[error])
    found, needed = " ".join(caller.key.scopes), Scope.EXPORTS_READ.value
    error = FieldError("header:Authorization", found, needed)
    raise Problem(problems.SCOPE_MISSING, errors=[error])
