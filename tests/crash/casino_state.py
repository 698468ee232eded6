"""The state of a casino, read from outside while its processes are killed."""

from typing import Any, Final, NamedTuple

import psycopg

from tests.crash.observer import OBSERVER

_STATE: Final = f"""
    SELECT (SELECT coalesce(sum(rounds), 0)::bigint FROM payouts_dailyrounds),
           (SELECT count(*) FROM rounds_queuedround),
           ARRAY(SELECT pid FROM pg_stat_activity
                  WHERE datname = current_database() AND pid <> pg_backend_pid()
                    AND backend_type = 'client backend' AND xact_start IS NOT NULL
                    AND application_name <> '{OBSERVER}')
"""


class CasinoState(NamedTuple):
    """Progress of the casino at one time."""

    settled: int
    """Rounds."""
    waiting: int
    """Rounds, those that are being settled among them."""
    at_work: list[int]
    """The process ids of PostgreSQL in which a transaction is open."""


class StateReader:
    """A separate connection, reopened after PostgreSQL was killed."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._connection: psycopg.Connection[Any] | None = None

    def read(self) -> CasinoState | None:
        """The current state; None while PostgreSQL is down."""
        try:
            if self._connection is None:
                self._connection = psycopg.connect(self._url, autocommit=True, connect_timeout=5)
            [state] = self._connection.execute(_STATE).fetchall()
        except psycopg.OperationalError:
            self.close()
            return None
        return CasinoState(*state)

    def close(self) -> None:
        """Closes the connection."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None
