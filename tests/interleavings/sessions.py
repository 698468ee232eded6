"""A session: a thread with its own connection that stops before each statement."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from threading import Condition, Thread
from typing import Any, Final

import psycopg
from django.db import connection, connections
from psycopg.pq import TransactionStatus

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
_ROWS: Final = re.compile(r"\s*\(*(SELECT|INSERT|UPDATE|DELETE|WITH|COPY|VALUES)\b", re.IGNORECASE)
_EMPTY: Final = re.compile(
    r"\s*(SAVEPOINT|RELEASE|SET(?!\s+CONSTRAINTS)|SHOW|BEGIN)\b", re.IGNORECASE
)
_BACK: Final = re.compile(r"\s*ROLLBACK TO\b", re.IGNORECASE)
_LOCKS: Final = re.compile(r"\bFOR\s+(NO\s+KEY\s+)?(UPDATE|SHARE)|FOR\s+KEY\s+SHARE", re.IGNORECASE)
_TARGET: Final = re.compile(
    r'\b(?:INSERT\s+INTO|UPDATE|DELETE\s+FROM|COPY)\s+(?!(?:SET|OF|SKIP|NOWAIT)\b)"?(\w+)',
    re.IGNORECASE,
)
_ONLY_ADDS: Final = re.compile(
    r'\s*(?:INSERT\s+INTO|COPY)\s+"?(\w+)(?!.*\bON\s+CONFLICT\b)', re.IGNORECASE | re.DOTALL
)
_UNKNOWN_LOCKS: Final = re.compile(r"pg_try_advisory|advisory_unlock", re.IGNORECASE)


class Abandoned(BaseException):
    """The schedule ended early: the program ends, and its transaction is rolled back."""


class Session:
    """Runs a program; ``release`` lets its next statement go."""

    def __init__(self, number: int, program: Callable[[], Any], changed: Condition) -> None:
        self.number, self._program, self._changed = number, program, changed
        self.pid = 0
        self.at_gate = False
        self.is_over = False
        self.answer: Any = None
        self.error: BaseException | None = None
        self.statement = ""
        self.footprint = EVERYTHING
        """Of the statement that was released last, once the session stops or ends."""
        self._may_go = self._is_abandoned = self._others_wait = False
        self._touched: dict[str, tuple[int, ...]] = {}
        self._locks: set[tuple[str, str]] = set()
        self._wrote = self._added = self._shared = self._keys = NOTHING
        self._is_fresh, self._excludes_readers = True, False
        self._thread = Thread(target=self._run, daemon=True)
        self._thread.start()

    def release(self, *, others_wait: bool) -> None:
        """Lets the statement go at which the session stands."""
        with self._changed:
            self._others_wait = others_wait
            self.at_gate, self._may_go = False, True
            self._changed.notify_all()

    def abandon(self) -> None:
        """Ends the program at its next statement."""
        with self._changed:
            self._is_abandoned = True
            self._changed.notify_all()

    def join(self) -> None:
        """Waits for the end of the program."""
        self._thread.join()

    def _run(self) -> None:
        try:
            connection.settings_dict = {
                **connection.settings_dict,  # this thread's alone from here on
                "DISABLE_SERVER_SIDE_CURSORS": True,
            }
            connection.ensure_connection()
            self._attach(connection.connection)
            self.answer = self._program()
        except BaseException as error:  # noqa: BLE001  the judgement's to judge
            self.error = error
        finally:
            connections.close_all()
            with self._changed:
                self.is_over = True
                self._changed.notify_all()

    def _attach(self, raw: "psycopg.Connection[Any]") -> None:
        self._raw = raw
        self.pid = raw.info.backend_pid
        self._quietly("SET track_counts = on")
        self._forget()
        raw.cursor_factory = _gated(self, raw.cursor_factory)
        changes: dict[str, Any] = {
            "commit": lambda: self._end("COMMIT", raw, psycopg.Connection.commit),
            "rollback": lambda: self._end("ROLLBACK", raw, psycopg.Connection.rollback),
            # Statements that are sent together are released one by one.
            "pipeline": nullcontext,
            "transaction": _refuse,
        }
        for name, change in changes.items():
            setattr(raw, name, change)

    @contextmanager
    def gate(self, statement: str) -> Iterator[None]:
        """Stops before the statement and takes its footprint after it."""
        self._stop_before(statement)
        alone = self._raw.autocommit and self._status() == TransactionStatus.IDLE
        rows = _ROWS.match(statement) is not None
        if alone and rows:
            self._quietly("BEGIN")
        try:
            yield
            if alone and rows:
                self._quietly("SET CONSTRAINTS ALL IMMEDIATE")
        except BaseException:
            if alone and rows:
                self._quietly("ROLLBACK")
            raise
        if rows:
            self.footprint = self._touched_by(statement)
        elif _BACK.match(statement):
            self.footprint = self._at_the_end(Footprint())
        elif _EMPTY.match(statement):
            self.footprint = Footprint()
        elif self._status() == TransactionStatus.INTRANS:
            self._touched_by(statement)  # for the end of the transaction
        if alone and rows:
            self._quietly("COMMIT")
            self.footprint = self._at_the_end(self.footprint)
            self._forget()

    def _end(self, statement: str, raw: Any, end: Callable[[Any], None]) -> None:
        if self._status() == TransactionStatus.IDLE:
            end(raw)
            return
        self._stop_before(statement)
        checked = Footprint()
        if statement == "COMMIT" and self._status() == TransactionStatus.INTRANS:
            self._quietly("SET CONSTRAINTS ALL IMMEDIATE")
            checked = self._touched_by("COMMIT")
        end(raw)
        ended = self._at_the_end(checked)
        self.footprint = EVERYTHING if self._excludes_readers else ended
        self._forget()

    def _stop_before(self, statement: str) -> None:
        with self._changed:
            if self._is_abandoned:
                raise Abandoned
            self.statement, self.at_gate = statement, True
            self._changed.notify_all()
            self._changed.wait_for(lambda: self._may_go or self._is_abandoned)
            self.at_gate = self._may_go = False
            self.footprint = EVERYTHING
            if self._is_abandoned:
                raise Abandoned
        # Of a deadlock it is always the last one that PostgreSQL ends.
        if self._status() != TransactionStatus.INERROR:
            self._quietly(f"SET deadlock_timeout = '{'20ms' if self._others_wait else '30s'}'")

    def _touched_by(self, statement: str) -> Footprint:
        now = self._counted()
        changed = {
            name: [one > other for one, other in zip(counts, before, strict=True)]
            for name, counts in now.items()
            for before in [self._touched.get(name, (0, 0, 0))]
        }
        read = frozenset(name for name, (reads, _, _) in changed.items() if reads)
        written = frozenset(name for name, (_, added, other) in changed.items() if added or other)
        held = set(self._quietly(_LOCKED))
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
        self._excludes_readers |= any(mode == "AccessExclusiveLock" for _name, mode in acquired)
        shares = read if changes_rows or writes else NOTHING
        self._wrote |= writes
        self._added |= adds
        self._shared |= shares
        # SET TRANSACTION takes no snapshot: the first statement of rows does.
        isolation = "SELECT current_setting('transaction_isolation')"
        is_snapshot = self._is_fresh and self._quietly(isolation) != [("read committed",)]
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
            for index, columns in self._quietly(_UNIQUE_INDEXES.format(table=table)):
                rows = self._quietly(_ADDED.format(table=table, columns=columns))
                keys |= {f"{index}: {key}" for (key,) in rows}
        self._touched = self._counted() if adds else self._touched
        return frozenset(keys)

    def _counted(self) -> dict[str, tuple[int, ...]]:
        return {name: tuple(counts) for name, *counts in self._quietly(_TOUCHED)}

    def _at_the_end(self, footprint: Footprint) -> Footprint:
        """With what the transaction had touched."""
        return footprint._replace(
            publishes=self._wrote,
            adds=self._added - self._wrote,
            releases=self._shared,
            keys=self._keys,
        )

    def _forget(self) -> None:
        """Begins to count anew, at the end of a transaction."""
        self._touched = {}
        self._wrote = self._added = self._shared = self._keys = NOTHING
        self._is_fresh, self._excludes_readers = True, False
        self._quietly("SELECT pg_stat_force_next_flush()")
        self._locks = {held for held in self._quietly(_LOCKED) if held[1] == "advisory"}
        if not self._raw.autocommit:
            psycopg.Connection.rollback(self._raw)

    def _status(self) -> TransactionStatus:
        return self._raw.info.transaction_status

    def _quietly(self, statement: str) -> list[tuple[Any, ...]]:
        with psycopg.Cursor(self._raw, row_factory=psycopg.rows.tuple_row) as cursor:
            cursor.execute(statement, prepare=False)
            return cursor.fetchall() if cursor.description else []


def _refuse() -> None:
    raise RuntimeError("found transaction() of psycopg; needed statements, which stop one by one")


def _gated(session: Session, base: type[Any]) -> type[Any]:
    class Gated(base):  # type: ignore[misc]  # the class of the connection's own cursors
        """The cursor of Django, which stops before each statement."""

        def execute(self, query: Any, *arguments: Any, **options: Any) -> Any:
            with session.gate(_text(query, self)):
                return super().execute(query, *arguments, **options)

        def executemany(self, query: Any, *arguments: Any, **options: Any) -> Any:
            with session.gate(_text(query, self)):
                return super().executemany(query, *arguments, **options)

        @contextmanager
        def copy(self, statement: Any, *arguments: Any, **options: Any) -> Iterator[Any]:
            with (
                session.gate(_text(statement, self)),
                super().copy(statement, *arguments, **options) as copy,
            ):
                yield copy

    return Gated


def _text(query: Any, cursor: Any) -> str:
    if isinstance(query, bytes):
        return query.decode()
    return query if isinstance(query, str) else str(query.as_string(cursor))
