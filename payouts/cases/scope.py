"""Which rounds a case is about: those of a table in a window of time, or some that are named."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

from rounds.models import Round, RoundName, Table
from rounds.search import opened_before, opened_from

MOST_ROUNDS: Final = 5_000
"""So many rounds has a case at most, so that every one of them can be looked through."""

_LONGEST_ROUND: Final = timedelta(hours=12)
_MOMENT: Final = timedelta(milliseconds=1)


class UnknownRounds(Exception):
    """References that name no stored round."""

    def __init__(self, references: Iterable[str]) -> None:
        self.references = tuple(references)
        super().__init__(f"found {', '.join(self.references)}; needed ids of stored rounds")


class TooManyRounds(Exception):
    """More rounds than a case may have."""

    def __init__(self) -> None:
        super().__init__(f"found more; needed at most {MOST_ROUNDS} rounds")


def rounds_in_window(table: Table, *, first: datetime, last: datetime) -> list[UUID]:
    """Rounds of the table that were open at any time from ``first`` to ``last``, both included.

    A round counts when it opened by the last moment and ended no sooner than the first: what broke
    while a round was under way concerns that round. Raises TooManyRounds.
    """
    rounds = Round.objects.filter(table=table, ended_at__gte=first, opened_at__lte=last)
    near = opened_from(first - _LONGEST_ROUND, among=rounds)
    found = opened_before(last + _MOMENT, among=near).order_by("id")
    return _few(found.values_list("id", flat=True)[: MOST_ROUNDS + 1])


def rounds_named(references: Iterable[str]) -> list[UUID]:
    """The rounds that the studio calls so, in the order in which they were played.

    Raises UnknownRounds or TooManyRounds.
    """
    asked = list(dict.fromkeys(references))
    known = dict(RoundName.objects.filter(reference__in=asked).values_list("reference", "round_id"))
    unknown = [one for one in asked if one not in known]
    if unknown:
        raise UnknownRounds(unknown)
    return _few(sorted(known.values()))


def _few(found: Iterable[UUID]) -> list[UUID]:
    ids = list(found)
    if len(ids) > MOST_ROUNDS:
        raise TooManyRounds
    return ids
