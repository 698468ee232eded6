"""Selecting the rounds of a case: by table and period, or by reference."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

from rounds.models import Round, RoundName, Table
from rounds.search import opened_before, opened_from

MOST_ROUNDS: Final = 5_000
"""The most rounds of a case, so that each of them can be reviewed."""

_LONGEST_ROUND: Final = timedelta(hours=12)
_MOMENT: Final = timedelta(milliseconds=1)


class UnknownRounds(Exception):
    """References of no stored round."""

    def __init__(self, references: Iterable[str]) -> None:
        self.references = tuple(references)
        super().__init__(f"found {', '.join(self.references)}; needed ids of stored rounds")


class TooManyRounds(Exception):
    """More rounds than a case may have."""

    def __init__(self) -> None:
        super().__init__(f"found more; needed at most {MOST_ROUNDS} rounds")


def rounds_in_window(table: Table, *, first: datetime, last: datetime) -> list[UUID]:
    """Rounds of the table that were in play at any time from ``first`` to ``last``, inclusive.

    A malfunction concerns every round that was in play when it occurred. Raises TooManyRounds.
    """
    rounds = Round.objects.filter(table=table, ended_at__gte=first, opened_at__lte=last)
    near = opened_from(first - _LONGEST_ROUND, among=rounds)
    matching = opened_before(last + _MOMENT, among=near).order_by("id")
    return _limited(matching.values_list("id", flat=True)[: MOST_ROUNDS + 1])


def rounds_named(references: Iterable[str]) -> list[UUID]:
    """The rounds with these references, in the order of play.

    Raises UnknownRounds or TooManyRounds.
    """
    unique = list(dict.fromkeys(references))
    known = dict(
        RoundName.objects.filter(reference__in=unique).values_list("reference", "round_id")
    )
    unknown = [reference for reference in unique if reference not in known]
    if unknown:
        raise UnknownRounds(unknown)
    return _limited(sorted(known.values()))


def _limited(round_ids: Iterable[UUID]) -> list[UUID]:
    ids = list(round_ids)
    if len(ids) > MOST_ROUNDS:
        raise TooManyRounds
    return ids
