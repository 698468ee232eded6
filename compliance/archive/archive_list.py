"""The list of an archive: which files it has, with their digests and what is in them. Pure.

The list is one JSON file, signed by the operator. Whoever has the list and the certificate can
verify every file of the archive without Sabot.
"""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any, Final, Self

FORMAT: Final = "sabot-archive/1"
LIST_NAME: Final = "archive.json"
SIGNATURE_NAME: Final = "archive.json.p7s"

_MOST_LEVELS: Final = 62
"""Positions in the log have 63 bits."""
_SHA256: Final = re.compile("[0-9a-f]{64}")
_FILE_NAME: Final = re.compile(r"[a-z0-9_]+-[0-9]{5}\.parquet")
_PARQUET_TYPES: Final = {
    "uuid": "UUID",
    "bytea": "BLOB",
    "timestamp with time zone": "TIMESTAMPTZ",
    "date": "DATE",
    "boolean": "BOOLEAN",
    "smallint": "SMALLINT",
    "integer": "INTEGER",
    "bigint": "BIGINT",
}
_TEXT: Final = "VARCHAR"


class BadList(ValueError):
    """The list is not of this format: names the field, what was found and what is needed."""

    def __init__(self, field: str, found: object, needed: str) -> None:
        super().__init__(f"{field}: found {found!r}; needed {needed}")


@dataclass(frozen=True, slots=True)
class Column:
    """A column, and its type in PostgreSQL."""

    name: str
    type: str

    @property
    def parquet_type(self) -> str:
        """Its type in the files, as DuckDB names it; what has no such type is a text of it."""
        return _PARQUET_TYPES.get(self.type, _TEXT)


@dataclass(frozen=True, slots=True)
class ArchivedFile:
    """A Parquet file."""

    name: str
    bytes: int
    sha256: str
    slice: int
    """Counted from 1. The files of one slice of several tables belong to the same rounds."""
    rows: int
    first_key: str
    last_key: str
    """The least and the largest value of the first column of the table's key."""


@dataclass(frozen=True, slots=True)
class TableEntry:
    """A table with its files, none for a table without rows."""

    name: str
    key: list[str]
    """The columns that order its rows."""
    columns: list[Column]
    rows: int
    copy_sha256: str
    """SHA-256 of the rows in this order, as ``COPY … TO STDOUT (FORMAT csv)`` of PostgreSQL writes
    them with times in UTC."""
    files: list[ArchivedFile]


@dataclass(frozen=True, slots=True)
class LogHash:
    """The hash of a complete subtree of the log: ``2**level`` leaves from ``index * 2**level``."""

    level: int
    index: int
    sha256: str


@dataclass(frozen=True, slots=True)
class ArchiveList:
    """What an archive contains, and of which state of the database."""

    format: str
    operator: str
    month: str
    number: int
    """Of the archives of this month, the first is 1."""
    written_at: str
    software: Mapping[str, str]
    key_id: str
    """SHA-256 of the certificate that signs the list."""
    log_head: Mapping[str, Any] | None
    """The latest head of the signed log in the same snapshot, with its origin and signature.

    None if there was none.
    """
    log_hashes: list[LogHash] | None
    """The hashes of the log under this head over all leaves but those of the archived records.

    None if hashes were lost with a database.
    """
    carried_sha256: str
    """SHA-256 of what the month adds to balances and days, carried forward when it is detached.

    The lines are those of ``payouts.reconciliation.carried_sums``.
    """
    tables: list[TableEntry]

    @property
    def name(self) -> str:
        """The name of its folder."""
        return f"{self.month}.{self.number}"

    @property
    def files(self) -> Iterator[ArchivedFile]:
        """All Parquet files."""
        return (file for table in self.tables for file in table.files)

    def table(self, name: str) -> TableEntry:
        """The table of this name. Raises KeyError."""
        for table in self.tables:
            if table.name == name:
                return table
        raise KeyError(name)

    def to_bytes(self) -> bytes:
        """The bytes that are signed: JSON in UTF-8 with sorted keys."""
        text = json.dumps(asdict(self), indent=1, sort_keys=True, ensure_ascii=False)
        return f"{text}\n".encode()

    @classmethod
    def from_bytes(cls, content: bytes) -> Self:
        """The list that was written so. Raises BadList for anything else."""
        try:
            members = json.loads(content)
        except (ValueError, RecursionError) as error:
            raise BadList(LIST_NAME, str(error), "JSON in UTF-8") from None
        _require_members(cls, LIST_NAME, members)
        if members["format"] != FORMAT:
            raise BadList("format", members["format"], FORMAT)
        tables = [_table(f"tables[{at}]", it) for at, it in enumerate(members["tables"])]
        hashes = members["log_hashes"]
        if hashes is not None:
            hashes = [_log_hash(f"log_hashes[{at}]", it) for at, it in enumerate(hashes)]
        archive = cls(**{**members, "tables": tables, "log_hashes": hashes})
        if archive.to_bytes() != content:
            raise BadList(LIST_NAME, "other white space or order", "the bytes that Sabot writes")
        names = [file.name for file in archive.files]
        if len(set(names)) != len(names):
            raise BadList("files", "a file that is listed twice", "each file once")
        return archive


def _require_members(kind: type[Any], where: str, members: object) -> None:
    needed = {field.name: field.type for field in fields(kind)}
    if not isinstance(members, dict) or set(members) != set(needed):
        found = sorted(members) if isinstance(members, dict) else type(members).__name__
        raise BadList(where, found, f"the members {', '.join(sorted(needed))}")
    for name, expected in needed.items():
        value = members[name]
        if expected in {str, int} and type(value) is not expected:
            raise BadList(f"{where}.{name}", value, f"a value of type {expected.__name__}")
        may_be_null = value is None and str(expected).endswith("| None")
        if str(expected).startswith("list") and not (isinstance(value, list) or may_be_null):
            raise BadList(f"{where}.{name}", value, "a list")


def _table(where: str, members: Any) -> TableEntry:
    _require_members(TableEntry, where, members)
    columns = [_column(f"{where}.columns[{at}]", it) for at, it in enumerate(members["columns"])]
    files = [_file(f"{where}.files[{at}]", it) for at, it in enumerate(members["files"])]
    return TableEntry(**{**members, "columns": columns, "files": files})


def _column(where: str, members: Any) -> Column:
    _require_members(Column, where, members)
    return Column(**members)


def _log_hash(where: str, members: Any) -> LogHash:
    _require_members(LogHash, where, members)
    if not (0 <= members["level"] <= _MOST_LEVELS and members["index"] >= 0):
        raise BadList(where, members, f"a level up to {_MOST_LEVELS}, and no negative index")
    if not _SHA256.fullmatch(members["sha256"]):
        raise BadList(f"{where}.sha256", members["sha256"], "64 hexadecimal digits")
    return LogHash(**members)


def _file(where: str, members: Any) -> ArchivedFile:
    _require_members(ArchivedFile, where, members)
    if not _FILE_NAME.fullmatch(members["name"]):
        raise BadList(f"{where}.name", members["name"], "the name of a Parquet file")
    return ArchivedFile(**members)
