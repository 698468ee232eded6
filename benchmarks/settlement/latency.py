"""Latency from the ingest of an ordinary round to its visible settlement.

Runs a real worker with two processes and a real broker. The time includes parsing, ingest, commit
and the wake-up of the worker, until another connection reads the settlement.
"""

import time
from collections.abc import Iterator
from contextlib import closing
from statistics import median, quantiles
from typing import Any, Final, NamedTuple
from uuid import UUID

import psycopg
from django.utils import timezone
from psycopg import sql

from benchmarks.data.feeds import START
from benchmarks.figures import Figure
from benchmarks.quick import sized
from benchmarks.settlement.celery_workers import celery_workers
from benchmarks.settlement.load import Load, load_of
from benchmarks.workspace import BENCHMARK, TABLES_OF_A_GAME, Workspace
from payouts.settlement.models import Settlement
from rounds.documents import read_documents
from rounds.feed import document_of, document_of_shoe
from rounds.identity import round_id
from rounds.rules.facts import Round
from rounds.services.ingest import ingest_documents
from rounds.simulation.faults.documents import write_line
from rounds.simulation.games import GAMES, table_codes
from rounds.simulation.table import Place, Table
from rounds.simulation.table_feed import table_feed
from rounds.wake_workers import wake_settlement_workers

_WARM_UP: Final = 20
_ROUNDS: Final = sized(200, quick=50)
LOADS: Final = {"light": 1_000, "load": 5_000, "heavy": 10_000}
"""Bets a second of the mix, by the name of the figures."""
_LOAD_SECONDS: Final = 60
_BETS_PER_ROUND: Final = 10
_DAY: Final = 86_400_000
"""Milliseconds; each load is played on a day of its own."""
_POLL_SECONDS: Final = 0.001
_PAUSE_SECONDS: Final = 0.05
"""Between two rounds, so that they do not come in step with the load's."""
_PATIENCE_SECONDS: Final = 60
_IS_SETTLED: Final = sql.SQL("SELECT FROM {} WHERE round_id = %s").format(
    sql.Identifier(Settlement._meta.db_table)
)


class _Line(NamedTuple):
    """A line of the table's feed and, where it is a round, its id."""

    content: bytes
    round_id: UUID | None


def measure_latency(place: Workspace) -> list[Figure]:
    """First on an idle system, then while the mix is being ingested by another process."""
    figures = []
    lines = _table_of_its_own()
    with (
        place.fresh_database() as url,
        celery_workers(folder=place.folder),
        closing(psycopg.connect(url, autocommit=True)) as watcher,
    ):
        _time_rounds(lines, watcher, count=_WARM_UP)
        figures += _figures("latency.idle", _time_rounds(lines, watcher, count=_ROUNDS))
        for day, (name, bets_per_s) in enumerate(LOADS.items()):
            rounds = bets_per_s * _LOAD_SECONDS // _BETS_PER_ROUND
            mix = place.feeds.mix(rounds=rounds, seed=name, start=START + day * _DAY)
            with load_of(mix, bets_per_s=bets_per_s) as load:
                _time_rounds(lines, watcher, count=_WARM_UP, load=load)
                seconds = _time_rounds(lines, watcher, count=_ROUNDS, load=load)
            figures += _figures(f"latency.{name}", seconds)
            meanwhile = "bets a second of the mix meanwhile"
            figures.append(Figure(f"latency.{name}.bets_per_s", load.bets_per_s, meanwhile))
    return figures


def _figures(name: str, seconds: list[float]) -> list[Figure]:
    return [
        Figure(f"{name}.p50_ms", median(seconds) * 1000, "ms from ingest to settled in sight"),
        Figure(f"{name}.p99_ms", quantiles(seconds, n=100)[98] * 1000, "the same, of 99 in 100"),
    ]


def _table_of_its_own() -> Iterator[_Line]:
    """The feed of a blackjack table at which the mix is not played, without end."""
    blackjack = GAMES["blackjack"]
    code = table_codes("blackjack", count=TABLES_OF_A_GAME)[-1]
    place = Place(code, blackjack.first_number + TABLES_OF_A_GAME, blackjack.game)
    table = Table(place=place, seed=code, start=START, bets_per_round=0)
    for handed_over in table_feed(table, seed=code, faults=0):
        event = handed_over.payload
        if isinstance(event, Round):
            yield _Line(write_line(document_of(event)).encode(), _id_of(event))
        elif not isinstance(event, str):
            yield _Line(write_line(document_of_shoe(event)).encode(), None)


def _id_of(dealt: Round) -> UUID:
    return round_id(reference=dealt.round, opened_at=dealt.opened_at)


def _time_rounds(
    lines: Iterator[_Line],
    watcher: psycopg.Connection[Any],
    *,
    count: int,
    load: Load | None = None,
) -> list[float]:
    """Seconds that each of the next rounds took, one at a time."""
    seconds: list[float] = []
    while len(seconds) < count:
        line = next(lines)
        started = time.perf_counter()
        _ingest(line.content)
        if line.round_id is not None:
            _wait_for_settlement(watcher, line.round_id)
            seconds.append(time.perf_counter() - started)
            time.sleep(_PAUSE_SECONDS)
        if load is not None:
            load.require_running()
    return seconds


def _ingest(content: bytes) -> None:
    for batch in read_documents([content]):
        ingest_documents(batch, source="latency", at=timezone.now(), actor=BENCHMARK)
        wake_settlement_workers()


def _wait_for_settlement(watcher: psycopg.Connection[Any], identity: UUID) -> None:
    deadline = time.monotonic() + _PATIENCE_SECONDS
    while not watcher.execute(_IS_SETTLED, [identity]).rowcount:
        if time.monotonic() > deadline:
            raise TimeoutError(f"round {identity} is not settled after {_PATIENCE_SECONDS} seconds")
        time.sleep(_POLL_SECONDS)
