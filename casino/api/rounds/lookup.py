"""The rounds that a key may read."""

from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import TypeVar
from uuid import UUID

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import F, QuerySet
from django.utils.translation import gettext as _

from casino.api import problems
from casino.api.problems import FieldError, Problem
from casino.api.rounds.archived import archived_problem
from casino.integrations.caller import Caller
from rounds.models import Bet, Customer, Round, RoundName
from rounds.queries import round_of
from rounds.search import EqualsAny

_Row = TypeVar("_Row")


def get_round(name: str, caller: Caller, customer: Customer | None) -> Round:
    """The round with this id or studio reference, with its table.

    Raises Problem: 404 also if the key may not read it, 409 if its month is archived.
    """
    row = visible_round(name, caller, customer)
    if row is None:
        raise missing_round(name, caller, customer)
    return row


def visible_round(name: str, caller: Caller, customer: Customer | None) -> Round | None:
    """The same; None if there is no such round or the key may not read it."""
    row = read_by_name(name, round_of)
    return row if row is not None and is_visible(row, caller, customer) else None


def read_by_name(name: str, read: Callable[[UUID], _Row | None]) -> _Row | None:
    """What ``read`` returns for the round with this id or studio reference; None without one."""
    rows = (read(round_id) for round_id in _candidate_ids(name))
    return next((row for row in rows if row is not None), None)


def is_visible(row: Round, caller: Caller, customer: Customer | None) -> bool:
    """Whether a key may read a round: one of its tables and, with a customer, of his bets."""
    if not caller.covers_table(row.table.code):
        return False
    return customer is None or Bet.objects.filter(customer=customer, round_id=row.id).exists()


def missing_round(name: str, caller: Caller, customer: Customer | None) -> Problem:
    """Why the key reads no round of this name: it is archived (409), or there is none (404)."""
    field = "path:round"
    archived = archived_round(name, caller, customer, field=field)
    return archived or Problem(
        problems.NOT_FOUND, errors=[FieldError(field, name, round_name_hint())]
    )


def archived_round(
    name: str, caller: Caller, customer: Customer | None, *, field: str
) -> Problem | None:
    """The problem of a round that an archive has and the database lacks; None for any other.

    As one that does not exist, it is not named to a key that could not read it.
    """
    ids = list(_candidate_ids(name))
    if Round.objects.filter(id__in=ids).exists():
        return None
    archived = (archived_problem(it, name, caller, customer, field=field) for it in ids)
    return next((problem for problem in archived if problem is not None), None)


def round_name_hint() -> str:
    """The accepted names of a round, for error messages."""
    return _("the ID of a round, as assigned by Sabot or by the studio")


def visible_rounds(caller: Caller) -> QuerySet[Round]:
    """The rounds of the key's tables; the caller restricts them to one customer."""
    rows = Round.objects.select_related("table")
    return rows.filter(table__code__in=caller.key.tables) if caller.key.tables else rows


def rounds_with(bets: QuerySet[Bet], *, among: QuerySet[Round]) -> QuerySet[Round]:
    """The rounds with one of these bets, by the index of a customer's bets."""
    ids = bets.values("round_id").distinct()
    return among.filter(EqualsAny(F("id"), ArraySubquery(ids)))


def _candidate_ids(name: str) -> Iterator[UUID]:
    """The ids that a name can mean, looked up lazily."""
    with suppress(ValueError):
        yield UUID(name)
    if "\0" not in name:
        yield from RoundName.objects.filter(reference=name).values_list("round_id", flat=True)
