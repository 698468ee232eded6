"""The limit: COPY of the very same result rows into the same tables of the same database.

The tables have all keys, indexes, checks and triggers. Unlike settlement, COPY does not read bets,
judge rounds, update balances and daily totals, or dequeue rounds.
"""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from time import perf_counter
from typing import Any, Final

import psycopg
from django.db import connection

from benchmarks.processor_time import Spent, processor_seconds

_SHARES: Final = """
    DROP TABLE IF EXISTS share;
    CREATE TEMP TABLE share AS
    SELECT id, 'round:' || reference AS subject,
           (row_number() OVER (ORDER BY arrival) - 1) %% %s AS number
      FROM rounds_round
"""
_BY_ROUND: Final = (
    "SELECT row.* FROM {0} AS row JOIN share ON share.id = row.{1} WHERE number = {2}"
)
_QUERIES: Final = {
    "rounds_validation": _BY_ROUND.format("rounds_validation", "round_id", "{}"),
    "payouts_betsettlement": _BY_ROUND.format("payouts_betsettlement", "round_id", "{}"),
    "payouts_transfer": _BY_ROUND.format("payouts_transfer", "origin", "{}"),
    "trail_auditrecord": "SELECT row.* FROM trail_auditrecord AS row JOIN share USING (subject)"
    " WHERE number = {} AND action IN ('ROUND_SETTLED', 'ROUND_HELD')",
    "payouts_settlement": _BY_ROUND.format("payouts_settlement", "round_id", "{}"),
}
"""In the order in which a settlement writes them; the batches of records are too few to count."""

_PORTION: Final = 1 << 17

Rows = list[tuple[str, bytes]]
"""Tables, each with lines as COPY writes them."""


def read_results(*, shares: int) -> list[Rows]:
    """What the settlements in the database of Django's connection wrote, dealt out by rounds."""
    with connection.cursor() as cursor:
        cursor.execute(_SHARES, [shares])
        return [
            [(table, _lines(cursor, query.format(share))) for table, query in _QUERIES.items()]
            for share in range(shares)
        ]


def _lines(cursor: Any, query: str) -> bytes:
    with cursor.cursor.copy(f"COPY ({query}) TO STDOUT") as copy:
        return b"".join(copy)


def copy_results(shares: Sequence[Rows], *, url: str) -> Spent:
    """Nothing but COPY of these rows, a connection and a transaction for each share."""
    barrier = Barrier(len(shares))

    def copy_share(rows: Rows) -> tuple[float, float, float]:
        with psycopg.connect(url) as client:
            client.execute("SELECT 1")
            backend = processor_seconds(client.info.backend_pid)
            barrier.wait()
            started = perf_counter()
            for table, lines in rows:
                with client.cursor().copy(f"COPY {table} FROM STDIN") as copy:
                    for first in range(0, len(lines), _PORTION):
                        copy.write(lines[first : first + _PORTION])
            client.commit()
            ended = perf_counter()
            return started, ended, processor_seconds(client.info.backend_pid) - backend

    with ThreadPoolExecutor(len(shares)) as clients:
        times = list(clients.map(copy_share, shares))
    wall = max(ended for _, ended, _ in times) - min(started for started, _, _ in times)
    return Spent(wall, 0.0, sum(backend for *_, backend in times))
