"""What an installation needs: disk and write-ahead log for each bet, memory of each process.

A Celery worker settles the mix of all games and the log is signed; then the tables are vacuumed and
weighed. Bytes depend on the rounds and not on the machine.
"""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import psycopg
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from django.urls import reverse
from django.utils import timezone

from benchmarks.figures import Figure
from benchmarks.settlement.celery_workers import celery_workers
from benchmarks.settlement.settlement_rate import ingest_file
from benchmarks.web.list_pages import VIEWER
from benchmarks.web.web_process import Browser, web_process
from benchmarks.workspace import Workspace
from casino.devserver.demo import make_people
from casino.embedded.process import wait_until
from compliance.trail.log.append_to_log import append_to_log
from rounds.models import QueuedRound

_ROUNDS: Final = 20_000
_KEY: Final = Ed25519PrivateKey.generate()
_PATIENCE_SECONDS: Final = 600
_VISITS: Final = 20
_KILOBYTES: Final = 1024
_POSITION: Final = "SELECT pg_current_wal_insert_lsn() - '0/0'"
_SIZES: Final = """
    SELECT CASE WHEN name LIKE 'trail%' THEN 'audit' WHEN name ~ '^payouts_(transfer|account|day)'
                THEN 'ledger' WHEN name LIKE 'rounds%' THEN 'facts' ELSE 'results' END AS part,
           sum(pg_table_size(oid)), sum(pg_indexes_size(oid))
      FROM (SELECT oid, relname AS name FROM pg_class
             WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace) tables
     GROUP BY part ORDER BY part
"""
_DEAD: Final = "SELECT sum(n_dead_tup), sum(autovacuum_count) FROM pg_stat_user_tables"


def measure_capacity(place: Workspace) -> list[Figure]:
    """Bytes for each bet, and memory of processes that have worked."""
    feed = place.feeds.mix(rounds=_ROUNDS)
    with place.fresh_database() as url, psycopg.connect(url, autocommit=True) as asking:
        empty = {part: data + indexes for part, data, indexes in asking.execute(_SIZES)}
        [[before]] = asking.execute(_POSITION).fetchall()
        with celery_workers(folder=place.folder):
            bets = ingest_file(feed)
            if not wait_until(lambda: not QueuedRound.objects.exists(), seconds=_PATIENCE_SECONDS):
                raise TimeoutError(f"rounds wait after {_PATIENCE_SECONDS} seconds")
            memory = [*_memory("worker", b"worker"), *_memory("beat", b"beat")]
        while append_to_log(_KEY, now=timezone.now()):
            pass
        [[after]] = asking.execute(_POSITION).fetchall()
        figures = [*_disk(asking, bets, empty), *_web(place, memory)]
    wal = Figure("capacity.wal_bytes_per_bet", float(after - before) / bets, "bytes of WAL a bet")
    return [Figure("capacity.bets", bets, "bets ingested and settled"), wal, *figures]


def _disk(asking: psycopg.Connection[Any], bets: int, empty: dict[str, float]) -> Iterator[Figure]:
    [[dead, vacuums]] = asking.execute(_DEAD).fetchall()
    yield Figure("capacity.dead_rows_per_bet", float(dead) / bets, "rows for autovacuum, a bet")
    yield Figure("capacity.autovacuums", float(vacuums), "of all tables while it was settled")
    asking.execute("VACUUM FULL ANALYZE")
    total = 0.0
    for part, data, indexes in asking.execute(_SIZES).fetchall():
        size = float(data + indexes - empty[part]) / bets
        total += size
        yield Figure(f"capacity.{part}_bytes_per_bet", size, "bytes on disk a bet, with indexes")
        yield Figure(
            f"capacity.{part}_index_percent", 100 * float(indexes / (data + indexes)), "of it"
        )
    yield Figure("capacity.bytes_per_bet", total, "bytes on disk a bet, all tables and indexes")


def _web(place: Workspace, memory: list[Figure]) -> Iterator[Figure]:
    yield from memory
    make_people(passwords_file=Path(place.folder) / "passwords.json")
    pages = [reverse("admin:index"), reverse("admin:rounds_round_changelist")]
    with web_process(place.folder, processes=2, threads=2) as port:
        browser = Browser(port, VIEWER)
        for _ in range(_VISITS):
            for page in pages:
                browser.ask(page)
        yield from _memory("web", b"gunicorn")


def _memory(name: str, word: bytes) -> Iterator[Figure]:
    """The proportional memory of our processes whose command has this word."""
    sizes = sorted(_proportional_sizes(word), reverse=True)
    yield Figure(f"capacity.{name}_mb", sum(sizes), f"MB, all {len(sizes)} processes")
    yield Figure(f"capacity.{name}_process_mb", sizes[0], "MB, the largest of them")


def _proportional_sizes(word: bytes) -> Iterator[float]:
    own = f"DATABASE_URL={os.environ['DATABASE_URL']}".encode()
    for process in Path("/proc").glob("[0-9]*"):
        try:
            command = (process / "cmdline").read_bytes().split(b"\0")
            if word in command and own in (process / "environ").read_bytes().split(b"\0"):
                rollup = (process / "smaps_rollup").read_text()
                yield int(rollup.split("Pss:")[1].split()[0]) / _KILOBYTES
        except (FileNotFoundError, ProcessLookupError, PermissionError):
            continue
