"""Which rounds a key may see, and finding one of them."""

from uuid import UUID

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from payouts.api import problems
from payouts.api.caller import Caller
from payouts.api.problems import FieldError, Problem
from rounds.models import Bet, Customer, Round
from rounds.queries import round_named, round_of


def found_round(named: str, caller: Caller, customer: Customer | None) -> Round:
    """The round of this id, or that its studio calls so; its table is read with it.

    Raises Problem: what the key may not see is not there.
    """
    row = seen_round(named, caller, customer)
    if row is None:
        error = FieldError("path:round", named, round_needed())
        raise Problem(problems.NOT_FOUND, errors=[error])
    return row


def seen_round(named: str, caller: Caller, customer: Customer | None) -> Round | None:
    """The same; None where the key sees none of that name."""
    row = _by_id(named) or (round_named(named) if _can_be_name(named) else None)
    return row if row is not None and _is_seen(row, caller, customer) else None


def round_needed() -> str:
    """How a round is named."""
    return _("the id of a round, or what its studio calls it")


def seen_rounds(caller: Caller) -> QuerySet[Round]:
    """The rounds of the key's tables; a customer's own are for the caller to pick."""
    rows = Round.objects.select_related("table")
    return rows.filter(table__code__in=caller.key.tables) if caller.key.tables else rows


def _by_id(named: str) -> Round | None:
    try:
        identity = UUID(named)
    except ValueError:
        return None
    return round_of(identity)


def _can_be_name(named: str) -> bool:
    return "\0" not in named


def _is_seen(row: Round, caller: Caller, customer: Customer | None) -> bool:
    if not caller.covers_table(row.table.code):
        return False
    return customer is None or Bet.objects.filter(customer=customer, round_id=row.id).exists()
