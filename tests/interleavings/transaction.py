"""What a transaction has touched, by what PostgreSQL counted and locked."""

import re
from collections.abc import Callable
from typing import Any, Final

from tests.interleavings.footprints import EVERYTHING, NOTHING, Footprint

_TOUCHED: Final = """
    SELECT coalesce(pg_partition_root(relid), relid)::regclass::text,
           sum(coalesce(seq_scan, 0) + coalesce(idx_scan, 0)),
           sum(n_tup_ins), sum(n_tup_upd + n_tup_del)
      FROM pg_stat_xact_user_tables
     WHERE coalesce(seq_scan, 0) + coalesce(idx_scan, 0) + n_tup_ins + n_tup_upd + n_tup_del > 0
     GROUP BY 1
"""
_LOCKED: Final = """
    SELECT format('lock %s/%s/%s', classid, objid, objsubid), 'advisory' FROM pg_locks
     WHERE locktype = 'advisory' AND pid = pg_backend_pid()
     UNION
    SELECT coalesce(pg_partition_root(held.oid), held.oid)::regclass::text, mode
      FROM pg_locks JOIN pg_class AS held ON held.oid = relation
     WHERE pid = pg_backend_pid() AND mode <> 'AccessShareLock'
       AND relkind IN ('r', 'p')
"""
"""Also finds what no counter shows: an insertion that does nothing on a conflict."""
_UNIQUE_INDEXES: Final = """
    SELECT indexrelid::regclass::text,
           (SELECT string_agg(pg_get_indexdef(indexrelid, column_number, true), ', ')
              FROM generate_series(1, indnkeyatts) AS column_number)
      FROM pg_index WHERE indrelid = '{table}'::regclass AND indisunique
"""
_ADDED: Final = (
    "SELECT ROW({columns})::text FROM {table} WHERE xmin::text::bigint >= txid_current()"
)
_LOCKS: Final = re.compile(r"\bFOR\s+(NO\s+KEY\s+)?(UPDATE|SHARE)|FOR\s+KEY\s+SHARE", re.IGNORECASE)
_TARGET: Final = re.compile(
    r'\b(?:INSERT\s+INTO|UPDATE|DELETE\s+FROM|COPY)\s+(?!(?:SET|OF|SKIP|NOWAIT)\b)"?(\w+)',
    re.IGNORECASE,
)
_ONLY_ADDS: Final = re.compile(
    r'\s*(?:INSERT\s+INTO|COPY)\s+"?(\w+)(?!.*\bON\s+CONFLICT\b)', re.IGNORECASE | re.DOTALL
)
_UNKNOWN_LOCKS: Final = re.compile(r"pg_try_advisory|advisory_unlock", re.IGNORECASE)


class Transaction:
    """One transaction of a session after the other; ``ask`` gives the rows of a query in it."""

    def __init__(self, ask: Callable[[str], list[tuple[Any, ...]]]) -> None:
        self._ask = ask
        self._touched: dict[str, tuple[int, ...]] = {}
        self._locks: set[tuple[Any, ...]] = set()
        self._wrote = self._added = self._shared = self._keys = NOTHING
        self._is_fresh = True
        self.excludes_readers = False
        """Whether it has locked a table also against those who read."""

    def begin(self) -> None:
        """Begins to count anew."""
        self._touched = {}
        self._wrote = self._added = self._shared = self._keys = NOTHING
        self._is_fresh, self.excludes_readers = True, False
        self._ask("SELECT pg_stat_force_next_flush()")
        self._locks = {held for held in self._ask(_LOCKED) if held[1] == "advisory"}

    def touched_by(self, statement: str) -> Footprint:
        """The footprint of the statement that was the last one."""
        now = self._counted()
        changed = {
            name: [one > other for one, other in zip(counts, before, strict=True)]
            for name, counts in now.items()
            for before in [self._touched.get(name, (0, 0, 0))]
        }
        read = frozenset(name for name, (reads, _, _) in changed.items() if reads)
        written = frozenset(name for name, (_, added, other) in changed.items() if added or other)
        held = set(self._ask(_LOCKED))
        acquired = held - self._locks
        self._touched, self._locks = now, held
        targets = frozenset(_TARGET.findall(statement))
        changes_rows = bool(targets or written or statement == "COMMIT")
        if _LOCKS.search(statement):
            written |= read
        only_adds = _ONLY_ADDS.match(statement)
        adds = frozenset(
            name
            for name, counts in changed.items()
            if only_adds and name == only_adds[1] and counts == [False, True, False]
        )
        # A foreign key takes RowShareLock, too; it only shares.
        shared = {"RowShareLock"} if changes_rows else set()
        locked = {name for name, mode in acquired if mode not in shared}
        writes = (written | targets | locked) - adds
        self.excludes_readers |= any(mode == "AccessExclusiveLock" for _name, mode in acquired)
        shares = read if changes_rows or writes else NOTHING
        self._wrote |= writes
        self._added |= adds
        self._shared |= shares
        # SET TRANSACTION takes no snapshot: the first statement of rows does.
        isolation = "SELECT current_setting('transaction_isolation')"
        is_snapshot = self._is_fresh and self._ask(isolation) != [("read committed",)]
        self._is_fresh = False
        if _UNKNOWN_LOCKS.search(statement):
            return EVERYTHING
        keys = self._keys_of(adds)
        self._keys |= keys
        return Footprint(read, shares, writes, adds, keys=keys, is_snapshot=is_snapshot)

    def _keys_of(self, adds: frozenset[str]) -> frozenset[str]:
        """The values of unique indexes in the rows that this transaction added."""
        keys: set[str] = set()
        for table in adds:
            for index, columns in self._ask(_UNIQUE_INDEXES.format(table=table)):
                rows = self._ask(_ADDED.format(table=table, columns=columns))
                keys |= {f"{index}: {key}" for (key,) in rows}
        self._touched = self._counted() if adds else self._touched
        return frozenset(keys)

    def _counted(self) -> dict[str, tuple[int, ...]]:
        return {name: tuple(counts) for name, *counts in self._ask(_TOUCHED)}

    def ended(self, footprint: Footprint) -> Footprint:
        """With what the transaction had touched."""
        return footprint._replace(
            publishes=self._wrote,
            adds=self._added - self._wrote,
            releases=self._shared,
            keys=self._keys,
        )
