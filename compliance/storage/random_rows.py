"""A row of a table, drawn at random.

A block of the table's files is drawn by the randomness of the operating system, and a row of it:
nothing that is stored or set (ids, sequences, statistics, seeds, earlier draws) has a say. Each
block is as likely as another, whichever month it belongs to.
"""

from secrets import choice, randbelow
from typing import Any, Final

from django.db import connection
from django.db.models import Model

_MOST_EMPTY: Final = 100
"""The most blocks without a row, as rolled back insertions leave them, that a draw passes over."""
_BLOCKS: Final = """
    SELECT part::oid::bigint, pg_relation_size(part) / current_setting('block_size')::bigint
      FROM (SELECT to_regclass(%(table)s)
             UNION SELECT relid FROM pg_partition_tree(to_regclass(%(table)s))) AS file (part)
"""
_ROWS: Final = """
    SELECT "{key}" FROM "{table}"
     WHERE tableoid = %s AND ctid >= %s::tid AND ctid < %s::tid
"""


def random_key(model: type[Model], key: str) -> Any:
    """The value of the column ``key`` of a random row, None of an empty table."""
    table = model._meta.db_table
    with connection.cursor() as cursor:
        cursor.execute(_BLOCKS, {"table": f"public.{table}"})
        parts = [(part, blocks) for part, blocks in cursor.fetchall() if blocks]
        for _attempt in range(_MOST_EMPTY if parts else 0):
            part, block = _drawn_block(parts)
            ends = [f"({number},0)" for number in (block, block + 1)]
            cursor.execute(_ROWS.format(key=key, table=table), [part, *ends])
            if rows := cursor.fetchall():
                return choice(rows)[0]
    return None


def _drawn_block(parts: list[tuple[int, int]]) -> tuple[int, int]:
    """A table file and a block of it, each block of all files as likely as another."""
    place = randbelow(sum(blocks for _part, blocks in parts))
    for part, blocks in parts:
        if place < blocks:
            return part, place
        place -= blocks
    raise AssertionError("the place is one of the blocks")
