"""From the feed to money on a durable PostgreSQL, beside COPY of the very same result rows."""

from typing import Any, Final

from django.db import connection, transaction
from django.utils import timezone

from benchmarks.figures import Figure, time_once
from compliance.trail.actor import WORKER, Actor
from payouts.services.sweep import sweep_waiting_rounds
from rounds.documents import read_documents
from rounds.services.ingest import ingest_documents

_RESULTS: Final = (
    "rounds_validation",
    "payouts_settlement",
    "payouts_betsettlement",
    "payouts_transfer",
    "trail_auditrecord",
)


def measure_pipeline(feed: list[bytes]) -> list[Figure]:
    """Ingests and settles a feed in a fresh database, then copies what that wrote once more."""
    ingested = time_once(lambda: _ingest(feed))
    [[bets]] = _query("SELECT count(*) FROM rounds_bet")
    settled = time_once(
        lambda: sweep_waiting_rounds(now=timezone.now, actor=WORKER, batches=1_000_000)
    )
    blocks = _read_results()
    copied = time_once(lambda: _copy_results(blocks))
    return [
        Figure("ingest.bets_per_s", bets / ingested.wall, "bets a second"),
        Figure("settle.bets_per_s", bets / settled.wall, "bets a second"),
        Figure("settle.cpu_share", settled.cpu / settled.wall, "of the time in Python"),
        Figure("copy.bets_per_s", bets / copied.wall, "bets a second: the limit"),
        Figure("settle.ratio_copy", copied.wall / settled.wall, "of the limit"),
    ]


def _ingest(feed: list[bytes]) -> None:
    for batch in read_documents(feed):
        ingest_documents(batch, source="benchmark", at=timezone.now(), actor=Actor("benchmark"))


def _read_results() -> dict[str, list[bytes]]:
    """The settlement's rows as COPY writes them, and empty tables with the same keys for them."""
    with connection.cursor() as cursor:
        blocks = {}
        for table in _RESULTS:
            cursor.execute(f"CREATE TABLE limit_{table} (LIKE {table} INCLUDING ALL)")
            with cursor.cursor.copy(f"COPY {table} TO STDOUT") as copy:
                blocks[table] = [bytes(block) for block in copy]
    return blocks


def _copy_results(blocks: dict[str, list[bytes]]) -> None:
    """Nothing but COPY of these rows, in one transaction."""
    with transaction.atomic(), connection.cursor() as cursor:
        for table in _RESULTS:
            with cursor.cursor.copy(f"COPY limit_{table} FROM STDIN") as copy:
                for block in blocks[table]:
                    copy.write(block)


def _query(text: str) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(text)
        rows: list[tuple[Any, ...]] = cursor.fetchall()
    return rows
