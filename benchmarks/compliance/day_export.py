"""Export of a million bets of one day, compared with psql COPY and with XlsxWriter.

Sabot runs the complete export: control totals, compressed register, digest, manifest, signature and
seal. psql writes the plain rows to a file. Workbooks are compared on the bets of one game, because
XlsxWriter takes minutes for all.
"""

import os
import re
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from datetime import date, timedelta
from pathlib import Path
from statistics import median
from time import perf_counter, sleep
from typing import Final
from zoneinfo import ZoneInfo

import psycopg
from django.db import connection
from django.utils import timezone

from benchmarks.compliance.register_export import (
    bundle_of,
    query_text,
    workbook_of,
    xlsxwriter_book,
)
from benchmarks.data.feeds import START
from benchmarks.data.stored_months import Stored
from benchmarks.figures import Figure
from benchmarks.processor_time import processor_seconds
from benchmarks.quick import sized
from benchmarks.settlement.settlement_rate import ingest_file
from benchmarks.settlement.sweeper import sweep_with
from benchmarks.workspace import Workspace
from casino.embedded.programs import find_postgres
from casino.embedded.server_paths import CLONE
from compliance.exports.bundle.signing import make_signing_key
from compliance.exports.encoders.csv_lines import csv_line
from compliance.exports.encoders.json_lines import json_line
from compliance.exports.registers.bets import BETS
from compliance.exports.scope import Scope, one_day
from rounds.row_mapping import datetime_of

_BETS: Final = sized(1_000_000, quick=100_000)
_ROUNDS: Final = sized(8_000, quick=2_000)
_SPAN: Final = timedelta(minutes=50)
"""Copies of the rounds begin so much earlier: all of them stay on one day in Rome."""
_RUNS: Final = sized(3, quick=1)
_ONE_GAME: Final = "baccarat"
_KILOBYTES: Final = 1024
_POLL_SECONDS: Final = 0.05


def measure_export(place: Workspace) -> list[Figure]:
    """Fills a day, then exports it."""
    with place.fresh_database() as url:
        ingest_file(place.feeds.mix(rounds=_ROUNDS))
        sweep_with(processes=1)
        stored = Stored(span=_SPAN)
        stored.fill(bets=_BETS)
        connection.close()
        day = datetime_of(START).astimezone(ZoneInfo("Europe/Rome")).date()
        return [*_against_psql(place, url, day), *_workbooks(place, day), *_whole(place, day)]


def _against_psql(place: Workspace, url: str, day: date) -> list[Figure]:
    folder = place.folder
    key = make_signing_key(folder / "bench.key", name="benchmark", at=timezone.now())
    copying = f"\\copy ({query_text(BETS, one_day(day))}) TO '{folder / 'psql.csv'}' CSV"
    psql = [str(find_postgres()["psql"]), "-qX", "-v", "ON_ERROR_STOP=1", "-c", copying, url]
    sides: dict[str, Callable[[], object]] = {
        "psql": lambda: subprocess.run(psql, check=True),
        "csv": lambda: bundle_of(BETS, csv_line, one_day(day), folder / "csv.zip", key),
        "jsonl": lambda: bundle_of(BETS, json_line, one_day(day), folder / "jsonl.zip", key),
    }
    seconds: dict[str, list[float]] = {name: [] for name in sides}
    for _ in range(_RUNS):
        for name, side in sides.items():
            seconds[name].append(_timed(side))
    medians = {name: median(times) for name, times in seconds.items()}
    rows = _rows(url, one_day(day))
    return [
        Figure("export.bets", rows, "bets of one day"),
        *(
            Figure(f"export.{name}.seconds", seconds, "seconds")
            for name, seconds in medians.items()
        ),
        Figure("export.csv.ratio_psql", medians["csv"] / medians["psql"], "times psql's \\copy"),
        Figure(
            "export.jsonl.ratio_psql", medians["jsonl"] / medians["psql"], "times psql's \\copy"
        ),
    ]


def _rows(url: str, of: Scope) -> int:
    with psycopg.connect(url) as client:
        query = f"SELECT count(*) FROM ({query_text(BETS, of)}) AS line"
        [(rows,)] = client.execute(query.encode()).fetchall()
    return int(rows)


def _workbooks(place: Workspace, day: date) -> list[Figure]:
    of, folder = one_day(day, _ONE_GAME), place.folder
    own = median(_timed(lambda: workbook_of(BETS, of, folder / "own.xlsx")) for _ in range(_RUNS))
    peer = _timed(lambda: xlsxwriter_book(BETS, of, folder / "peer.xlsx"))
    return [
        Figure("export.xlsx.seconds", own, f"seconds, the bets of {_ONE_GAME}"),
        Figure("export.xlsx.xlsxwriter_seconds", peer, "seconds, XlsxWriter in constant memory"),
        Figure("export.xlsx.ratio_xlsxwriter", peer / own, "times as fast as XlsxWriter"),
    ]


def _whole(place: Workspace, day: date) -> list[Figure]:
    """The whole bundle, all registers in all forms, by the command in a process of its own."""
    key = place.folder / "bench.key"
    command = [sys.executable, "manage.py", "export_day", str(day), "--out"]
    environment = {**os.environ, "SABOT_EXPORT_KEY": str(key)}
    out = place.folder / "bundles"
    started = perf_counter()
    exporting = subprocess.Popen([*command, str(out)], cwd=CLONE, env=environment)
    peak = spent = 0.0
    pids = [exporting.pid]
    while exporting.poll() is None:
        peak = _peak_megabytes(exporting.pid) or peak
        pids = pids if len(pids) > 1 else [*pids, *_exporting_backends()]
        with suppress(OSError):  # where one has ended
            spent = sum(map(processor_seconds, pids))
        sleep(_POLL_SECONDS)
    seconds = perf_counter() - started
    if exporting.returncode:
        raise RuntimeError(f"the export ended with {exporting.returncode}")
    return [
        Figure("export.csv.peak_mb", peak, "MB at most, of the process that makes the bundle"),
        Figure("export.bundle.seconds", seconds, "seconds, all registers in all formats"),
        Figure("export.bundle.cpu_seconds", spent, "of processor time, PostgreSQL's too"),
        Figure("export.bundle.megabytes", _size(out) / _KILOBYTES**2, "MB"),
    ]


def _exporting_backends() -> list[int]:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT pid FROM pg_stat_activity WHERE datname = current_database()"
            " AND pid <> pg_backend_pid() AND query LIKE 'COPY (WITH %'"
        )
        return [pid for (pid,) in cursor.fetchall()]


def _peak_megabytes(pid: int) -> float:
    """The most memory that a process had so far, 0 where it has ended.

    The figure of ``wait4`` includes the memory of the process that started it.
    """
    peak = re.search(r"VmHWM:\s+([0-9]+)", Path(f"/proc/{pid}/status").read_text())
    return int(peak[1]) / _KILOBYTES if peak else 0.0


def _size(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.glob("*.zip"))


def _timed(action: Callable[[], object]) -> float:
    started = perf_counter()
    action()
    return perf_counter() - started
