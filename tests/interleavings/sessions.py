"""A session: a thread with its own connection that stops before each statement."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from threading import Condition, Thread
from typing import Any, Final

import psycopg
from django.db import connection, connections
from psycopg.pq import TransactionStatus

from tests.interleavings.footprints import EVERYTHING, Footprint
from tests.interleavings.transaction import Transaction

_ROWS: Final = re.compile(r"\s*\(*(SELECT|INSERT|UPDATE|DELETE|WITH|COPY|VALUES)\b", re.IGNORECASE)
_EMPTY: Final = re.compile(
    r"\s*(SAVEPOINT|RELEASE|SET(?!\s+CONSTRAINTS)|SHOW|BEGIN)\b", re.IGNORECASE
)
_BACK: Final = re.compile(r"\s*ROLLBACK TO\b", re.IGNORECASE)


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
        self._transaction = Transaction(self._quietly)
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
            self.footprint = self._transaction.touched_by(statement)
        elif _BACK.match(statement):
            self.footprint = self._transaction.ended(Footprint())
        elif _EMPTY.match(statement):
            self.footprint = Footprint()
        elif self._status() == TransactionStatus.INTRANS:
            self._transaction.touched_by(statement)  # for the end of the transaction
        if alone and rows:
            self._quietly("COMMIT")
            self.footprint = self._transaction.ended(self.footprint)
            self._forget()

    def _end(self, statement: str, raw: Any, end: Callable[[Any], None]) -> None:
        if self._status() == TransactionStatus.IDLE:
            end(raw)
            return
        self._stop_before(statement)
        checked = Footprint()
        if statement == "COMMIT" and self._status() == TransactionStatus.INTRANS:
            self._quietly("SET CONSTRAINTS ALL IMMEDIATE")
            checked = self._transaction.touched_by("COMMIT")
        end(raw)
        ended = self._transaction.ended(checked)
        self.footprint = EVERYTHING if self._transaction.excludes_readers else ended
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

    def _forget(self) -> None:
        """Begins anew, at the end of a transaction."""
        self._transaction.begin()
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
