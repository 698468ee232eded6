"""Reading the rounds of an archive, as the database gives them.

A slice of an archive is loaded into DuckDB under the names of the tables, so that the queries of
reconciliation read it unchanged. Nothing is read from the database.
"""

import csv
import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final
from uuid import UUID

import duckdb

from compliance.archive.archive_list import ArchivedFile, ArchiveList, Column, TableEntry
from compliance.archive.archived_tables import ROUNDS, ArchivedTable, archived_tables
from compliance.archive.parquet import literal, open_duckdb, quoted
from compliance.archive.verify_archive import require_file
from compliance.trail.key_ranges import KeyRange, range_of
from rounds.row_mapping import ROUND_FACTS
from rounds.rule_inputs import BET_INPUTS, ROUND_INPUTS, RoundToJudge, rounds_of_rows
from rounds.rules.limits import Limits

# The queries of reconciliation use two functions as PostgreSQL has them. There is no queue: only
# closed days are archived, and a round that still waits is one without a verdict.
_AS_IN_POSTGRESQL: Final = (
    "CREATE MACRO sha256(bytes) AS unhex(system.main.sha256(bytes))",
    "CREATE MACRO convert_to(text, encoding) AS encode(text)",
    "CREATE TABLE rounds_queuedround (round_id UUID)",
)
_OTHERS: Final = ("trail_", "signatures_")
"""Tables of which judging reads nothing."""
_JSON: Final = frozenset({"multipliers", "bonus", "disconnects", "video"})
_HEAD_COLUMNS: Final = 8
_LISTS: Final = ", ".join(
    f"array_agg({expression} ORDER BY number) AS _{place}"
    for place, expression in enumerate(BET_INPUTS)
)
_ROUNDS: Final = f"""
    SELECT {ROUND_INPUTS}, {", ".join(f"_{place}" for place in range(len(BET_INPUTS)))}
      FROM rounds_round AS round
      JOIN rounds_table AS t ON t.id = round.table_id
      LEFT JOIN (SELECT bet.round_id, {_LISTS} FROM rounds_bet AS bet
                   JOIN rounds_round AS r ON r.id = bet.round_id
                  WHERE {{round_id}} AND bet.number < r.bet_count GROUP BY bet.round_id) AS bets
        ON bets.round_id = round.id
     WHERE {{id}} ORDER BY round.id
"""
_ON_TIME: Final = "date_trunc('milliseconds', {0}) = {0}".format
_ABSENT: Final = " + ".join(
    f"({name} IS NULL)::int" for name in ("multipliers", "bonus", "disconnects", "video")
)
_FACTS: Final = f"""
    SELECT round.id, digest, bet_count, staked_cents, disconnects, cards, {_ABSENT},
           coalesce(exact, true) AND {_ON_TIME("opened_at")} AND {_ON_TIME("closed_at")}
           AND {_ON_TIME("ended_at")}, named, players, participations
      FROM rounds_round AS round
      LEFT JOIN (SELECT round_id, min(number) = 0 AND max(number) = count(*) - 1
                        AND bool_and({_ON_TIME("placed_at")}) AS exact,
                        array_agg(reference ORDER BY number) AS named,
                        array_agg(pseudonym ORDER BY number) AS players,
                        array_agg(participation ORDER BY number) AS participations
                   FROM rounds_bet AS bet
                   JOIN rounds_customer AS customer ON customer.id = bet.customer_id
                  WHERE {{round_id}} GROUP BY round_id) AS bets
        ON bets.round_id = round.id
     WHERE {{id}} ORDER BY round.id
"""
_CARDS: Final = 5
_BATCHES: Final = "SELECT id, bet_count FROM rounds_round ORDER BY id"
_LIMITS: Final = "SELECT limit_set_id, kind, min_cents, max_cents FROM rounds_stakelimit"
_CUSTOMERS: Final = "SELECT pseudonym, id::text FROM rounds_customer WHERE pseudonym = ANY($names)"


class ArchivedRounds:
    """The rounds of one slice of an archive. Its methods raise duckdb.Error."""

    def __init__(self, duck: duckdb.DuckDBPyConnection, arrays: Collection[str]) -> None:
        self._duck, self._arrays = duck, frozenset(arrays)
        limits: dict[int, dict[str, tuple[int, int]]] = {}
        for limit_set, kind, *ends in self.fetch(_LIMITS):
            limits.setdefault(limit_set, {})[kind] = (ends[0], ends[1])
        self._limits = limits

    def fetch(
        self, query: str, arguments: Mapping[str, Any] | None = None, /
    ) -> list[tuple[Any, ...]]:
        """The rows of a query, as the database gives them: times in UTC, arrays as lists.

        ``arguments`` are those of psycopg, by name.
        """
        names = {name: f"${name}" for name in arguments or {}}
        cursor = self._duck.execute(query % names if names else query, arguments or {})
        columns = cursor.description or []
        rows: list[tuple[Any, ...]] = cursor.fetchall()
        converts = {
            place: convert
            for place, (name, kind, *_) in enumerate(columns)
            if (convert := self._conversion(name, str(kind))) is not None
        }
        return [_converted(row, converts) for row in rows] if converts else rows

    def batches(self, *, bets: int) -> Iterator[tuple[KeyRange, list[UUID]]]:
        """The rounds in ranges of about so many bets, unless a single round has more."""
        batch, size, first = list[UUID](), 0, None
        for round_id, bet_count in self.fetch(_BATCHES):
            if batch and size + bet_count > bets:
                yield KeyRange(first, round_id), batch
                first, batch, size = round_id, [], 0
            batch.append(round_id)
            size += bet_count + 1
        yield KeyRange(first), batch

    def load(
        self, folder: Path, entry: TableEntry, files: Iterable[ArchivedFile], condition: str
    ) -> None:
        """Loads rows of a further table, whose files are verified first. Raises BadArchive."""
        _load(self._duck, entry, [require_file(folder, file) for file in files], condition)

    def rounds_to_judge(self, keys: KeyRange) -> list[RoundToJudge]:
        """These rounds with the inputs of their rules."""
        rows = self.fetch(_ROUNDS.format(id=keys.holds("round.id"), round_id=keys.holds("r.id")))
        return rounds_of_rows(
            map(_with_json, rows), limits_of=self._limits_of, customer_ids_of=self._customer_ids
        )

    def content(self, keys: KeyRange) -> Iterator[tuple[Any, ...]]:
        """What ``compare_content`` compares of these rounds."""
        columns = {"id": keys.holds("round.id"), "round_id": keys.holds("round_id")}
        for row in self.fetch(_FACTS.format(**columns)):
            yield (*row[:_CARDS], ",".join(row[_CARDS]), *row[_CARDS + 1 :])

    def _limits_of(self, _sets: Collection[int]) -> Mapping[int, Limits]:
        return self._limits

    def _customer_ids(self, pseudonyms: Collection[str]) -> dict[str, str]:
        return dict(self.fetch(_CUSTOMERS.replace("$names", "%(names)s"), {"names": [*pseudonyms]}))

    def _conversion(self, name: str, kind: str) -> Any:
        if kind.startswith("TIMESTAMP"):
            return _in_utc
        return array_of if name in self._arrays and kind == "VARCHAR" else None


@contextmanager
def open_month(folder: Path, archive: ArchiveList) -> Iterator[ArchivedRounds]:
    """All rounds of an archive with their money, read from its files, which are not verified."""
    with TemporaryDirectory() as spilled, open_duckdb(Path(spilled)) as duck:
        for statement in _AS_IN_POSTGRESQL:
            duck.execute(statement)
        for table in tables_of_rounds():
            entry = archive.table(table.name)
            paths = [folder / file.name for file in entry.files]
            _load(duck, entry, paths, "true", kind="VIEW" if paths else "TABLE")
        yield ArchivedRounds(duck, ())


@contextmanager
def open_slice(
    folder: Path, archive: ArchiveList, number: int, *, only: UUID | None = None
) -> Iterator[ArchivedRounds]:
    """The rounds of a slice, or one of them, whose files are verified first. Raises BadArchive.

    With ``only``, each table has the rows of this round, and those that they refer to.
    """
    with open_duckdb() as duck:
        for statement in _AS_IN_POSTGRESQL:
            duck.execute(statement)
        arrays = set[str]()
        for table in tables_of_rounds():
            entry = archive.table(table.name)
            rows = "true" if only is None else table.condition(range_of(only))
            files = [it for it in entry.files if it.slice == number or not table.slices]
            _load(duck, entry, [require_file(folder, file) for file in files], rows)
            arrays |= {column.name for column in entry.columns if column.type.endswith("[]")}
        yield ArchivedRounds(duck, arrays)


def tables_of_rounds() -> list[ArchivedTable]:
    """The tables that ``open_slice`` loads; first those with slices, to which the others refer."""
    tables = [
        table
        for table in archived_tables()
        if table.slices == ROUNDS or not (table.slices or table.name.startswith(_OTHERS))
    ]
    return sorted(tables, key=lambda table: not table.slices)


@lru_cache(maxsize=1 << 14)
def array_of(text: str | None) -> list[str] | None:
    """The elements of an array of texts, none of them null, as PostgreSQL writes it."""
    if text is None:
        return None
    inside = text[1:-1]
    if '"' not in inside:
        return inside.split(",") if inside else []
    [elements] = csv.reader([inside], escapechar="\\", doublequote=False)
    return elements


def _load(
    duck: duckdb.DuckDBPyConnection,
    entry: TableEntry,
    paths: Collection[Path],
    condition: str,
    kind: str = "TABLE",
) -> None:
    if paths:
        columns = ", ".join(map(_selected, entry.columns))
        files = ", ".join(literal(str(path)) for path in paths)
        query = f"FROM read_parquet([{files}]) SELECT {columns} WHERE {condition}"
        duck.execute(f"CREATE {kind} {quoted(entry.name)} AS {query}")
    else:
        columns = ", ".join(f"{quoted(it.name)} {_type_of(it)}" for it in entry.columns)
        duck.execute(f"CREATE TABLE {quoted(entry.name)} ({columns})")


def _selected(column: Column) -> str:
    """Times without their zone, UTC: DuckDB needs another library to hand out times with one."""
    name = quoted(column.name)
    is_time = column.parquet_type == "TIMESTAMPTZ"
    return f"({name} AT TIME ZONE 'UTC') AS {name}" if is_time else name


def _type_of(column: Column) -> str:
    return "TIMESTAMP" if column.parquet_type == "TIMESTAMPTZ" else column.parquet_type


def _in_utc(moment: datetime | None) -> datetime | None:
    return None if moment is None else moment.replace(tzinfo=UTC)


def _converted(row: tuple[Any, ...], converts: Mapping[int, Any]) -> tuple[Any, ...]:
    values = list(row)
    for place, convert in converts.items():
        values[place] = convert(values[place])
    return tuple(values)


def _with_json(row: Sequence[Any]) -> list[Any]:
    """With the JSON columns of the facts as psycopg reads them."""
    values = list(row)
    for place, fact in enumerate(ROUND_FACTS, start=_HEAD_COLUMNS):
        if fact.name in _JSON and values[place] is not None:
            values[place] = json.loads(values[place])
    return values
