"""Queries on the archive: SQL of people, run in a process that reads archived files alone."""

import json
import re
import subprocess
import sys
from collections.abc import Collection, Sequence
from datetime import datetime
from enum import StrEnum
from pathlib import Path
from typing import Any, Final, NamedTuple

from compliance.archive import query_process
from compliance.archive.archive_list import ArchiveList, TableEntry
from compliance.archive.archived_tables import archived_tables
from compliance.archive.parquet import literal, quoted
from compliance.archive.recorded_archives import RecordedArchive
from compliance.archive.verify_archive import read_list, require_file
from compliance.trail.actor import Actor
from compliance.trail.record import Entry, record_entries

SECONDS: Final = 30
"""A query that takes longer is ended."""
LONGEST_QUERY: Final = 10_000
"""Characters."""
_MOST_BYTES: Final = 32 << 20
_ENVIRONMENT: Final = {"LC_ALL": "C.UTF-8"}


class Reason(StrEnum):
    """Why a query has no result."""

    NO_TEXT = "no-text"
    TOO_LONG = "too-long"
    NO_ARCHIVE = "no-archive"
    NOT_A_SELECT = query_process.NOT_A_SELECT
    TOO_LARGE = query_process.TOO_LARGE
    TOO_MUCH_WORK = query_process.TOO_MUCH_WORK
    SQL_ERROR = query_process.SQL_ERROR


class QueryError(Exception):
    """The query cannot be run, or took too long. The text says what was found."""

    def __init__(self, text: str, reason: Reason) -> None:
        super().__init__(text)
        self.reason = reason


class QueryResult(NamedTuple):
    """The result, every value as text; None for a null."""

    columns: list[str]
    rows: list[list[str | None]]
    is_whole: bool
    """Whether these are all rows."""


def query_archive(
    sql: str,
    *,
    archives: Sequence[RecordedArchive],
    folder: Path,
    keys: Collection[str],
    most_rows: int,
    at: datetime,
    actor: Actor,
) -> QueryResult:
    """Runs a SELECT on the tables of these archives, and records who asked what.

    Each table has the rows of all months; of tables without months the latest row of each key. The
    files that the query needs are verified first. Raises QueryError, and BadArchive.
    """
    _require_text(sql, archives)
    details = {"archives": [recorded.name for recorded in archives], "query": sql}
    record_entries([Entry("ARCHIVE_QUERIED", "archive-query", details)], at=at, actor=actor)
    lists = [(it.folder(folder), read_list(it.folder(folder), it, keys)) for it in archives]
    views, paths = _views(sql, lists)
    task = {
        "sql": sql,
        "views": views,
        "paths": paths,
        "most_rows": most_rows,
        "most_bytes": _MOST_BYTES,
        "seconds": SECONDS,
    }
    return _run(task)


def _require_text(sql: str, archives: Sequence[RecordedArchive]) -> None:
    if not sql.strip():
        raise QueryError("query: found none; needed a SELECT", Reason.NO_TEXT)
    if len(sql) > LONGEST_QUERY:
        found = f"{len(sql):,} characters; needed at most {LONGEST_QUERY:,}"
        raise QueryError(f"query: found {found}", Reason.TOO_LONG)
    if not archives:
        text = "months: found no archive; needed one that is recorded"
        raise QueryError(text, Reason.NO_ARCHIVE)


def _run(task: dict[str, Any]) -> QueryResult:
    try:
        done = subprocess.run(  # noqa: S603  this interpreter and a file of this package
            [sys.executable, "-I", query_process.__file__],
            input=json.dumps(task).encode(),
            capture_output=True,
            env=_ENVIRONMENT,
            cwd="/",
            timeout=SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        text = f"query: found more than {SECONDS} seconds; needed less"
        raise QueryError(text, Reason.TOO_MUCH_WORK) from None
    if done.returncode != 0:
        text = "query: found more memory or time needed; needed a smaller query"
        raise QueryError(text, Reason.TOO_MUCH_WORK)
    answer = json.loads(done.stdout)
    if "error" in answer:
        raise QueryError(answer["error"], Reason(answer["reason"]))
    return QueryResult(**answer)


def _views(sql: str, lists: Sequence[tuple[Path, ArchiveList]]) -> tuple[list[str], list[str]]:
    """The views of the tables that the query names, and the files behind them, verified."""
    named = set(re.findall(r"[a-z_]+", sql.lower()))
    views, paths = [], []
    for table in archived_tables():
        if table.name not in named:
            continue
        entries = [(folder, archive.table(table.name)) for folder, archive in lists]
        files = [
            str(require_file(folder, file)) for folder, entry in entries for file in entry.files
        ]
        latest_entry = entries[-1][1]
        paths += files
        views.append(_view(latest_entry, files, is_of_months=bool(table.slices)))
    return views, paths


def _view(entry: TableEntry, files: Sequence[str], *, is_of_months: bool) -> str:
    """The statement of a view; of a table without months, the row of the latest archive counts."""
    name = quoted(entry.name)
    if not files:
        columns = ", ".join(f"{quoted(it.name)} {it.parquet_type}" for it in entry.columns)
        return f"CREATE TABLE {name} ({columns})"
    listed = ", ".join(map(literal, files))
    if is_of_months:
        return f"CREATE VIEW {name} AS FROM read_parquet([{listed}], union_by_name = true)"
    key = ", ".join(map(quoted, entry.key))
    return (
        f"CREATE VIEW {name} AS"
        f" FROM read_parquet([{listed}], union_by_name = true, filename = true)"
        " SELECT * EXCLUDE (filename)"
        f" QUALIFY row_number() OVER (PARTITION BY {key} ORDER BY filename DESC) = 1"
    )
