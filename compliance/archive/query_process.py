"""The process that runs one query on files of the archive, and can do nothing else.

It is started for one query, as a script of the standard library and DuckDB, without Django,
without the environment of its parent, and with limits of the operating system. It reads its task as
JSON from standard input and writes the result as JSON to standard output.

DuckDB opens no file but those of the task, opens no connection and loads no extension, and the
query cannot change its settings. Only a single SELECT is run.
"""

import json
import resource
import sys
from typing import Any, Final

import duckdb

MEMORY: Final = "512MB"
_ADDRESS_SPACE: Final = 3 << 30
"""Bytes; a part of it is only reserved. More than DuckDB may use for one value."""
_ROWS_AT_ONCE: Final = 500
_CONFIG: Final[dict[str, str | bool | int | float | list[str]]] = {
    "threads": 1,
    "memory_limit": MEMORY,
    "temp_directory": "",
    "autoinstall_known_extensions": False,
    "autoload_known_extensions": False,
    "allow_community_extensions": False,
    "python_enable_replacements": False,
}


NOT_A_SELECT: Final = "not-a-select"
TOO_LARGE: Final = "too-large"
TOO_MUCH_WORK: Final = "too-much-work"
SQL_ERROR: Final = "sql-error"
"""Why a query has no result. The text of the last one is DuckDB's."""
_CELL_BYTES: Final = 4
"""What a value takes in the answer at least: rows of nulls are no small result."""


class QueryRefused(Exception):
    """The query is not a single SELECT, or its result is too large."""

    def __init__(self, text: str, reason: str) -> None:
        super().__init__(text)
        self.reason = reason


def run(task: dict[str, Any]) -> dict[str, Any]:
    """The columns and rows of the query, every value as text; error and reason if it fails."""
    try:
        with duckdb.connect(":memory:", config=_CONFIG) as database:
            _lock(database, task)
            return _result(database, task)
    except QueryRefused as refusal:
        return {"error": str(refusal), "reason": refusal.reason}
    except (duckdb.OutOfMemoryException, MemoryError) as error:
        text = str(error) or "found more memory needed; needed a smaller query"
        return {"error": text[: task["most_bytes"]], "reason": TOO_MUCH_WORK}
    except duckdb.Error as error:
        return {"error": str(error)[: task["most_bytes"]], "reason": SQL_ERROR}


def _lock(database: duckdb.DuckDBPyConnection, task: dict[str, Any]) -> None:
    """Makes the views; then takes away everything that they do not need."""
    database.execute("SET GLOBAL TimeZone = 'UTC'")
    for view in task["views"]:
        database.execute(view)
    paths = ", ".join("'{}'".format(path.replace("'", "''")) for path in task["paths"])
    database.execute(f"SET allowed_paths = [{paths}]")
    database.execute("SET enable_external_access = false")
    database.execute("SET lock_configuration = true")


def _result(database: duckdb.DuckDBPyConnection, task: dict[str, Any]) -> dict[str, Any]:
    statements = duckdb.extract_statements(task["sql"])
    if len(statements) != 1 or statements[0].type != duckdb.StatementType.SELECT:
        raise QueryRefused("found something else; needed a single SELECT", NOT_A_SELECT)
    query = statements[0].query.strip().rstrip(";")
    cursor = database.execute(f"FROM ({query}\n) SELECT COLUMNS(*)::VARCHAR")
    columns = [column[0] for column in cursor.description or []]
    rows: list[tuple[Any, ...]] = []
    size = 0
    while len(rows) <= task["most_rows"] and (block := cursor.fetchmany(_ROWS_AT_ONCE)):
        rows += block
        size += sum([_CELL_BYTES + len(value or "") for row in block for value in row])
        if size > task["most_bytes"]:
            found = f"a result of more than {task['most_bytes']:,} characters"
            raise QueryRefused(f"found {found}; needed a smaller one", TOO_LARGE)
    is_whole = len(rows) <= task["most_rows"]
    return {"columns": columns, "rows": rows[: task["most_rows"]], "is_whole": is_whole}


def main() -> None:
    """Runs the task of standard input."""
    task = json.load(sys.stdin)
    limits = {
        resource.RLIMIT_AS: _ADDRESS_SPACE,
        resource.RLIMIT_CPU: task["seconds"] + 1,
        resource.RLIMIT_FSIZE: 0,
        resource.RLIMIT_CORE: 0,
    }
    for limit, value in limits.items():
        resource.setrlimit(limit, (value, value))
    json.dump(run(task), sys.stdout)


if __name__ == "__main__":
    main()
