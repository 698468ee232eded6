"""Big tables in stretches of their keys, so that many processes can read one of them at once."""

from collections.abc import Sequence
from typing import Final, NamedTuple
from uuid import UUID

from django.db import connection

from compliance.trail.batches import MOST_RECORDS

# A row weighs what its column says and a little for itself, so that no stretch is too long.
_STARTS: Final = """
    SELECT min(id::text)::uuid
      FROM (SELECT id, (sum({weight} + %(row)s) OVER (ORDER BY id) - {weight} - %(row)s)::bigint
                       / %(most)s AS stretch
              FROM {table} WHERE {within}) AS weighed
     GROUP BY stretch ORDER BY 1
"""
_ROW_WEIGHS: Final = 10
_APART: Final = 60_000 << 80
"""Between ids: a minute."""


class Stretch(NamedTuple):
    """The keys from ``first`` to before ``end``; None where it is open."""

    first: UUID | None = None
    end: UUID | None = None

    def holds(self, column: str) -> str:
        """SQL: whether a column of keys lies in it."""
        least = f"{column} >= '{self.first}'" if self.first is not None else "true"
        return least if self.end is None else f"{least} AND {column} < '{self.end}'"

    def within(self, column: str) -> dict[str, UUID]:
        """For a queryset: that a column of keys lies in it."""
        ends = {f"{column}__gte": self.first, f"{column}__lt": self.end}
        return {name: end for name, end in ends.items() if end is not None}


WHOLE: Final = Stretch()
"""All keys there are."""


def cut(table: str, *, weight: str, most: int, within: Stretch = WHOLE) -> list[Stretch]:
    """Cuts the keys of a table into stretches of about so much weight, without a gap between.

    ``weight`` is the column that says how much there is behind a row: the bets of a round, the
    records of a batch. The first and the last stretch reach as far as ``within``.
    """
    query = _STARTS.format(table=table, weight=weight, within=within.holds("id"))
    with connection.cursor() as cursor:
        cursor.execute(query, {"row": _ROW_WEIGHS, "most": most})
        starts = [start for (start,) in cursor.fetchall()]
    firsts = [within.first, *starts[1:]]
    return [Stretch(*ends) for ends in zip(firsts, [*firsts[1:], within.end], strict=True)]


def around(batches: Sequence[UUID]) -> list[Stretch]:
    """Stretches that hold the records of these batches, ascending, and few others.

    Batches that are written at one time have ids close to each other; one that bears a time of long
    ago gets a stretch for itself.
    """
    stretches: list[Stretch] = []
    for batch in batches:
        end = UUID(int=batch.int + MOST_RECORDS)
        before = stretches[-1].end if stretches else None
        if before is not None and batch.int - before.int < _APART:
            stretches[-1] = Stretch(stretches[-1].first, end)
        else:
            stretches.append(Stretch(batch, end))
    return stretches


def cut_trail(*, most: int, within: Stretch = WHOLE) -> list[Stretch]:
    """Stretches of the trail with about so many records each; no batch lies in two of them."""
    return cut("trail_auditbatch", weight="record_count", most=most, within=within)
