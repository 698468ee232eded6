"""Parquet files, written and read by DuckDB within a fixed amount of memory."""

import os
import threading
from collections.abc import Generator, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Final, NamedTuple

import duckdb

from compliance.archive.archive_list import Column

_MEMORY: Final = "512MB"
_LONGEST_LINE: Final = 16 << 20
"""Bytes of the longest row as CSV: audit records of large decisions are long."""
_ROWS_PER_GROUP: Final = 65_536
_BLOCK: Final = 1 << 16
_SHORT_TYPES: Final = {"TIMESTAMP WITH TIME ZONE": "TIMESTAMPTZ"}


class FileContents(NamedTuple):
    """What a Parquet file contains."""

    rows: int
    first_key: str
    last_key: str


def open_duckdb(temporary: Path | None = None) -> duckdb.DuckDBPyConnection:
    """An empty DuckDB in memory that installs and loads no extension.

    It uses one thread and at most 512 MB; what needs more goes to files in ``temporary``.
    """
    config: dict[str, str | bool | int | float | list[str]] = {
        "threads": 1,
        "memory_limit": _MEMORY,
        "temp_directory": "" if temporary is None else str(temporary),
        "autoinstall_known_extensions": False,
        "autoload_known_extensions": False,
        "allow_community_extensions": False,
    }
    database = duckdb.connect(":memory:", config=config)
    database.execute("SET GLOBAL TimeZone = 'UTC'")
    return database


def write_parquet(
    database: duckdb.DuckDBPyConnection,
    path: Path,
    columns: Sequence[Column],
    blocks: Iterator[bytes],
) -> None:
    """Writes rows in CSV, as PostgreSQL copies them with times in UTC, to a file that is on disk.

    Raises what ``blocks`` raises, and duckdb.Error for rows that are not of these columns.
    """
    reading, writing = os.pipe()
    reader = _Statement(database, _copy_statement(reading, columns, path), reading)
    reader.start()
    try:
        with os.fdopen(writing, "wb", buffering=0) as pipe:
            for block in blocks:
                _write_all(pipe.fileno(), block)
    except BrokenPipeError:
        pass  # the reader ended first; its error says why
    finally:
        reader.join()
    if reader.error is not None:
        raise reader.error
    sync(path)


def read_as_csv(
    database: duckdb.DuckDBPyConnection, path: Path, columns: Sequence[Column]
) -> Generator[bytes]:
    """The rows of a file as CSV that PostgreSQL copies in, in blocks. Raises duckdb.Error.

    It is what ``write_parquet`` was given: null is an empty value, every text is in quotes.
    """
    reading, writing = os.pipe()
    writer = _Statement(database, _csv_statement(path, columns, writing), writing)
    writer.start()
    try:
        with os.fdopen(reading, "rb", buffering=0) as pipe:
            while block := pipe.read(_BLOCK):
                yield block
    finally:
        writer.join()
    if writer.error is not None:
        raise writer.error


def contents_of(
    database: duckdb.DuckDBPyConnection, path: Path, key: str, columns: Sequence[Column]
) -> FileContents:
    """What a file contains, by reading it. Raises duckdb.Error.

    Raises ValueError if its columns are not these.
    """
    relation = f"read_parquet({literal(str(path))})"
    columns_read = database.execute(f"DESCRIBE FROM {relation}").fetchall()
    found = [(name, _SHORT_TYPES.get(kind, kind)) for name, kind, *_ in columns_read]
    needed = [(column.name, column.parquet_type) for column in columns]
    if found != needed:
        raise ValueError(f"columns: found {found}; needed {needed}")
    ends = f"min({quoted(key)})::text, max({quoted(key)})::text"
    [row] = database.execute(f"FROM {relation} SELECT count(*), {ends}").fetchall()
    return FileContents(*row)


def sync(path: Path) -> None:
    """Returns once the file, or the entries of the folder, are on disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def quoted(name: str) -> str:
    """SQL: a name."""
    return '"{}"'.format(name.replace('"', '""'))


def literal(text: str) -> str:
    """SQL: a text."""
    return "'{}'".format(text.replace("'", "''"))


class _Statement(threading.Thread):
    """A statement that reads a pipe, or writes one; what it raised is in ``error``."""

    def __init__(
        self, database: duckdb.DuckDBPyConnection, statement: str, descriptor: int
    ) -> None:
        super().__init__(name="parquet")
        self._database, self._statement = database, statement
        self._descriptor = descriptor
        self.error: Exception | None = None

    def run(self) -> None:
        """Closes its end of the pipe at last, so that the other does not wait for ever."""
        try:
            with closing(self._database.cursor()) as cursor:
                cursor.execute(self._statement)
        except duckdb.Error as error:
            self.error = error
        finally:
            os.close(self._descriptor)


def _copy_statement(descriptor: int, columns: Sequence[Column], path: Path) -> str:
    """The statement that reads CSV from a descriptor of this process and writes a file."""
    selected = ", ".join(map(_converted, columns))
    types = ", ".join(f"{literal(it.name)}: {literal(_type_in_csv(it))}" for it in columns)
    rows = f"""
        read_csv('/dev/fd/{descriptor}', columns = {{{types}}}, header = false,
                 auto_detect = false, delim = ',', quote = '"', escape = '"', new_line = '\\n',
                 nullstr = '', allow_quoted_nulls = false, parallel = false,
                 max_line_size = {_LONGEST_LINE}, buffer_size = {2 * _LONGEST_LINE})
    """
    options = f"FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE {_ROWS_PER_GROUP}"
    return f"COPY (FROM {rows} SELECT {selected}) TO {literal(str(path))} ({options})"


def _csv_statement(path: Path, columns: Sequence[Column], descriptor: int) -> str:
    """The statement that reads a file and writes CSV to a descriptor of this process."""
    selected = ", ".join(map(_written, columns))
    texts = ", ".join(quoted(it.name) for it in columns if it.parquet_type == "VARCHAR")
    options = "FORMAT csv, HEADER false, NULLSTR '', USE_TMP_FILE false"
    options += f", FORCE_QUOTE ({texts})" if texts else ""
    query = f"FROM read_parquet({literal(str(path))}) SELECT {selected}"
    return f"COPY ({query}) TO '/dev/fd/{descriptor}' ({options})"


def _type_in_csv(column: Column) -> str:
    return "VARCHAR" if column.parquet_type == "BLOB" else column.parquet_type


def _converted(column: Column) -> str:
    name = quoted(column.name)
    # PostgreSQL writes bytes as \x and hexadecimal digits.
    return f"unhex(substr({name}, 3)) AS {name}" if column.parquet_type == "BLOB" else name


def _written(column: Column) -> str:
    name = quoted(column.name)
    is_bytes = column.parquet_type == "BLOB"
    return f"'\\x' || lower(hex({name})) AS {name}" if is_bytes else name


def _write_all(descriptor: int, block: bytes) -> None:
    view = memoryview(block)
    while view:
        view = view[os.write(descriptor, view) :]
