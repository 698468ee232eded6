"""Speed of the archive: a month written to Parquet, verified, and judged again by processes."""

import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from datetime import UTC, date, datetime, timedelta
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Final
from unittest.mock import patch

import django
from django.utils import timezone

from benchmarks.figures import Figure
from benchmarks.quick import sized
from benchmarks.settlement.settlement_rate import ingest_file
from benchmarks.settlement.sweeper import sweep_with
from benchmarks.workspace import BENCHMARK, Workspace

if TYPE_CHECKING:
    from compliance.archive.archive_list import ArchiveList
    from compliance.exports.bundle.signing import SigningKey
    from compliance.storage.partitions import Month

_ROUNDS: Final = sized(12_000, quick=2_000)
_PROCESSES: Final = (1, 2, 4, 8)
_SLICES: Final = 8
"""So many parts, that all processes end at about the same time."""
_AT_ONCE: Final = 1_000


def measure_archive(place: Workspace) -> list[Figure]:
    """The mix of all games, settled, in one month; beside judging the same rounds once."""
    with place.fresh_database(), TemporaryDirectory() as folder:
        ingest_file(place.feeds.mix(rounds=_ROUNDS))
        sweep_with(processes=1)
        return list(_figures(Path(folder)))


def _figures(folder: Path) -> Iterator[Figure]:
    from compliance.archive.recorded_archives import require_archive
    from compliance.archive.verify_archive import verify_archive
    from compliance.archive.verify_sums import verify_sums
    from compliance.exports.bundle.signing import make_signing_key
    from rounds.models import Bet, Round

    month, bets, rounds = _close_month(), Bet.objects.count(), Round.objects.count()
    key = make_signing_key(folder / "export.key", name="benchmark", at=timezone.now())
    started = time.perf_counter()
    weight = (bets + 10 * rounds) // _SLICES
    with patch("compliance.archive.archived_tables._WEIGHT_OF_ROUNDS", weight):
        archive = _write(month, folder, key)
    seconds = time.perf_counter() - started
    rows = sum([table.rows for table in archive.tables])
    size = sum([file.bytes for file in archive.files])
    yield Figure("archive.write_rows_per_s", rows / seconds, f"rows a second, {rows:,} rows")
    yield Figure("archive.bytes_per_bet", size / bets, f"bytes a bet, all tables, {bets:,} bets")
    recorded, started = require_archive(month), time.perf_counter()
    verify_archive(recorded.folder(folder), recorded, {key.key_id})
    verified = time.perf_counter() - started
    yield Figure("archive.verify_mb_per_s", size / verified / 1e6, f"MB a second, {size:,} bytes")
    started = time.perf_counter()
    verify_sums(recorded.folder(folder), archive)
    yield Figure(
        "archive.sums_bets_per_s", bets / (time.perf_counter() - started), "bets a second added up"
    )
    restored, seconds = _restore(month, folder, {key.key_id})
    yield Figure(
        "archive.restore_rows_per_s", restored / seconds, f"rows a second, {restored:,} rows"
    )
    limit = rounds / _judge_once()
    yield Figure("archive.limit.rounds_per_s", limit, "read from the database, judged, 1 process")
    alone = 0.0
    for processes in _PROCESSES:
        rate = rounds / _rejudge(month, folder, {key.key_id}, processes)
        alone = alone or rate
        unit = f"rounds a second, {rounds:,} rounds, {bets:,} bets"
        yield Figure(f"archive.rejudge.{processes}.rounds_per_s", rate, unit)
        if processes > 1:
            yield Figure(f"archive.rejudge.{processes}.speed_up", rate / alone, "of one process")
    yield Figure("archive.rejudge.ratio_limit", alone / limit, "of reading and judging once")


def _close_month() -> "Month":
    """Closes every day until the one after the month of the rounds; returns the month."""
    from benchmarks.compliance.audit_log import append_all
    from compliance.storage.partitions import Month
    from rounds.models import Round
    from tests.compliance.retention.closed_days import closed

    opened = Round.objects.earliest("id").opened_at
    month = Month(opened.year, opened.month)
    closed(date(*month.plus(1), 1))
    append_all()
    return month


def _write(month: "Month", folder: Path, key: "SigningKey") -> "ArchiveList":
    from compliance.archive.write_archive import write_archive

    later = datetime(*month.plus(1), 1, tzinfo=UTC) + timedelta(days=2)
    return write_archive(
        month,
        folder=folder,
        key=key,
        database="default",
        operator="",
        at=later,
        actor=BENCHMARK,
    ).archive


def _restore(month: "Month", folder: Path, keys: set[str]) -> tuple[int, float]:
    """The rows and the seconds of restoring the tables of rounds, which are dropped before."""
    from django.db import connection

    from compliance.archive.moved_months.months_apart import round_tables
    from compliance.archive.moved_months.restore_month import restore_month
    from compliance.archive.recorded_archives import require_archive
    from compliance.storage.month_tables import detach_parts, part_name

    tables = [table.name for table in round_tables()]
    detach_parts(tables, month)
    with connection.cursor() as cursor:
        for table in tables:
            cursor.execute(f"DROP TABLE {part_name(table, month)}")
    started = time.perf_counter()
    restored = restore_month(
        month,
        require_archive(month),
        folder=folder,
        keys=keys,
        at=timezone.now(),
        actor=BENCHMARK,
    )
    return restored.rows, time.perf_counter() - started


def _judge_once() -> float:
    """The limit: the stored rounds read and judged by the rules, and nothing compared."""
    from rounds.models import Round
    from rounds.rule_inputs import rounds_to_judge
    from rounds.services.validate import judge_round

    ids = list(Round.objects.order_by("id").values_list("id", flat=True))
    started = time.perf_counter()
    for first in range(0, len(ids), _AT_ONCE):
        for stored in rounds_to_judge(ids[first : first + _AT_ONCE]):
            judge_round(stored)
    return time.perf_counter() - started


def _rejudge(month: "Month", folder: Path, keys: set[str], processes: int) -> float:
    """The seconds of a run by so many processes, which are started before."""
    from compliance.archive.rejudge import begin_rejudging, figures_of, finish_rejudging

    with ProcessPoolExecutor(
        processes, mp_context=get_context("spawn"), initializer=django.setup
    ) as pool:
        list(pool.map(_is_ready, range(processes)))
        started = time.perf_counter()
        run = begin_rejudging(
            month, month, folder=folder, keys=keys, at=timezone.now(), actor=BENCHMARK
        )
        list(pool.map(_work, [(run.pk, folder, keys)] * processes))
        if not finish_rejudging(run.pk, now=timezone.now) or figures_of(run)["differences"]:
            raise RuntimeError(f"the run is not finished, or differs: {figures_of(run)}")
        return time.perf_counter() - started


def _is_ready(_number: int) -> None:
    """Loads what a part needs, and waits for another process to start."""
    import compliance.archive.rejudge  # noqa: F401  loads DuckDB
    from compliance.archive.models import RejudgeRun

    RejudgeRun.objects.exists()
    time.sleep(1)


def _work(given: tuple[int, Path, set[str]]) -> None:
    from compliance.archive.models import RejudgeRun
    from compliance.archive.rejudge import work_on_part

    run_id, folder, keys = given
    run = RejudgeRun.objects.get(pk=run_id)
    while work_on_part(run, folder=folder, keys=keys, now=timezone.now):
        pass
