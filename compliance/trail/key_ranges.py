"""Ranges of keys of big tables, so that several processes can read one table in parallel."""

from collections.abc import Sequence
from typing import Final, NamedTuple
from uuid import UUID

from django.db import DEFAULT_DB_ALIAS, connections

from compliance.storage.partitions import Month
from compliance.trail.batches import MOST_RECORDS

# A row weighs the value of its weight column and a constant, so that no range has too many rows.
_STARTS: Final = """
    SELECT min(id::text)::uuid
      FROM (SELECT id, (sum({weight} + %(row)s) OVER (ORDER BY id) - {weight} - %(row)s)::bigint
                       / %(most)s AS bucket
              FROM {table} WHERE {within}) AS weighed
     GROUP BY bucket ORDER BY 1
"""
_ROW_WEIGHS: Final = 10
_APART: Final = 60_000 << 80
"""The distance of ids that are a minute apart."""


class KeyRange(NamedTuple):
    """The keys from ``first`` to before ``end``; None where the range is unbounded."""

    first: UUID | None = None
    end: UUID | None = None

    def holds(self, column: str) -> str:
        """The SQL condition that a column of keys is in the range."""
        least = f"{column} >= '{self.first}'" if self.first is not None else "true"
        return least if self.end is None else f"{least} AND {column} < '{self.end}'"

    def within(self, column: str) -> dict[str, UUID]:
        """The arguments of ``filter`` for a column of keys in the range."""
        ends = {f"{column}__gte": self.first, f"{column}__lt": self.end}
        return {name: end for name, end in ends.items() if end is not None}


ALL_KEYS: Final = KeyRange()
"""The range of all keys."""


def range_of(key: UUID) -> KeyRange:
    """The range of this key alone. It is not the largest possible key."""
    return KeyRange(key, UUID(int=key.int + 1))


def month_keys(month: Month) -> KeyRange:
    """The version 7 UUIDs of a month."""
    return KeyRange(month.first_key, month.plus(1).first_key)


def key_ranges(
    table: str,
    *,
    weight: str,
    most: int,
    within: KeyRange = ALL_KEYS,
    using: str = DEFAULT_DB_ALIAS,
) -> list[KeyRange]:
    """Ranges of the keys of a table with about ``most`` weight each, without gaps.

    ``weight`` is a column with the size of a row: the bets of a round, the records of a batch. The
    first and the last range end where ``within`` does. ``using`` is the alias to read from.
    """
    query = _STARTS.format(table=table, weight=weight, within=within.holds("id"))
    with connections[using].cursor() as cursor:
        cursor.execute(query, {"row": _ROW_WEIGHS, "most": most})
        starts = [start for (start,) in cursor.fetchall()]
    firsts = [within.first, *starts[1:]]
    return [KeyRange(*ends) for ends in zip(firsts, [*firsts[1:], within.end], strict=True)]


def ranges_around(batches: Sequence[UUID]) -> list[KeyRange]:
    """Ranges that contain the records of these ascending batches, and few others.

    Batches that are written at one time have close ids; one with a much earlier time gets a range
    of its own.
    """
    ranges: list[KeyRange] = []
    for batch in batches:
        end = UUID(int=batch.int + MOST_RECORDS)
        before = ranges[-1].end if ranges else None
        if before is not None and batch.int - before.int < _APART:
            ranges[-1] = KeyRange(ranges[-1].first, end)
        else:
            ranges.append(KeyRange(batch, end))
    return ranges


def trail_ranges(
    *, most: int, within: KeyRange = ALL_KEYS, using: str = DEFAULT_DB_ALIAS
) -> list[KeyRange]:
    """Ranges of the trail with about ``most`` records each; no batch is in two of them."""
    return key_ranges(
        "trail_auditbatch", weight="record_count", most=most, within=within, using=using
    )
