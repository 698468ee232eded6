"""A process that is killed: its connection ends before a statement, and nothing after it runs."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final

import psycopg
from django.db import connection

from casino.embedded.process import wait_until
from tests.process_memory import forget_verified

_GONE_SECONDS: Final = 30
_IS_THERE: Final = "SELECT count(*) FROM pg_stat_activity WHERE pid = %s"


class Killed(BaseException):
    """The process was killed. No code of a service may catch it."""


@contextmanager
def killed_before(statement: int | None, *, url: str) -> Iterator[None]:
    """Kills what is inside before its n-th statement, counted from 0; never if it is None.

    PostgreSQL has ended the transaction, and nothing is known of earlier work, when it raises
    Killed. What is inside may end before: then it was killed before it could answer.
    """
    if statement is None:
        yield
        return
    count = _Count(statement)
    connection.ensure_connection()
    pid = connection.connection.info.backend_pid
    try:
        with connection.execute_wrapper(count):
            yield
    except Exception as error:
        if not count.is_dead:
            raise
        raise Killed from error  # of a clean-up that a dead process does not do
    finally:
        connection.close()
        _wait_until_gone(pid, url)
        forget_verified()
    raise Killed


class _Count:
    """Lets so many statements pass."""

    def __init__(self, left: int) -> None:
        self._left, self.is_dead = left, False

    def __call__(
        self, execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any
    ) -> Any:
        if self._left == 0 or self.is_dead:
            self.is_dead = True
            if connection.connection is not None:
                connection.connection.close()
            raise Killed
        self._left -= 1
        return execute(sql, params, many, context)


def _wait_until_gone(pid: int, url: str) -> None:
    """Waits for the end of its transaction, whose locks others would find."""
    with psycopg.connect(url, autocommit=True) as observer:

        def is_gone() -> bool:
            [[count]] = observer.execute(_IS_THERE, [pid]).fetchall()
            return bool(count == 0)

        if not wait_until(is_gone, seconds=_GONE_SECONDS):
            raise TimeoutError(f"the session {pid} has not ended")
