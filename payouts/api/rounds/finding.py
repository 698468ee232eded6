"""Which rounds a key may see, and finding one of them."""

from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import TypeVar
from uuid import UUID

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from payouts.api import problems
from payouts.api.caller import Caller
from payouts.api.problems import FieldError, Problem
from rounds.models import Bet, Customer, Round, RoundName
from rounds.queries import round_of

_Found = TypeVar("_Found")


def found_round(named: str, caller: Caller, customer: Customer | None) -> Round:
    """The round of this id, or that its studio calls so; its table is read with it.

    Raises Problem: what the key may not see is not there.
    """
    row = seen_round(named, caller, customer)
    if row is None:
        raise no_such_round(named)
    return row


def seen_round(named: str, caller: Caller, customer: Customer | None) -> Round | None:
    """The same; None where the key sees none of that name."""
    row = meant(named, round_of)
    return row if row is not None and is_seen(row, caller, customer) else None


def meant(named: str, read: Callable[[UUID], _Found | None]) -> _Found | None:
    """What is read of the round that is named by its id or by its studio, None of no such round."""
    return next((found for one in _ids_meant(named) if (found := read(one)) is not None), None)


def is_seen(row: Round, caller: Caller, customer: Customer | None) -> bool:
    """Whether a key sees this round; a customer's own key, those in which the customer played."""
    if not caller.covers_table(row.table.code):
        return False
    return customer is None or Bet.objects.filter(customer=customer, round_id=row.id).exists()


def no_such_round(named: str) -> Problem:
    """That no round of this name is there for the key."""
    return Problem(problems.NOT_FOUND, errors=[FieldError("path:round", named, round_needed())])


def round_needed() -> str:
    """How a round is named."""
    return _("the id of a round, or what its studio calls it")


def seen_rounds(caller: Caller) -> QuerySet[Round]:
    """The rounds of the key's tables; a customer's own are for the caller to pick."""
    rows = Round.objects.select_related("table")
    return rows.filter(table__code__in=caller.key.tables) if caller.key.tables else rows


def _ids_meant(named: str) -> Iterator[UUID]:
    """Ids that it may be, looked up as they are asked for."""
    with suppress(ValueError):
        yield UUID(named)
    if "\0" not in named:
        yield from RoundName.objects.filter(reference=named).values_list("round_id", flat=True)
