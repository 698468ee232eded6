"""The log around the audit records of an archive, by which they are proved against a signed head.

The records of a month are some leaves of the log. The list has the hashes of the largest complete
subtrees over all other leaves: with them, everybody computes the root of the head from the files.
"""

from collections.abc import Iterator
from itertools import repeat
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Any, Final, NamedTuple
from uuid import UUID

import duckdb
import psycopg

from compliance.archive.archive_list import ArchiveList, LogHash, TableEntry
from compliance.archive.parquet import literal
from compliance.storage.partitions import Month
from compliance.trail.actor import Actor
from compliance.trail.batches import batch_of
from compliance.trail.encoding import datetime_of, leaves_of
from compliance.trail.key_ranges import month_keys
from compliance.trail.log.merkle_tree import Peaks, complete_subtrees
from compliance.trail.log.stored_heads import signed_head_of
from compliance.trail.log.stored_tree import LostInGap, StoredTree
from compliance.trail.models import TreeHead

_RECORDS: Final = "trail_auditrecord"
_LOGGED: Final = "trail_loggedbatch"
_SPANS: Final = """
    SELECT logged.first_leaf, logged.first_leaf + batch.record_count
      FROM trail_auditbatch AS batch
      LEFT JOIN trail_loggedbatch AS logged ON logged.batch_id = batch.id
     WHERE {} ORDER BY logged.first_leaf
"""
_BLOCK: Final = 1 << 20
"""Bytes of leaves that are added at a time."""
_AT_ONCE: Final = 5_000
"""Rows that are read at a time."""


class NotInLogYet(Exception):
    """The latest records of the month are not in the signed log yet."""


def hashes_around(view: "psycopg.Connection[Any]", month: Month, size: int) -> list[LogHash] | None:
    """The hashes over the leaves of all other months in a log of this size, from the left.

    None if some were lost with a database, as people declared. Raises NotInLogYet.
    """
    hashes, place, tree = list[LogHash](), 0, StoredTree()
    with psycopg.Cursor(view) as cursor:
        spans = cursor.execute(_SPANS.format(month_keys(month).holds("batch.id")).encode())
        try:
            for first, end in spans:
                if first is None or end > size:
                    raise NotInLogYet(
                        f"month {month}: found records that are not in the signed log yet;"
                        " needed all, so wait for the worker that signs it"
                    )
                hashes += _subtrees(tree, place, first)
                place = end
            return [*hashes, *_subtrees(tree, place, size)]
        except LostInGap:
            return None


def _subtrees(tree: StoredTree, start: int, end: int) -> Iterator[LogHash]:
    for level, index in complete_subtrees(start, end):
        yield LogHash(level, index, tree(level, index).hex())


def faults_of_log(duck: duckdb.DuckDBPyConnection, folder: Path, archive: ArchiveList) -> list[str]:
    """What keeps the records from giving the head of the list, and that from being the log's own.

    The files are those of the list.
    """
    if archive.log_head is None:
        return []
    stored = TreeHead.objects.filter(pk=archive.log_head["sequence"]).first()
    own = None if stored is None else signed_head_of(stored)
    if own is None or own.head.as_json(own.signature) != archive.log_head:
        return [f"log_head: found one that is not head {archive.log_head['sequence']} of the log"]
    if archive.log_hashes is None:
        return []
    with TemporaryFile() as leaves:
        try:
            root = _root(archive, _write_leaves(duck, folder, archive, leaves), leaves)
        except _Misfit as misfit:
            return [str(misfit)]
    if root == own.head.root:
        return []
    return [f"{_RECORDS}: found root {root.hex()} of the log; needed {own.head.root.hex()}"]


class _Misfit(Exception):
    """Records, batches and hashes do not make up a log."""


class _Span(NamedTuple):
    """A batch: the place of its first leaf in the log, and of its leaves in a file, in bytes."""

    first_leaf: int
    start: int


def _write_leaves(
    duck: duckdb.DuckDBPyConnection, folder: Path, archive: ArchiveList, leaves: IO[bytes]
) -> list[_Span]:
    """Writes the leaf of each record, as its content gives it; returns the batches by place."""
    logged = dict(_rows(duck, folder, archive.table(_LOGGED), "batch_id, first_leaf"))
    spans = list[_Span]()
    batch: UUID | None = None
    columns = 'id, epoch_us("at"), actor, actor_user_id, action, subject, details'
    for record, at, actor, user_id, *text in _rows(duck, folder, archive.table(_RECORDS), columns):
        if batch_of(record) != batch:
            batch = batch_of(record)
            if batch not in logged:
                raise _Misfit(f"{_RECORDS}: found record {record}, whose batch is not in the log")
            spans.append(_Span(logged[batch], leaves.tell()))
        who = Actor(actor, user_id)
        leaves.writelines(leaves_of([tuple(text)], at=datetime_of(at), actor=who))
    return spans


def _root(archive: ArchiveList, spans: list[_Span], leaves: IO[bytes]) -> bytes:
    """The root of the log from the leaves and the hashes. Raises _Misfit."""
    peaks, hashes, end = Peaks(), list(archive.log_hashes or []), leaves.tell()
    starts = [*(span.start for span in spans), end]
    for (place, start), stop in sorted(zip(spans, starts[1:], strict=True)):
        _add_subtrees(peaks, hashes, until=place)
        leaves.seek(start)
        for length in _lengths(stop - start):
            peaks.extend(leaves.read(length))
    _add_subtrees(peaks, hashes, until=peaks.size + sum(1 << each.level for each in hashes))
    return peaks.root()


def _add_subtrees(peaks: Peaks, hashes: list[LogHash], *, until: int) -> None:
    while peaks.size < until and hashes:
        following = hashes.pop(0)
        if following.index << following.level != peaks.size:
            break
        peaks.push(bytes.fromhex(following.sha256), following.level)
    if peaks.size != until:
        raise _Misfit(f"log_hashes: found leaves until {peaks.size}; needed them until {until}")


def _lengths(size: int) -> Iterator[int]:
    yield from repeat(_BLOCK, size // _BLOCK)
    yield size % _BLOCK


def _rows(
    duck: duckdb.DuckDBPyConnection, folder: Path, entry: TableEntry, columns: str
) -> Iterator[Any]:
    for file in entry.files:
        path = literal(str(folder / file.name))
        found = duck.execute(f"FROM read_parquet({path}) SELECT {columns}")
        while rows := found.fetchmany(_AT_ONCE):
            yield from rows
